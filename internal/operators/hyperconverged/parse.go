package hyperconverged

import (
	"encoding/json"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
	kjson "sigs.k8s.io/json"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/shape"
)

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
