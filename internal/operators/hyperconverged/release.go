package hyperconverged

import "github.com/goldenarch/goldenarch/api/v1alpha1"

// The minor versions of the HCO releases that introduced a rule.
const (
	firstBind      = 8  // the predefined templates request immediate binding
	firstMultiArch = 16 // the gate, and declared architectures in the table
	firstV1        = 18 // HCO serves v1, and sets defaults for retentionPolicy and importsToKeep
	firstField     = 19 // the gate is a v1 field
)

// Serves reports whether a release serves an API version. Releases serve v1 from 1.18 on.
func (v Version) Serves(release v1alpha1.Release) bool {
	return v != V1 || release.Since(firstV1)
}

// GateAt returns the gate that HCO of a release reads from the CR and passes to SSP; nil if
// it is not set. From 1.19 on it is always set, and false if it is off (hco
// controllers/handlers/ssp.go). In earlier releases it is the feature gate of the CR.
// Before 1.16 the gate does not exist.
func (cr *CR) GateAt(release v1alpha1.Release) *bool {
	switch {
	case release.Since(firstField):
		on := cr.Gate.On()
		return &on
	case !release.Since(firstMultiArch):
		return nil
	case cr.Version == V1beta1:
		// 1.19 introduced the annotation of v1-only fields, with its conversion.
		return cr.Gate.Field
	}
	// 1.18 has no v1 field, so it prunes the field. It compares the names of feature gates
	// case-sensitively (hco api/v1/featuregates).
	for _, gate := range cr.FeatureGates {
		if gate.Name == GateName {
			on := gate.Enabled()
			return &on
		}
	}
	// The conversion to v1beta1, on which HCO 1.18 works, sets each gate of v1beta1 (hco
	// api/v1beta1/zz_generated.featuregates_conversion.go).
	off := false
	return &off
}

// At returns the CR as HCO of a release reads it. The gate is where that release reads it.
func (cr *CR) At(release v1alpha1.Release) *CR {
	if release.Since(firstField) {
		return cr
	}
	out := *cr
	out.Gate = Gate{Field: cr.GateAt(release)}
	out.Unconvertible = nil
	return &out
}
