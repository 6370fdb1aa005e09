package plan

import (
	"fmt"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// gateDecision says how to write the gate (nil leaves it), what to record about it (nil
// leaves the record, "" removes it), and the resulting state of the gate.
type gateDecision struct {
	edit   *Gate
	record *string
	on     bool
}

// decideGate decides on the gate. It reverses what a person wrote only if the configuration
// explicitly requests that.
func decideGate(s Subject) (gateDecision, finding.List) {
	release := s.Spec.Release
	found := checkRelease(s, release)
	found = append(found, checkLiveGate(s)...)
	want, decided := wantGate(s)
	switch {
	case decided && want && s.Spec.Gate == v1alpha1.GateAuto && personallyOff(s.CR):
		if problem := checkHasGate(s, release); problem != nil {
			return gateDecision{on: want}, append(found, *problem)
		}
		found = append(found, keptOff(s, release)...)
	case decided && want:
		out, list := writeGate(s, true, release)
		return out.recorded(s.CR, ""), append(found, list...)
	case decided:
		out, list := writeGate(s, false, release)
		return out.recorded(s.CR, beforeDisable(s.CR)), append(found, list...)
	case wroteOff(s.CR):
		out, list := undoDisable(s, release)
		return out.recorded(s.CR, ""), append(found, list...)
	}
	out := gateDecision{on: gateOn(s.CR, release)}
	return out.recorded(s.CR, ""), append(found, checkKeptGate(s, release)...)
}

// wantGate returns the state that the configuration wants for the gate. It returns false if
// the configuration leaves the gate alone.
func wantGate(s Subject) (on, decided bool) {
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

// writeGate writes the gate where it does not have that value yet, and reports that
// goldenarch turns it on.
func writeGate(s Subject, on bool, release v1alpha1.Release) (gateDecision, finding.List) {
	place, problem := gatePlace(s, release)
	if problem != nil {
		return gateDecision{on: on}, finding.List{*problem}
	}
	var found finding.List
	if on && !gateOn(s.CR, release) {
		found = append(found, turnedOn(s, place, release))
	}
	gate := Gate{On: on, Place: place}
	if isWritten(gate, s.CR) {
		return gateDecision{on: on}, found
	}
	return gateDecision{edit: &gate, on: on}, found
}

// undoDisable reverts what spec.gate: Disable wrote.
func undoDisable(s Subject, release v1alpha1.Release) (gateDecision, finding.List) {
	if s.CR.Annotations[hyperconverged.GateRecord] == hyperconverged.GateWasOn {
		return writeGate(s, true, release)
	}
	undone := *s.CR
	undone.Gate = hyperconverged.Gate{Kept: s.CR.Gate.Kept}
	return gateDecision{edit: &Gate{Place: GateNowhere}, on: gateOn(&undone, release)}, finding.List{{
		ID: finding.GateUndone, Severity: finding.Info, Field: explicitGatePath(s.CR).String(), Current: false,
		Text: fmt.Sprintf("goldenarch had turned off the multi-arch gate %s for spec.gate: Disable, and removes that setting, because spec.gate is now %s", hyperconverged.GateName, s.Spec.Gate),
		Do:   "to keep it off, set spec.gate: Disable",
	}}
}

// recorded adds what to record about the gate, if the CR does not have that record yet. A
// value that goldenarch does not write stays.
func (d gateDecision) recorded(cr *hyperconverged.CR, value string) gateDecision {
	now := cr.Annotations[hyperconverged.GateRecord]
	ours := now == hyperconverged.GateWasUnset || now == hyperconverged.GateWasOn
	if now != value && (ours || value != "") {
		d.record = &value
	}
	return d
}
