package subject

import (
	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/input/livecr"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/internal/settings"
)

// Table returns the templates that the HCO of a CR has built in, with the architectures
// of their images from spec.overrides. spec.predefinedTemplates has precedence, then
// the live CR.
func Table(cr *hyperconverged.CR, spec *settings.Settings, images Images, live *livecr.CR) hyperconverged.Table {
	out := namedTable(cr, spec).Observed(live.Model(), spec.Release)
	if len(spec.PredefinedTemplates) > 0 {
		out = out.WithStated(spec.PredefinedTemplates)
	}
	if len(spec.Overrides) == 0 {
		return out
	}
	return out.WithImages(func(t hyperconverged.Template) arch.Set { return images.Overrides.forTemplate(t, images) })
}

// namedTable returns the table that spec.predefined names.
func namedTable(cr *hyperconverged.CR, spec *settings.Settings) hyperconverged.Table {
	switch {
	case spec.Predefined == v1alpha1.PredefinedNone:
		return hyperconverged.None()
	case plan.HasOpenShiftTemplates(cr, spec):
		return hyperconverged.OpenShift()
	default:
		return hyperconverged.Upstream()
	}
}
