package hyperconverged

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/internal/yaml/shape"
)

// FeatureGate is an entry of the v1 list spec.featureGates. A missing state is
// Enabled (hco api/v1/featuregates).
type FeatureGate struct {
	Name  string  `json:"name"`
	State *string `json:"state,omitempty"`
}

// Enabled reports the state of the entry.
func (g FeatureGate) Enabled() bool { return g.State == nil || *g.State == StateOf(true) }

// StateOf returns the state of an entry that turns a feature on or off.
func StateOf(on bool) string {
	if on {
		return "Enabled"
	}
	return "Disabled"
}

// Gate is everything that a CR says about enableMultiArchBootImageImport. The API version
// and the release decide which part counts.
type Gate struct {
	// Field is the v1 field, or the v1beta1 feature gate; nil if unset.
	Field *bool
	// List is the entry of the v1 list of feature gates; nil if the list has no such entry.
	List *FeatureGate
	// Kept is the value of the v1 object that the annotation hco.kubevirt.io/v1-only-fields
	// of a v1beta1 object keeps; nil if it keeps no value.
	Kept *bool
}

// On reports whether HCO 1.19 and newer read the gate as on. The field wins, then the value
// that the annotation keeps, then the feature gate. Without any of them the gate is off
// (hco golden_images.go: IsMultiArchEnabled, api/v1beta1/conversion.go).
func (g Gate) On() bool {
	switch {
	case g.Field != nil:
		return *g.Field
	case g.Kept != nil:
		return *g.Kept
	default:
		return g.List != nil && g.List.Enabled()
	}
}

// ExplicitlyOff reports whether the CR explicitly turns the gate off. The field counts if
// it is set, otherwise the feature gate.
func (g Gate) ExplicitlyOff() bool {
	if g.Field != nil {
		return !*g.Field
	}
	return g.List != nil && !g.List.Enabled()
}

// IsStated reports whether the CR says anything about the gate.
func (g Gate) IsStated() bool { return g.Field != nil || g.List != nil || g.Kept != nil }

// Contradicts reports whether HCO's webhook refuses the CR because field and
// feature gate differ (hco hyperConvergedMutator.go, v1 only).
func (g Gate) Contradicts() bool {
	return g.Field != nil && g.List != nil && *g.Field != g.List.Enabled()
}

// FindGate returns the entry of a feature gate in a list. HCO compares names
// case-insensitively from 1.19 on.
func FindGate(list []FeatureGate, name string) *FeatureGate {
	for i := range list {
		if strings.EqualFold(list[i].Name, name) {
			return &list[i]
		}
	}
	return nil
}

// keptGate reads the annotation that a conversion from v1 leaves on a v1beta1
// object.
func keptGate(annotation string) (*bool, error) {
	var kept struct {
		MultiArchEnabled *bool         `json:"multiArchEnabled"`
		FeatureGates     []FeatureGate `json:"featureGates"`
	}
	if err := json.Unmarshal([]byte(annotation), &kept); err != nil {
		if faults := shape.Faults("", []byte(annotation), &kept); len(faults) > 0 {
			return nil, fmt.Errorf("unable to parse the %s annotation: %s %s", v1OnlyAnnotation, cmp.Or(faults[0].Path, "it"), faults[0].Text)
		}
		return nil, fmt.Errorf("unable to parse the %s annotation: %w", v1OnlyAnnotation, err)
	}
	if kept.MultiArchEnabled != nil {
		return kept.MultiArchEnabled, nil
	}
	if entry := FindGate(kept.FeatureGates, GateName); entry != nil {
		on := entry.Enabled()
		return &on, nil
	}
	return nil, nil
}
