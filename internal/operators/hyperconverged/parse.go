package hyperconverged

import (
	"cmp"
	"encoding/json"
	"strings"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
	kjson "sigs.k8s.io/json"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/shape"
)

// object is the part of the CR that both versions share.
type object struct {
	APIVersion string `json:"apiVersion"`
	Metadata   struct {
		Name            string            `json:"name"`
		Namespace       string            `json:"namespace"`
		UID             string            `json:"uid"`
		ResourceVersion string            `json:"resourceVersion"`
		Annotations     map[string]string `json:"annotations"`
	} `json:"metadata"`
	Spec   json.RawMessage `json:"spec"`
	Status json.RawMessage `json:"status"`
}

// isDump reports whether the object was read from a cluster. An empty status does not
// count, because tools that generate manifests write one.
func (o object) isDump() bool {
	status := string(o.Status)
	return o.Metadata.UID != "" || o.Metadata.ResourceVersion != "" || status != "" && status != "null" && status != "{}"
}

// sources is v1's spec.workloadSources, and a part of v1beta1's spec.
type sources struct {
	Templates     []json.RawMessage `json:"dataImportCronTemplates"`
	CommonImport  *bool             `json:"enableCommonBootImageImport"`
	BootNamespace string            `json:"commonBootImageNamespace"`
}

type specV1 struct {
	FeatureGates    []FeatureGate `json:"featureGates"`
	WorkloadSources *struct {
		sources `json:",inline"`
		Gate    *bool `json:"enableMultiArchBootImageImport"`
	} `json:"workloadSources"`
	Deployment struct {
		NodePlacements struct {
			Workload NodePlacement `json:"workload"`
			Infra    NodePlacement `json:"infra"`
		} `json:"nodePlacements"`
	} `json:"deployment"`
}

type specV1beta1 struct {
	sources      `json:",inline"`
	FeatureGates struct {
		Gate         *bool `json:"enableMultiArchBootImageImport"`
		CommonImport *bool `json:"enableCommonBootImageImport"`
	} `json:"featureGates"`
	Workloads struct {
		NodePlacement NodePlacement `json:"nodePlacement"`
	} `json:"workloads"`
	Infra struct {
		NodePlacement NodePlacement `json:"nodePlacement"`
	} `json:"infra"`
}

// Parse reads a CR from its JSON. It reports what the API server would refuse or drop as
// findings, and returns nil if it cannot read the CR at all. The findings name no object,
// because only the caller knows where the CR is written.
//
// Parse compares keys as the API server does: exactly.
func Parse(data []byte) (*CR, finding.List) {
	var o object
	if err := decode(data, &o); err != nil {
		return nil, violated("", data, &o, err)
	}
	version, err := ParseVersion(o.APIVersion)
	if err != nil {
		return nil, finding.List{{
			ID: finding.APIVersionUnknown, Severity: finding.Error, Field: "apiVersion", Current: o.APIVersion,
			Text: err.Error(), Do: "migrate the CR to a version that HCO serves",
		}}
	}
	cr := &CR{
		Version: version, Name: o.Metadata.Name, Namespace: o.Metadata.Namespace, Annotations: o.Metadata.Annotations,
		Dump: o.isDump(),
	}
	templates, unreadable := cr.readSpec(o.Spec)
	if unreadable != nil {
		return nil, unreadable
	}
	found := cr.misplaced(o.Spec)
	if cr.Unconvertible != nil {
		found = append(found, finding.Finding{
			ID: finding.SchemaViolated, Severity: finding.Error, Field: "metadata.annotations[" + V1OnlyAnnotation + "]",
			Text: cr.Unconvertible.Error() + ": HCO refuses the CR", Do: "remove the annotation, which HCO writes itself",
		})
	}
	readable := true
	for i, raw := range templates {
		template, list, ok := cr.readTemplate(i, raw)
		found = append(found, list...)
		cr.Templates = append(cr.Templates, template)
		readable = readable && ok
	}
	if !readable {
		return nil, found
	}
	return cr, found
}

// readSpec reads the spec, except the templates, which it returns.
func (cr *CR) readSpec(data json.RawMessage) ([]json.RawMessage, finding.List) {
	if cr.Version == V1 {
		var spec specV1
		if err := decode(data, &spec); err != nil {
			return nil, violated("spec", data, &spec, err)
		}
		return cr.readV1(spec), nil
	}
	var spec specV1beta1
	if err := decode(data, &spec); err != nil {
		return nil, violated("spec", data, &spec, err)
	}
	return cr.readV1beta1(spec), nil
}

func (cr *CR) readV1(spec specV1) []json.RawMessage {
	cr.FeatureGates = spec.FeatureGates
	cr.Gate.List = findGate(spec.FeatureGates)
	cr.Workloads = spec.Deployment.NodePlacements.Workload
	cr.Infra = spec.Deployment.NodePlacements.Infra
	cr.CommonImport = true
	if spec.WorkloadSources == nil {
		return nil
	}
	cr.HasWorkloadSources = true
	cr.Gate.Field = spec.WorkloadSources.Gate
	return cr.readSources(spec.WorkloadSources.sources)
}

func (cr *CR) readV1beta1(spec specV1beta1) []json.RawMessage {
	cr.Gate.Field = spec.FeatureGates.Gate
	cr.DeadCommonImport = spec.FeatureGates.CommonImport
	cr.Workloads = spec.Workloads.NodePlacement
	cr.Infra = spec.Infra.NodePlacement
	if annotation, ok := cr.Annotations[V1OnlyAnnotation]; ok {
		cr.Gate.Kept, cr.Unconvertible = keptGate(annotation)
	}
	return cr.readSources(spec.sources)
}

func (cr *CR) readSources(s sources) []json.RawMessage {
	cr.CommonImport = s.CommonImport == nil || *s.CommonImport
	cr.BootNamespace = s.BootNamespace
	return s.Templates
}

// readTemplate reads one entry of the list. It returns false and error findings for an
// entry that it cannot read.
func (cr *CR) readTemplate(i int, raw json.RawMessage) (Template, finding.List, bool) {
	entry := struct {
		Metadata *TemplateMetadata         `json:"metadata"`
		Spec     *cdiv1.DataImportCronSpec `json:"spec"`
	}{}
	path := cr.TemplatePath(i)
	if faults := shape.Immeasurable(path, raw, &entry); len(faults) > 0 {
		return Template{}, tooLarge(faults), false
	}
	dropped, err := kjson.UnmarshalStrict(raw, &entry)
	if err != nil {
		return Template{}, violated(path, raw, &entry, err), false
	}
	found := droppedFields(path, dropped)
	found = append(found, missingFields(path, entry.Spec, raw)...)
	return Template{Index: i, Metadata: entry.Metadata, Spec: entry.Spec}, found, true
}

// decode reads JSON as the API server does: it compares keys exactly. Empty data and null
// become the zero value.
func decode(data json.RawMessage, into any) error {
	if len(data) == 0 || string(data) == "null" {
		return nil
	}
	return kjson.UnmarshalCaseSensitivePreserveInts(data, into)
}

// violated reports the part of the CR that cannot be decoded. It uses the paths and the
// terms of the CR instead of Go's types.
func violated(path string, data []byte, into any, err error) finding.List {
	found := refused(shape.Faults(path, data, into))
	if len(found) == 0 {
		found = finding.List{{
			ID: finding.SchemaViolated, Severity: finding.Error, Field: path,
			Text: refusal + strings.TrimPrefix(err.Error(), "json: "), Do: "correct the value",
		}}
	}
	return found
}

// tooLarge reports quantities of the CR that are too large for calculations.
func tooLarge(faults []shape.Fault) finding.List {
	var found finding.List
	for _, fault := range faults {
		found = append(found, finding.Finding{
			ID: finding.SchemaViolated, Severity: finding.Error, Field: fault.Path, Current: fault.Value,
			Text: fault.Path + " " + fault.Text + ": the operators write out all of its digits", Do: fault.Do,
		})
	}
	return found
}

const refusal = "the API server would refuse the CR: "

// refused reports the values of the CR that the API server refuses.
func refused(faults []shape.Fault) finding.List {
	var found finding.List
	for _, fault := range faults {
		found = append(found, finding.Finding{
			ID: finding.SchemaViolated, Severity: finding.Error, Field: fault.Path, Current: fault.Value,
			Text: refusal + cmp.Or(fault.Path, "it") + " " + fault.Text, Do: fault.Do,
		})
	}
	return found
}
