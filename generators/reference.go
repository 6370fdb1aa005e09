package generators

import (
	"cmp"

	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// references returns the default DataSources. SSP creates them in its own namespace
// only, where that of a template with another namespace would point at nothing.
// goldenarch emits each of them in the namespace of its crons.
func references(in input) []expansion.Object {
	byNamespace := map[string][]expansion.Template{}
	for _, t := range in.Templates {
		namespace := cmp.Or(t.Metadata.Namespace, in.SSP.Namespace)
		byNamespace[namespace] = append(byNamespace[namespace], t)
	}
	var out []expansion.Object
	for namespace, templates := range byNamespace {
		for name, standard := range in.SSP.Defaults(templates) {
			target := map[string]any{"name": expansion.WithArchitecture(name, standard), "namespace": namespace}
			out = append(out, object("cdi.kubevirt.io/v1beta1", "DataSource", namespace, name, parts{
				spec: map[string]any{"source": map[string]any{"dataSource": target}},
			}))
		}
	}
	return expansion.SortObjects(out)
}
