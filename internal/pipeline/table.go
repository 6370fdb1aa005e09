package pipeline

import (
	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/plan"
)

// table returns the templates that the HCO of a CR has built in, with what
// spec.overrides says of their images. spec.predefinedTemplates counts most, then
// the live CR.
func table(cr *hyperconverged.CR, spec *v1alpha1.GoldenImagesSpec, streams imagestream.Streams, live *liveCR) hyperconverged.Table {
	out := namedTable(cr, spec).Observed(live.model(), spec.ParsedRelease())
	if len(spec.PredefinedTemplates) > 0 {
		out = out.Own(spec.PredefinedTemplates)
	}
	if len(spec.Overrides) == 0 {
		return out
	}
	believed, _ := newOverrides(spec.Overrides)
	return out.WithImages(func(t hyperconverged.Template) arch.Set { return believed.ofTemplate(t, streams) })
}

// namedTable returns the table that spec.predefined names.
func namedTable(cr *hyperconverged.CR, spec *v1alpha1.GoldenImagesSpec) hyperconverged.Table {
	switch {
	case spec.Predefined == v1alpha1.PredefinedNone:
		return hyperconverged.None()
	case plan.HasOpenShiftTemplates(cr, spec):
		return hyperconverged.OpenShift()
	default:
		return hyperconverged.Upstream()
	}
}

// ofTemplate returns what the overrides say of a template's image: by the
// template's name, else by the image. It returns nil where they say nothing.
func (o overrides) ofTemplate(t hyperconverged.Template, streams imagestream.Streams) arch.Set {
	for _, override := range o.list {
		if override.Template != "" && override.Template == t.Name() {
			return arch.Named(override.Architectures...)
		}
	}
	ref, err := registry.ParseReference(imageOf(t, streams))
	if err != nil {
		return nil
	}
	return o.sets[ref.String()]
}

// imageOf returns the reference of the image that a template imports, "" where
// nothing in the input names it.
func imageOf(t hyperconverged.Template, streams imagestream.Streams) string {
	source := t.Registry()
	if source == nil {
		return ""
	}
	if stream := pointed(source.ImageStream); pointed(source.URL) == "" && stream != "" {
		followed, _ := streams.Follow(stream, streams.Namespaces()...)
		return followed.Reference
	}
	return pointed(source.URL)
}
