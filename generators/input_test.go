package generators

import (
	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// input is an [Input] in the types of the expansion.
type input struct {
	Templates                []expansion.Template
	SSP                      expansion.SSP
	DataSources              v1alpha1.ExpandDataSources
	ReplaceOnChange, Support bool
}

// objects returns what [Objects] makes of an input.
func objects(in input) []expansion.Object {
	plain := Input{Namespace: in.SSP.Namespace, DataSources: in.DataSources, ReplaceOnChange: in.ReplaceOnChange, Support: in.Support}
	for _, a := range in.SSP.Order {
		plain.Architectures = append(plain.Architectures, string(a))
	}
	for _, t := range in.Templates {
		plain.Templates = append(plain.Templates, Template{
			Name: t.Metadata.Name, Namespace: t.Metadata.Namespace, Labels: t.Metadata.Labels, Annotations: t.Metadata.Annotations, Spec: t.Spec,
		})
	}
	var out []expansion.Object
	for _, o := range Objects(plain) {
		out = append(out, o)
	}
	return out
}
