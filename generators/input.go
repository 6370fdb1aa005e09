package generators

import (
	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// Template is a DataImportCronTemplate to expand.
type Template struct {
	Name string
	// Namespace is where its objects are. Default: that of the Input.
	Namespace string
	Labels    map[string]string
	// Annotations have the declared architectures: ssp.kubevirt.io/dict.architectures.
	Annotations map[string]string
	Spec        cdiv1.DataImportCronSpec
}

// Input is what to emit.
type Input struct {
	// Templates are those to expand, sorted by name, each with the declared
	// architectures that are left for the workload nodes.
	Templates []Template
	// Architectures are those of the cluster in SSP's order: those of the control
	// plane first.
	Architectures []string
	// Namespace is where golden images are.
	Namespace string
	// DataSources says which DataSources are emitted.
	DataSources v1alpha1.ExpandDataSources
	// ReplaceOnChange lets Argo CD and Flux recreate a DataImportCron.
	ReplaceOnChange bool
	// Support adds the Namespace, and the rights to clone from it. A namespace of a
	// template's own is its owner's matter.
	Support bool
}

// Objects returns the objects, as decoded JSON, in the order in which they can be
// applied, and always in the same: Namespace, Role and RoleBinding, then the
// DataImportCrons, their DataSources and the references, each by namespace and
// name. Without templates there is nothing.
func Objects(in Input) []map[string]any {
	given := input{
		SSP:         expansion.SSP{Namespace: in.Namespace},
		DataSources: in.DataSources, ReplaceOnChange: in.ReplaceOnChange, Support: in.Support,
	}
	for _, a := range in.Architectures {
		given.SSP.Order = append(given.SSP.Order, arch.Arch(a))
	}
	for _, t := range in.Templates {
		given.Templates = append(given.Templates, expansion.Template{Spec: t.Spec, Metadata: hyperconverged.TemplateMetadata{
			Name: t.Name, Namespace: t.Namespace, Labels: t.Labels, Annotations: t.Annotations,
		}})
	}
	var out []map[string]any
	for _, o := range objects(given) {
		out = append(out, o)
	}
	return out
}
