package generators

import (
	"slices"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// input is what to emit, in the types of the expansion.
type input struct {
	// Templates are the templates to expand, sorted by name. Their declared
	// architectures contain only those of the workload nodes.
	Templates []expansion.Template
	// SSP says how to expand them, and has the namespace of golden images.
	SSP expansion.SSP
	// DataSources says which DataSources to emit.
	DataSources v1alpha1.ExpandDataSources
	// ReplaceOnChange lets Argo CD and Flux recreate a DataImportCron.
	ReplaceOnChange bool
	// Support adds the Namespace of SSP, and the rights to clone from it. If a template
	// has a namespace of its own, the user creates that one.
	Support bool
}

// objects returns the objects always in the same order, which is one to apply them in.
// Namespace, Role and RoleBinding come first, then the DataImportCrons, their
// DataSources and the default DataSources, each by namespace and name. Without
// templates it returns nothing.
func objects(in input) []expansion.Object {
	if len(in.Templates) == 0 {
		return nil
	}
	var out []expansion.Object
	if in.Support {
		out = append(out, namespace(in.SSP.Namespace), role(in.SSP.Namespace), roleBinding(in.SSP.Namespace))
	}
	crons := in.SSP.MultiArch(in.Templates).Sorted()
	for _, c := range crons {
		out = append(out, dataImportCron(c, in.ReplaceOnChange))
	}
	if in.DataSources == v1alpha1.DataSourcesAll {
		var sources []expansion.Object
		for _, c := range crons {
			sources = append(sources, dataSource(c))
		}
		out = slices.Concat(out, expansion.SortObjects(sources))
	}
	if in.DataSources != v1alpha1.DataSourcesNone {
		out = slices.Concat(out, references(in))
	}
	return out
}
