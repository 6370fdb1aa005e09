package plan

import (
	"fmt"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// This file decides who set the gate, and what to report about it.

// wroteOff reports whether goldenarch turned the gate off for spec.gate: Disable, and
// nobody has changed it since.
func wroteOff(cr *hyperconverged.CR) bool {
	switch cr.Annotations[hyperconverged.GateRecord] {
	case hyperconverged.GateWasUnset, hyperconverged.GateWasOn:
		return cr.Gate.ExplicitlyOff()
	default:
		return false
	}
}

// personallyOff reports whether a person turned the gate off. In a dump, the value is the
// CRD's default (hco api/v1beta1/hyperconverged_types.go).
func personallyOff(cr *hyperconverged.CR) bool {
	return cr.Gate.ExplicitlyOff() && !cr.Dump && !wroteOff(cr)
}

// beforeDisable returns what to record about the gate when spec.gate: Disable turns it off;
// "" if somebody else has turned it off.
func beforeDisable(cr *hyperconverged.CR) string {
	switch {
	case wroteOff(cr):
		return cr.Annotations[hyperconverged.GateRecord]
	case cr.Gate.ExplicitlyOff():
		return ""
	case cr.Gate.ExplicitlyOn():
		return hyperconverged.GateWasOn
	default:
		return hyperconverged.GateWasUnset
	}
}

// turnedOn reports that goldenarch turns the gate on.
func turnedOn(s Subject, place GatePlace, release v1alpha1.Release) finding.Finding {
	f := finding.Finding{
		ID: finding.GateOn, Severity: finding.Info, Field: pathOfPlace(place, s.CR).String(), Proposed: true,
		Text: fmt.Sprintf("goldenarch turns on the multi-arch gate %s, because %s", hyperconverged.GateName, whyOn(s)),
		Do:   "to keep it off, set spec.gate: Disable",
		Unchanged: finding.Advice{
			Text: fmt.Sprintf("the CR does not turn on the multi-arch gate %s, but %s", hyperconverged.GateName, whyOn(s)),
			Do:   fmt.Sprintf("set %s: true, or spec.gate: Disable to keep it off", hyperconverged.GateName),
		},
	}
	if s.CR.Gate.ExplicitlyOff() {
		f.Current = false
	}
	if state := preview(s, release); state != "" {
		f.Severity = finding.Warning
		f.Text += ". " + state
		f.Unchanged.Text += ". " + state
		if !release.Declared() {
			f.Do = fmt.Sprintf("declare the release, for example spec.release: %q", s.releaseName(s.lastPreview()+1))
			f.Unchanged.Do = f.Do
		}
	}
	return f
}

func whyOn(s Subject) string {
	switch _, decided := wantGate(s); {
	case !decided:
		return "it was on before you set spec.gate: Disable"
	case s.Spec.Gate == v1alpha1.GateEnable:
		return "spec.gate is Enable"
	default:
		return fmt.Sprintf("workload nodes have %s", s.Cluster.Workload)
	}
}

// The minor versions of the last releases in which the feature is a preview. The sources
// are the documentation of OpenShift Virtualization 4.21, which is HCO 1.17, and HCO's own
// feature gates (api/v1beta1/hyperconverged_types.go, feature-gates.json).
const (
	lastPreviewOpenShift = 17
	lastPreviewUpstream  = 18
	// contestedOpenShift is 4.22: its release notes list multi-arch golden images as a
	// Technology Preview (CNV-62357), a change of its documentation as generally available
	// (openshift-docs#113596), and another one names 4.23 instead (openshift-docs#117898).
	contestedOpenShift = 18
)

// releaseName returns the name that the CR's product uses for a release of HCO: OpenShift
// Virtualization has its own version numbers.
func (s Subject) releaseName(minor int) string {
	if s.isOpenShift() {
		return fmt.Sprintf("4.%d", minor+4)
	}
	return fmt.Sprintf("1.%d", minor)
}

// lastPreview returns the last release in which the feature is a preview.
func (s Subject) lastPreview() int {
	if s.isOpenShift() {
		return lastPreviewOpenShift
	}
	return lastPreviewUpstream
}

// preview says that the feature is a preview in the release; "" if it is not. Without a
// release it may be one.
func preview(s Subject, release v1alpha1.Release) string {
	product, state := "HCO", "a developer preview (alpha)"
	if s.isOpenShift() {
		product, state = "OpenShift Virtualization", "a Technology Preview, not recommended in production,"
	}
	switch last := s.lastPreview(); {
	case !release.Declared():
		return fmt.Sprintf("The feature is %s in %s up to %s", state, product, s.releaseName(last))
	case s.isOpenShift() && release.Minor() == contestedOpenShift:
		return "For OpenShift Virtualization 4.22 sources disagree: its release notes list the feature as a Technology Preview, " +
			"a change of its documentation as generally available"
	case release.Minor() <= last:
		return fmt.Sprintf("The feature is %s in %s %s", state, product, s.releaseName(release.Minor()))
	default:
		return ""
	}
}

// keptOff warns about a gate that a person turned off although more than one architecture
// needs it. A gate that the release does not read does not cause a warning.
func keptOff(s Subject, release v1alpha1.Release) finding.List {
	if gateOn(s.CR, release) || s.LiveGateOn {
		return nil // the comparison with the live CR has reported an error
	}
	return finding.List{{
		ID: finding.GateKeptOff, Severity: finding.Warning, Field: explicitGatePath(s.CR).String(), Current: false,
		Text: fmt.Sprintf("the CR turns off the multi-arch gate %s, but workload nodes have %s: "+
			"HCO imports golden images for only one architecture, and the alert HCOMultiArchGoldenImagesDisabled fires", hyperconverged.GateName, s.Cluster.Workload),
		Do: "set spec.gate: Enable to turn it on; spec.gate: Disable keeps it off without this warning",
	}}
}

// checkLiveGate refuses a gate that is off in Git and on in the live CR. Applying it would
// remove the DataImportCrons of each architecture.
func checkLiveGate(s Subject) finding.List {
	explicit := s.Spec.Gate == v1alpha1.GateEnable || s.Spec.Gate == v1alpha1.GateDisable
	if explicit || !s.LiveGateOn || !personallyOff(s.CR) {
		return nil
	}
	return finding.List{{
		ID: finding.LiveGateOn, Severity: finding.Error, Field: explicitGatePath(s.CR).String(), Current: false,
		Text: fmt.Sprintf("the CR turns off the multi-arch gate %s, which is on in the live CR: when you apply it, "+
			"SSP removes the DataImportCrons of each architecture",
			hyperconverged.GateName),
		Do: "set spec.gate: Enable to keep it on, or spec.gate: Disable to turn it off",
	}}
}

// explicitGatePath returns the path at which the CR turns the gate off.
func explicitGatePath(cr *hyperconverged.CR) hyperconverged.Path {
	if cr.Version == hyperconverged.V1 && cr.Gate.Field == nil {
		return cr.Version.Paths().FeatureGates
	}
	return gatePath(cr)
}
