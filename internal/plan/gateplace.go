package plan

import (
	"fmt"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// Releases of HCO, by their minor.
const (
	firstGate  = 16 // the first release with the gate
	firstV1    = 18 // the first release that serves v1
	firstField = 19 // the first release with the v1 field
)

func gatePlace(s Subject, release v1alpha1.Release) (GatePlace, *finding.Finding) {
	if problem := checkHasGate(s, release); problem != nil {
		return "", problem
	}
	switch {
	case s.CR.Version == hyperconverged.V1beta1:
		return GateV1beta1, nil
	case !release.Declared():
		return "", &finding.Finding{
			ID: finding.ReleaseNeeded, Severity: finding.Error, Field: gatePath(s.CR).String(),
			Text: "the release is not declared: HCO 1.18 reads the multi-arch gate of a v1 CR from spec.featureGates, and HCO 1.19 and later from spec.workloadSources",
			Do:   `declare it: spec.release: "1.19" (or the release of OpenShift Virtualization, "4.23")`,
		}
	case !release.Since(firstField):
		return GateList, nil
	default:
		return GateField, nil
	}
}

// isWritten reports whether the CR already has this gate, in this place and in no other.
func isWritten(g Gate, cr *hyperconverged.CR) bool {
	field, list := cr.Gate.Field, cr.Gate.List
	switch g.Place {
	case GateList:
		return field == nil && list != nil && list.Name == hyperconverged.GateName && list.Enabled() == g.On
	case GateField:
		return list == nil && field != nil && *field == g.On
	default:
		return field != nil && *field == g.On
	}
}

// checkHasGate returns an error finding for a release that has no gate.
func checkHasGate(s Subject, release v1alpha1.Release) *finding.Finding {
	if release.Since(firstGate) {
		return nil
	}
	return &finding.Finding{
		ID: finding.NoGate, Severity: finding.Error, Field: gatePath(s.CR).String(),
		Text: fmt.Sprintf("HCO %s does not have the multi-arch gate %s: it imports only one architecture", s.Spec.Release, hyperconverged.GateName),
		Do:   "upgrade HCO to 1.16 or newer, or set spec.singleArchitecture",
	}
}

// gateOn reports whether HCO of a release reads the CR's gate as on. Release 0 is the
// newest one.
func gateOn(cr *hyperconverged.CR, release v1alpha1.Release) bool {
	gate := cr.Gate
	switch {
	case release.Since(firstField):
		return gate.On()
	case !release.Since(firstGate):
		return false
	case cr.Version == hyperconverged.V1:
		// 1.18 prunes the field and compares the name case-sensitively.
		return gate.List != nil && gate.List.Name == hyperconverged.GateName && gate.List.Enabled()
	default:
		return gate.Field != nil && *gate.Field
	}
}

// pathOfPlace returns the path of the place in the CR.
func pathOfPlace(p GatePlace, cr *hyperconverged.CR) hyperconverged.Path {
	if p == GateList {
		return cr.Version.Paths().FeatureGates
	}
	return gatePath(cr)
}

func gatePath(cr *hyperconverged.CR) hyperconverged.Path {
	if cr.Version == hyperconverged.V1 {
		return hyperconverged.Path{"spec", "workloadSources", hyperconverged.GateName}
	}
	return cr.Version.Paths().FeatureGates.Child(hyperconverged.GateName)
}
