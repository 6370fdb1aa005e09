package plan

import (
	"fmt"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/transformers"
)

// gateDecision says how to write the gate (nil leaves it), and the resulting state of the gate.
type gateDecision struct {
	edit *transformers.Gate
	on   bool
}

// decideGate decides on the gate. It reverses what a person wrote only if the configuration
// explicitly requests that.
func decideGate(s Known) (gateDecision, finding.List) {
	found := Unserved(s)
	found = append(found, checkLiveGate(s)...)
	want, decided := wantGate(s)
	switch {
	case decided && want && s.Spec.Gate == v1alpha1.GateAuto && personallyOff(s.CR):
		if problem := checkHasGate(s); problem != nil {
			return gateDecision{on: want}, append(found, *problem)
		}
	case decided && want:
		out, list := turnOn(s)
		return out, append(found, list...)
	case decided:
		out, list := turnOff(s)
		return out, append(found, list...)
	}
	return gateDecision{on: s.CR.GateOn(s.Spec.Release)}, append(found, checkKeptGate(s)...)
}

// wantGate returns the state that the configuration wants for the gate. It returns false if
// the configuration leaves the gate alone.
func wantGate(s Known) (on, decided bool) {
	switch s.Spec.Gate {
	case v1alpha1.GateEnable:
		return true, true
	case v1alpha1.GateDisable:
		return false, true
	case v1alpha1.GateAuto:
		on = s.Spec.Platform != v1alpha1.Kubernetes && len(s.Cluster.Workload) > 1
		return on, on
	default:
		return false, false
	}
}

// turnOn decides to write the gate as on, and reports that if it is not on yet.
func turnOn(s Known) (gateDecision, finding.List) {
	place, problem := gatePlace(s)
	if problem != nil {
		return gateDecision{on: true}, finding.List{*problem}
	}
	var found finding.List
	if !s.CR.GateOn(s.Spec.Release) {
		found = append(found, turnedOn(s, place))
	} else if s.isOpenShift() && s.Spec.Release.Minor() == contestedOpenShift {
		found = append(found, finding.Finding{
			ID: finding.GateContested, Severity: finding.Info, Field: pathOfPlace(place, s.CR).String(), Current: true,
			Text: fmt.Sprintf("the multi-arch gate %s is on. %s", hyperconverged.GateName, Preview(s)),
			Do:   "ask Red Hat whether it is supported on your cluster before you use it in production",
		})
	}
	return writeGate(s.CR, transformers.Gate{On: true, Place: place}), found
}

// turnOff decides to write the gate as off.
func turnOff(s Known) (gateDecision, finding.List) {
	place, problem := gatePlace(s)
	if problem != nil {
		return gateDecision{}, finding.List{*problem}
	}
	return writeGate(s.CR, transformers.Gate{Place: place}), nil
}

// writeGate returns the decision to write a gate, unless the CR already has it.
func writeGate(cr *hyperconverged.CR, gate transformers.Gate) gateDecision {
	if isWritten(gate, cr) {
		return gateDecision{on: gate.On}
	}
	return gateDecision{edit: &gate, on: gate.On}
}

func gatePlace(s Known) (transformers.GatePlace, *finding.Finding) {
	if problem := checkHasGate(s); problem != nil {
		return "", problem
	}
	switch {
	case s.CR.Version == hyperconverged.V1beta1:
		return transformers.GateV1beta1, nil
	case !s.Spec.Release.Declared():
		return "", &finding.Finding{
			ID: finding.ReleaseNeeded, Severity: finding.Error, Field: s.CR.Version.GatePath().String(),
			Text: "the release is not declared: HCO 1.18 reads the multi-arch gate of a v1 CR from spec.featureGates, and HCO 1.19 and later from spec.workloadSources",
			Do:   `declare it: spec.release: "1.19" (or the release of OpenShift Virtualization, "5.0")`,
		}
	case !hyperconverged.GateIsField.In(s.Spec.Release):
		return transformers.GateList, nil
	default:
		return transformers.GateField, nil
	}
}

// isWritten reports whether the CR already has this gate, in this place and in no other.
func isWritten(g transformers.Gate, cr *hyperconverged.CR) bool {
	field, list := cr.Gate.Field, cr.Gate.List
	switch g.Place {
	case transformers.GateList:
		return field == nil && list != nil && list.Name == hyperconverged.GateName && list.Enabled() == g.On
	case transformers.GateField:
		return list == nil && field != nil && *field == g.On
	default:
		return field != nil && *field == g.On
	}
}

// checkHasGate returns an error finding for a release that has no gate.
func checkHasGate(s Known) *finding.Finding {
	if hyperconverged.HasGate.In(s.Spec.Release) {
		return nil
	}
	return &finding.Finding{
		ID: finding.NoGate, Severity: finding.Error, Field: s.CR.Version.GatePath().String(),
		Text: fmt.Sprintf("HCO %s does not have the multi-arch gate %s: it imports only one architecture", s.Spec.Release, hyperconverged.GateName),
		Do:   "upgrade HCO to 1.16 or newer, or set spec.singleArchitecture",
	}
}

// pathOfPlace returns the path of the place in the CR.
func pathOfPlace(p transformers.GatePlace, cr *hyperconverged.CR) hyperconverged.Path {
	if p == transformers.GateList {
		return cr.Version.Paths().FeatureGates
	}
	return cr.Version.GatePath()
}

// personallyOff reports whether a person turned the gate off. In a dump, the value is the
// CRD's default (hco api/v1beta1/hyperconverged_types.go).
func personallyOff(cr *hyperconverged.CR) bool {
	return cr.Gate.ExplicitlyOff() && !cr.Dump
}

// KeepsGateOff reports whether a person turned off a gate that several architectures need, and the
// configuration leaves the gate to Auto.
func KeepsGateOff(s Known) bool {
	want, _ := wantGate(s)
	return want && s.Spec.Gate == v1alpha1.GateAuto && personallyOff(s.CR) && !s.CR.GateOn(s.Spec.Release) && checkHasGate(s) == nil
}

// turnedOn reports that goldenarch turns the gate on.
func turnedOn(s Known, place transformers.GatePlace) finding.Finding {
	f := finding.Finding{
		ID: finding.GateOn, Severity: finding.Info, Field: pathOfPlace(place, s.CR).String(), Proposed: true,
		Text: fmt.Sprintf("goldenarch turns on the multi-arch gate %s, because %s", hyperconverged.GateName, whyOn(s)),
		Do:   "to keep it off, set spec.gate: Keep",
		Unchanged: finding.Advice{
			Text: fmt.Sprintf("the CR does not turn on the multi-arch gate %s, but %s", hyperconverged.GateName, whyOn(s)),
			Do:   fmt.Sprintf("set %s: true, or spec.gate: Keep to keep it off", hyperconverged.GateName),
		},
	}
	if s.CR.Gate.ExplicitlyOff() {
		f.Current = false
	}
	if state := Preview(s); state != "" {
		f.Severity = finding.Warning
		f.Text += ". " + state
		f.Unchanged.Text += ". " + state
		if !s.Spec.Release.Declared() {
			f.Do = fmt.Sprintf("declare the release, for example spec.release: %q", s.releaseName(s.lastPreview()+1))
			f.Unchanged.Do = f.Do
		}
	}
	return f
}

func whyOn(s Known) string {
	if s.Spec.Gate == v1alpha1.GateEnable {
		return "spec.gate is Enable"
	}
	return fmt.Sprintf("workload nodes have %s", s.Cluster.Workload)
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

// Preview says that the feature is a preview in the release; "" if it is not. Without a
// release it may be one.
func Preview(s Known) string {
	product, state := "HCO", "a developer preview (alpha)"
	if s.isOpenShift() {
		product, state = "OpenShift Virtualization", "a Technology Preview, not recommended in production,"
	}
	switch last := s.lastPreview(); {
	case !s.Spec.Release.Declared():
		return fmt.Sprintf("The feature is %s in %s up to %s", state, product, s.releaseName(last))
	case s.isOpenShift() && s.Spec.Release.Minor() == contestedOpenShift:
		return "For OpenShift Virtualization 4.22 sources disagree: its release notes list the feature as a Technology Preview, " +
			"a change of its documentation as generally available"
	case s.Spec.Release.Minor() <= last:
		return fmt.Sprintf("The feature is %s in %s %s", state, product, s.releaseName(s.Spec.Release.Minor()))
	default:
		return ""
	}
}

// checkLiveGate refuses a gate that is off in Git and on in the live CR. Applying it would
// remove the DataImportCrons of each architecture.
func checkLiveGate(s Known) finding.List {
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

// GateField returns the path at which the CR turns the gate off, or else at which it would turn it
// on.
func GateField(s Known) string {
	if s.CR.Gate.ExplicitlyOff() {
		return explicitGatePath(s.CR).String()
	}
	place, _ := gatePlace(s)
	return pathOfPlace(place, s.CR).String()
}

// explicitGatePath returns the path at which the CR turns the gate off.
func explicitGatePath(cr *hyperconverged.CR) hyperconverged.Path {
	if cr.Version == hyperconverged.V1 && cr.Gate.Field == nil {
		return cr.Version.Paths().FeatureGates
	}
	return cr.Version.GatePath()
}
