package cluster

import (
	"slices"

	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
)

// ValidatePlacement returns what HCO's webhook refuses of a placement: a
// required node affinity with an invalid term. An empty list and empty terms
// are valid there; they match no node (hco pkg/webhooks/validator).
func ValidatePlacement(p Placement) error {
	required := p.required()
	if required == nil {
		return nil
	}
	_, err := nodeaffinity.NewNodeSelector(required)
	return err //nolint:wrapcheck // HCO's own words
}

// labels returns the label keys that the placement asks for, sorted.
func (p Placement) labels() []string {
	var keys []string
	for key := range p.NodeSelector {
		keys = append(keys, key)
	}
	if required := p.required(); required != nil {
		for _, term := range required.NodeSelectorTerms {
			for _, expression := range term.MatchExpressions {
				keys = append(keys, expression.Key)
			}
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// fields reports whether the placement asks for fields of nodes, such as their
// names.
func (p Placement) fields() bool {
	required := p.required()
	if required == nil {
		return false
	}
	for _, term := range required.NodeSelectorTerms {
		if len(term.MatchFields) > 0 {
			return true
		}
	}
	return false
}
