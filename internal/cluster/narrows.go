package cluster

import (
	"maps"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/goldenarch/goldenarch/internal/arch"
)

// SameNodes reports whether two placements select the same nodes, as far as their text
// shows it.
func (p Placement) SameNodes(other Placement) bool {
	if !p.selects() || !other.selects() {
		return p.selects() == other.selects()
	}
	return maps.Equal(p.NodeSelector, other.NodeSelector) && reflect.DeepEqual(p.required(), other.required())
}

// Narrows reports whether a placement selects only nodes that the other one selects
// too. It returns false if the text of the two does not show it.
//
// has are the architectures of all known nodes. A placement that selects only by
// architecture is no narrower than an empty one if it selects an architecture that no
// worker has.
func (p Placement) Narrows(other Placement, workload, has arch.Set) bool {
	if !other.selects() {
		if !p.selects() || p.implies(corev1.NodeSelectorRequirement{Key: workerLabel, Operator: corev1.NodeSelectorOpExists}) {
			return true
		}
		beyond, _ := p.Matchable(has.Minus(workload))
		return p.onlyArchitectures() && len(beyond) == 0
	}
	for key, value := range other.NodeSelector {
		if !p.implies(corev1.NodeSelectorRequirement{Key: key, Operator: corev1.NodeSelectorOpIn, Values: []string{value}}) {
			return false
		}
	}
	if other.required() == nil {
		return p.selects()
	}
	return p.required() != nil && !slices.ContainsFunc(p.required().NodeSelectorTerms, func(term corev1.NodeSelectorTerm) bool {
		return !slices.ContainsFunc(other.required().NodeSelectorTerms, func(o corev1.NodeSelectorTerm) bool { return p.termImplies(term, o) })
	})
}

// implies reports whether each node that the placement selects meets a condition.
func (p Placement) implies(want corev1.NodeSelectorRequirement) bool {
	if value, ok := p.NodeSelector[want.Key]; ok && within(want, corev1.NodeSelectorRequirement{
		Key: want.Key, Operator: corev1.NodeSelectorOpIn, Values: []string{value},
	}) {
		return true
	}
	required := p.required()
	return required != nil && !slices.ContainsFunc(required.NodeSelectorTerms, func(term corev1.NodeSelectorTerm) bool {
		return !slices.ContainsFunc(term.MatchExpressions, func(e corev1.NodeSelectorRequirement) bool { return within(want, e) })
	})
}

// termImplies reports whether a node that matches a term and the node selector also
// matches another term.
func (p Placement) termImplies(term, other corev1.NodeSelectorTerm) bool {
	if len(other.MatchExpressions)+len(other.MatchFields) == 0 {
		return false // an empty term matches no node
	}
	sole := p
	sole.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{term}},
	}}
	for _, e := range other.MatchExpressions {
		if !sole.implies(e) {
			return false
		}
	}
	for _, e := range other.MatchFields {
		if !slices.ContainsFunc(term.MatchFields, func(f corev1.NodeSelectorRequirement) bool { return within(e, f) }) {
			return false
		}
	}
	return true
}

// within reports whether a condition is at least as narrow as another one.
func within(want, e corev1.NodeSelectorRequirement) bool {
	if want.Key != e.Key {
		return false
	}
	all := func(of, in []string) bool {
		return !slices.ContainsFunc(of, func(s string) bool { return !slices.Contains(in, s) })
	}
	switch {
	case want.Operator == corev1.NodeSelectorOpIn && e.Operator == corev1.NodeSelectorOpIn:
		return all(e.Values, want.Values)
	case want.Operator == corev1.NodeSelectorOpNotIn && e.Operator == corev1.NodeSelectorOpNotIn:
		return all(want.Values, e.Values)
	case want.Operator == corev1.NodeSelectorOpExists:
		return e.Operator == corev1.NodeSelectorOpExists || e.Operator == corev1.NodeSelectorOpIn ||
			e.Operator == corev1.NodeSelectorOpGt || e.Operator == corev1.NodeSelectorOpLt
	default:
		return reflect.DeepEqual(want, e)
	}
}

// onlyArchitectures reports whether the placement selects by nothing but architecture,
// which each node has.
func (p Placement) onlyArchitectures() bool { return len(p.OtherLabels()) == 0 }

// OtherLabels returns the labels and fields that the placement selects by, except the
// architecture, sorted.
func (p Placement) OtherLabels() []string {
	keys := slices.Collect(maps.Keys(p.NodeSelector))
	if required := p.required(); required != nil {
		for _, term := range required.NodeSelectorTerms {
			for _, e := range slices.Concat(term.MatchExpressions, term.MatchFields) {
				keys = append(keys, e.Key)
			}
		}
	}
	keys = slices.DeleteFunc(keys, func(key string) bool { return key == archLabel || key == betaArchLabel })
	slices.Sort(keys)
	return slices.Compact(keys)
}
