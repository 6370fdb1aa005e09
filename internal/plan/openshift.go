package plan

import (
	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/settings"
)

// HasOpenShiftTemplates reports whether the CR's HCO has the built-in templates of
// OpenShift Virtualization. spec.predefined decides, then the namespace of the CR. If the
// CR has no namespace, a CNV release decides.
func HasOpenShiftTemplates(cr *hyperconverged.CR, spec *settings.Settings) bool {
	switch spec.Predefined {
	case v1alpha1.PredefinedOpenShift:
		return true
	case v1alpha1.PredefinedUpstream, v1alpha1.PredefinedNone:
		return false
	case v1alpha1.PredefinedAuto:
	}
	if cr.Namespace == "" {
		return spec.Release.OfCNV()
	}
	return cr.Namespace == hyperconverged.DownstreamNamespace
}

// isOpenShift reports whether the CR is for OpenShift Virtualization, judging by its
// namespace, its built-in templates, or a CNV release.
func (s Subject) isOpenShift() bool {
	return s.CR.Namespace == hyperconverged.DownstreamNamespace || HasOpenShiftTemplates(s.CR, s.Spec) || s.Spec.Release.OfCNV()
}
