package plan

import (
	"fmt"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/finding"
	"github.com/goldenarch/goldenarch/hyperconverged"
)

// Gate is how to write enableMultiArchBootImageImport.
type Gate struct {
	On bool
	// Place is where the CR's API version and the release keep it.
	Place GatePlace
}

// GatePlace is a place where the gate is kept.
type GatePlace string

// The places (hco api/v1/hyperconverged_types.go, api/v1beta1).
const (
	GateField   GatePlace = "v1 field"                  // spec.workloadSources.enableMultiArchBootImageImport, from 1.19
	GateList    GatePlace = "v1 list of feature gates"  // spec.featureGates, in 1.18
	GateV1beta1 GatePlace = "v1beta1 feature gate bool" // spec.featureGates.enableMultiArchBootImageImport
)

// Releases of HCO, by their minor.
const (
	firstGate  = 16 // the first with the gate
	firstV1    = 18 // the first that serves v1
	firstField = 19 // the first with the v1 field
)

// gateDecision is how to write the gate (nil: leave it), and what it is then.
type gateDecision struct {
	edit *Gate
	on   bool
}

func decideGate(s Subject) (gateDecision, finding.List) {
	release := s.Spec.ParsedRelease().Minor()
	found := checkRelease(s, release)
	want, decided := wantGate(s)
	if !decided {
		return gateDecision{on: gateOn(s.CR, release)}, append(found, checkKeptGate(s, release)...)
	}
	place, problem := gatePlace(s, release)
	if problem != nil {
		return gateDecision{on: want}, append(found, *problem)
	}
	if want && explicitlyOff(s.CR) {
		found = append(found, finding.Finding{
			ID: finding.GateOn, Severity: finding.Info, Field: gatePath(s.CR).String(), Current: false, Proposed: true,
			Text: fmt.Sprintf("the gate %s was off and is turned on: workload nodes have %s", hyperconverged.GateName, s.Cluster.Workload),
			Do:   "to keep it off, set spec.gate: Keep",
		})
	}
	gate := Gate{On: want, Place: place}
	if gate.isWritten(s.CR) {
		return gateDecision{on: want}, found
	}
	return gateDecision{edit: &gate, on: want}, found
}

// wantGate returns what the configuration makes of the gate, and false if it
// leaves it alone.
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

func gatePlace(s Subject, release int) (GatePlace, *finding.Finding) {
	switch {
	case release != 0 && release < firstGate:
		return "", &finding.Finding{
			ID: finding.NoGate, Severity: finding.Error, Field: gatePath(s.CR).String(),
			Text: fmt.Sprintf("HCO %s has no gate %s: it imports one architecture only", s.Spec.ParsedRelease(), hyperconverged.GateName),
			Do:   "upgrade to 1.16 or newer, or set spec.singleArchitecture, or spec.gate: Keep",
		}
	case s.CR.Version == hyperconverged.V1beta1:
		return GateV1beta1, nil
	case release == 0:
		return "", &finding.Finding{
			ID: finding.ReleaseNeeded, Severity: finding.Error, Field: gatePath(s.CR).String(),
			Text: "where a v1 CR keeps the gate depends on the release of HCO: in spec.featureGates in 1.18, in spec.workloadSources from 1.19 on",
			Do:   `declare it: spec.release: "1.19" (or the CNV release, "4.23")`,
		}
	case release < firstField:
		return GateList, nil
	default:
		return GateField, nil
	}
}

// isWritten reports whether the CR has the gate so already, in this place and
// in no other.
func (g Gate) isWritten(cr *hyperconverged.CR) bool {
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

// gateOn reports whether HCO of a release takes the CR's gate as on; 0 is the
// newest one.
func gateOn(cr *hyperconverged.CR, release int) bool {
	gate := cr.Gate
	switch {
	case release == 0 || release >= firstField:
		return gate.On()
	case release < firstGate:
		return false
	case cr.Version == hyperconverged.V1:
		// 1.18 prunes the field and compares the name with case.
		return gate.List != nil && gate.List.Name == hyperconverged.GateName && gate.List.Enabled()
	default:
		return gate.Field != nil && *gate.Field
	}
}

// explicitlyOff reports whether a person wrote that the gate is off.
func explicitlyOff(cr *hyperconverged.CR) bool {
	if cr.Gate.Field != nil {
		return !*cr.Gate.Field
	}
	return cr.Gate.List != nil && !cr.Gate.List.Enabled()
}

func gatePath(cr *hyperconverged.CR) hyperconverged.Path {
	if cr.Version == hyperconverged.V1 {
		return hyperconverged.Path{"spec", "workloadSources", hyperconverged.GateName}
	}
	return cr.Version.Paths().FeatureGates.Child(hyperconverged.GateName)
}
