package forecast

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// The kinds of cluster objects that SSP reads.
const (
	KindPVC        = "PersistentVolumeClaim"
	KindDataSource = "DataSource"
)

// Existing is an object that already exists in the cluster, with the parts that SSP and CDI
// read. Objects of other kinds have no effect.
type Existing struct {
	// Kind is [KindPVC] or [KindDataSource].
	Kind, Namespace, Name string
	Labels                map[string]string
	// Ready is the status of a DataSource's condition Ready. It is "" if the DataSource has
	// no such condition because CDI has not processed it yet.
	Ready string
	// Source is spec.source of a DataSource.
	Source map[string]any
	// Owned says that SSP owns the DataSource (annotation
	// operator-sdk/primary-resource-type). SSP deletes it if no DataSource of this name is
	// wanted.
	Owned bool
}

// labelled reports whether a label of the DataSource says that a cron fills it. The label's
// value does not matter.
func (e Existing) labelled() bool {
	_, ok := e.Labels[cdi.CronLabel]
	return ok
}

// owner returns who made a DataSource.
func (e Existing) owner() Owner {
	switch {
	case e.Owned:
		return OwnerSSP
	case e.Labels["app.kubernetes.io/managed-by"] == "cdi-controller":
		return OwnerCDI
	default:
		return OwnerOther
	}
}

// reads reports whether the DataSource points at this PVC.
func (e Existing) reads(namespace, name string) bool {
	pvc := expansion.Object(e.Source).Child("pvc")
	return pvc["namespace"] == namespace && pvc["name"] == name
}

// state has the objects that already exist in the cluster.
type state []Existing

func (s state) find(kind, namespace, name string) (Existing, bool) {
	for _, e := range s {
		if e.Kind == kind && e.Namespace == namespace && e.Name == name {
			return e, true
		}
	}
	return Existing{}, false
}

// ReadExisting returns the parts of an object that SSP and CDI read; false if they do not
// read objects of its kind.
func ReadExisting(o expansion.Object) (Existing, bool) {
	kind := o.Kind()
	if kind != KindPVC && kind != KindDataSource {
		return Existing{}, false
	}
	metadata := o.Child("metadata")
	e := Existing{
		Kind: kind, Namespace: o.Namespace(), Name: o.Name(), Labels: texts(metadata["labels"]),
		Owned: OwnedBySSP(texts(metadata["annotations"])),
	}
	if kind == KindDataSource {
		e.Source = o.Child("spec", "source")
		for _, condition := range o.List("status", "conditions") {
			if condition.Text("type") == "Ready" {
				e.Ready = condition.Text("status")
				break
			}
		}
	}
	return e, true
}

// OwnedBySSP reports whether an object with these annotations has the one that SSP sets on the
// objects that it owns in other namespaces (ssp internal/common/resource.go).
func OwnedBySSP(annotations map[string]string) bool {
	return annotations["operator-sdk/primary-resource-type"] == "SSP.ssp.kubevirt.io"
}

// texts returns the entries of a decoded map that are strings.
func texts(value any) map[string]string {
	m, _ := value.(map[string]any)
	out := map[string]string{}
	for key, v := range m {
		if s, ok := v.(string); ok {
			out[key] = s
		}
	}
	return out
}

// Status is an entry of status.dataImportCronTemplates.
type Status struct {
	Name                           string  `json:"name"`
	Namespace                      string  `json:"namespace"`
	Architectures                  *string `json:"architectures"`
	OriginalSupportedArchitectures string  `json:"originalSupportedArchitectures"`
	Deployed                       *string `json:"deployed"`
	CommonTemplate                 bool    `json:"commonTemplate"`
	Modified                       bool    `json:"modified"`
}

// SSPCluster is spec.cluster of the SSP CR.
type SSPCluster struct {
	ControlPlaneArchitectures []string `json:"controlPlaneArchitectures"`
	WorkloadArchitectures     []string `json:"workloadArchitectures"`
}

// LiveTemplate compares a template of the live CR's status with the prediction.
type LiveTemplate struct {
	Template string `json:"template"`
	// Now is what the cluster has, and Then is what it will have.
	Now     string `json:"now"`
	Then    string `json:"then"`
	Changed bool   `json:"changed"`
}

// The values for a template without a list of architectures.
const (
	absent      = "nothing"
	undeployed  = "not deployed"
	anyPlatform = "one import for any architecture"
)

// compared compares what HCO has written into the status of the live CR with what it will
// write there.
func compared(in Input, merged []hyperconverged.Merged) []LiveTemplate {
	if in.Live == nil {
		return nil
	}
	gate := in.Live.CR.GateOn(in.LiveRelease)
	now, then := byName(in.Live.Templates), byName(merged)
	names := slices.AppendSeq(slices.Collect(maps.Keys(now)), maps.Keys(then))
	slices.Sort(names)
	out := []LiveTemplate{}
	for _, name := range slices.Compact(names) {
		was, ok := now[name]
		will, stays := then[name]
		t := LiveTemplate{Template: name, Now: imports(was, ok, gate), Then: imports(will, stays, in.CR.Gate.On())}
		if ok && stays {
			if part := differs(was, will); part != "" {
				t.Then += " (" + part + ")"
			}
		}
		t.Changed = t.Now != t.Then
		out = append(out, t)
	}
	return out
}

func byName(list []hyperconverged.Merged) map[string]hyperconverged.Merged {
	out := map[string]hyperconverged.Merged{}
	for _, m := range list {
		out[m.Name()] = m
	}
	return out
}

// imports returns which architectures the cluster imports for a template.
func imports(m hyperconverged.Merged, there, gate bool) string {
	claim, has := m.Annotation(hyperconverged.ClaimAnnotation)
	switch {
	case !there:
		return absent
	case m.Withheld:
		return undeployed
	case !gate || !has || claim == "":
		return anyPlatform
	default:
		parts := strings.Split(claim, ",")
		slices.Sort(parts)
		return strings.Join(slices.Compact(parts), ",")
	}
}

// differs says what changes in the spec; "" if nothing changes. If something does, SSP
// deletes the DataImportCron and makes a new one (ssp reconcile.go, line 714).
func differs(was, will hyperconverged.Merged) string {
	switch {
	case asJSON(was.Source()) != asJSON(will.Source()):
		return "another source"
	case was.ManagedDataSource() != will.ManagedDataSource():
		return "another DataSource"
	case asJSON(was.Spec) != asJSON(will.Spec):
		return "another spec"
	default:
		return ""
	}
}

func asJSON(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(data)
}
