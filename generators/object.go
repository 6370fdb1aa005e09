package generators

import (
	"maps"

	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// parts is what objects have beside their names; what is nil is left out.
type parts struct {
	labels, annotations map[string]string
	spec                any
	fields              map[string]any // of kinds that have no spec
}

// object returns an object. A namespace of "" is that of the cluster.
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
