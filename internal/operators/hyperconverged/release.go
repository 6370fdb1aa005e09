package hyperconverged

import "github.com/goldenarch/goldenarch/api/v1alpha1"

// The releases of HCO, by their minor, from which a rule holds.
const (
	firstBind      = 8  // the predefined templates ask for immediate binding
	firstMultiArch = 16 // the gate, and claims in the table
	firstV1        = 18 // v1 is served, and retentionPolicy and importsToKeep are defaulted
	firstField     = 19 // the gate is a v1 field
)

// Serves reports whether a release serves an API version: v1 from 1.18 on.
func (v Version) Serves(release v1alpha1.Release) bool {
	return v != V1 || release.Since(firstV1)
}

// GateAt returns what HCO of a release takes from the CR for the gate, and
// hands on to SSP; nil if it is not set. From 1.19 on it is always set: off is
// off (hco controllers/handlers/ssp.go). Before, it is what the CR says of the
// feature gate, and before 1.16 there is no gate.
func (cr *CR) GateAt(release v1alpha1.Release) *bool {
	switch {
	case release.Since(firstField):
		on := cr.Gate.On()
		return &on
	case !release.Since(firstMultiArch):
		return nil
	case cr.Version == V1beta1:
		// The annotation of v1-only fields came with the conversion of 1.19.
		return cr.Gate.Field
	}
	// 1.18 has no v1 field, so that it is pruned, and compares the names of
	// feature gates with case (hco api/v1/featuregates).
	for _, gate := range cr.FeatureGates {
		if gate.Name == GateName {
			on := gate.Enabled()
			return &on
		}
	}
	return nil
}

// At returns the CR as HCO of a release reads it: with the gate where that
// release looks for it.
func (cr *CR) At(release v1alpha1.Release) *CR {
	if release.Since(firstField) {
		return cr
	}
	out := *cr
	out.Gate = Gate{Field: cr.GateAt(release)}
	out.Unconvertible = nil
	return &out
}
