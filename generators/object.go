package generators

import (
	"maps"

	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// parts is what objects have in addition to their names. A nil part is left out.
type parts struct {
	labels, annotations map[string]string
	spec                any
	fields              map[string]any // for kinds without a spec
}

// object returns an object. It is cluster-scoped if the namespace is "".
func object(apiVersion, kind, namespace, name string, p parts) expansion.Object {
	metadata := map[string]any{"name": name, "labels": p.labels, "annotations": p.annotations}
	if namespace != "" {
		metadata["namespace"] = namespace
	}
	out := map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": metadata}
	if p.spec != nil {
		out["spec"] = p.spec
	}
	maps.Copy(out, p.fields)
	return expansion.NewObject(out)
}
