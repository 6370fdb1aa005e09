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
		out, list := turnOn(s, release)
		return out.recorded(s.CR, ""), append(found, list...)
	case decided:
		out, list := turnOff(s, release)
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

// turnOn decides to write the gate as on, and reports that if it is not on yet.
func turnOn(s Subject, release v1alpha1.Release) (gateDecision, finding.List) {
	place, problem := gatePlace(s, release)
	if problem != nil {
		return gateDecision{on: true}, finding.List{*problem}
	}
	var found finding.List
	if !gateOn(s.CR, release) {
		found = append(found, turnedOn(s, place, release))
	}
	return writeGate(s.CR, Gate{On: true, Place: place}), found
}

// turnOff decides to write the gate as off.
func turnOff(s Subject, release v1alpha1.Release) (gateDecision, finding.List) {
	place, problem := gatePlace(s, release)
	if problem != nil {
		return gateDecision{}, finding.List{*problem}
	}
	return writeGate(s.CR, Gate{Place: place}), nil
}

// writeGate returns the decision to write a gate, unless the CR already has it.
func writeGate(cr *hyperconverged.CR, gate Gate) gateDecision {
	if isWritten(gate, cr) {
		return gateDecision{on: gate.On}
	}
	return gateDecision{edit: &gate, on: gate.On}
}

// undoDisable reverts what spec.gate: Disable wrote.
func undoDisable(s Subject, release v1alpha1.Release) (gateDecision, finding.List) {
	if s.CR.Annotations[hyperconverged.GateRecord] == hyperconverged.GateWasOn {
		return turnOn(s, release)
	}
	undone := *s.CR
	undone.Gate = hyperconverged.Gate{Kept: s.CR.Gate.Kept}
	return gateDecision{edit: &Gate{Place: GateNowhere}, on: gateOn(&undone, release)}, finding.List{{
		ID: finding.GateUndone, Severity: finding.Info, Field: explicitGatePath(s.CR).String(), Current: false,
		Text: fmt.Sprintf("goldenarch had turned off the multi-arch gate %s for spec.gate: Disable, and removes that setting, because spec.gate is now %s",
			hyperconverged.GateName, s.Spec.Gate),
		Do: "to keep it off, set spec.gate: Disable",
		Unchanged: finding.Advice{
			Text: fmt.Sprintf("goldenarch turned off the multi-arch gate %s for spec.gate: Disable, but spec.gate is now %s", hyperconverged.GateName, s.Spec.Gate),
			Do:   "remove the value, or set spec.gate: Disable to keep it off",
		},
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
