package generators

import (
	"slices"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// input is what to emit, in the types of the expansion.
type input struct {
	// Templates are those to expand, sorted by name, each with the claim that is
	// left for the workload nodes.
	Templates []expansion.Template
	// SSP is how they are expanded, and where golden images are.
	SSP expansion.SSP
	// DataSources says which DataSources are emitted.
	DataSources v1alpha1.ExpandDataSources
	// ReplaceOnChange lets Argo CD and Flux recreate a DataImportCron.
	ReplaceOnChange bool
	// Support adds the Namespace of SSP, and the rights to clone from it. A
	// namespace of a template's own is its owner's matter.
	Support bool
}

// objects returns the objects in the order in which they can be applied, and
// always in the same: Namespace, Role and RoleBinding, then the
// DataImportCrons, their DataSources and the references, each by namespace and
// name. Without templates there is nothing.
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
