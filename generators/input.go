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
	// Namespace is the namespace of its objects. Default: that of the Input.
	Namespace string
	Labels    map[string]string
	// Annotations have the declared architectures: ssp.kubevirt.io/dict.architectures.
	Annotations map[string]string
	Spec        cdiv1.DataImportCronSpec
}

// Input is what to emit.
type Input struct {
	// Templates are the templates to expand, sorted by name. Their declared
	// architectures contain only those of the workload nodes.
	Templates []Template
	// Architectures are those of the cluster in SSP's order: the control plane's first.
	Architectures []string
	// Namespace is the namespace of golden images.
	Namespace string
	// DataSources says which DataSources to emit.
	DataSources v1alpha1.ExpandDataSources
	// ReplaceOnChange lets Argo CD and Flux recreate a DataImportCron.
	ReplaceOnChange bool
	// Support adds the Namespace, and the rights to clone from it. If a template has a
	// namespace of its own, the user creates that one.
	Support bool
}

// Objects returns the objects as decoded JSON, always in the same order, which is one
// to apply them in. Namespace, Role and RoleBinding come first, then the
// DataImportCrons, their DataSources and the default DataSources, each by namespace and
// name. Without templates it returns nothing.
func Objects(in Input) []map[string]any {
	if len(in.Templates) == 0 {
		return nil
	}
	ssp := expansion.SSP{Namespace: in.Namespace}
	for _, a := range in.Architectures {
		ssp.Order = append(ssp.Order, arch.Arch(a))
	}
	var templates []expansion.Template
	for _, t := range in.Templates {
		templates = append(templates, expansion.Template{Spec: t.Spec, Metadata: hyperconverged.TemplateMetadata{
			Name: t.Name, Namespace: t.Namespace, Labels: t.Labels, Annotations: t.Annotations,
		}})
	}
	var out []map[string]any
	add := func(list ...expansion.Object) {
		for _, o := range list {
			out = append(out, o)
		}
	}
	if in.Support {
		add(namespace(in.Namespace), role(in.Namespace), roleBinding(in.Namespace))
	}
	var sources []expansion.Object
	for _, c := range ssp.MultiArch(templates).Sorted() {
		add(dataImportCron(c, in.ReplaceOnChange))
		sources = append(sources, dataSource(c))
	}
	if in.DataSources == v1alpha1.DataSourcesAll {
		add(expansion.SortObjects(sources)...)
	}
	if in.DataSources != v1alpha1.DataSourcesNone {
		add(references(ssp, templates)...)
	}
	return out
}
