package forecast

import (
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
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
	pvc, _ := e.Source["pvc"].(map[string]any)
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
	kind, _ := o["kind"].(string)
	if kind != KindPVC && kind != KindDataSource {
		return Existing{}, false
	}
	metadata := child(o, "metadata")
	e := Existing{
		Kind: kind, Namespace: o.Namespace(), Name: o.Name(), Labels: texts(metadata["labels"]),
		Owned: texts(metadata["annotations"])[ownerAnnotation] == ownerType,
	}
	if kind == KindDataSource {
		e.Source, e.Ready = child(child(o, "spec"), "source"), readyOf(child(o, "status"))
	}
	return e, true
}

// The annotation that SSP sets on the objects that it owns in other namespaces (ssp
// internal/common/resource.go).
const (
	ownerAnnotation = "operator-sdk/primary-resource-type"
	ownerType       = "SSP.ssp.kubevirt.io"
)

func readyOf(status map[string]any) string {
	conditions, _ := status["conditions"].([]any)
	for _, one := range conditions {
		condition, _ := one.(map[string]any)
		if condition["type"] == "Ready" {
			s, _ := condition["status"].(string)
			return s
		}
	}
	return ""
}

func child(o map[string]any, key string) map[string]any {
	m, _ := o[key].(map[string]any)
	return m
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
