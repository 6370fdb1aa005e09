package cluster

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
)

// verdict says whether a partly known node is a workload node. If that depends on
// something unknown, asks names it.
type verdict struct {
	certainty    certainty
	unknownField string
}

// certainty is no, maybe or yes, in ascending order.
type certainty int

const (
	no certainty = iota
	maybe
	yes
)

// nameField is the only field of a node that a placement can select by.
const nameField = "metadata.name"

func verdictOf(is bool) verdict {
	if is {
		return verdict{certainty: yes}
	}
	return verdict{certainty: no}
}

// and combines two conditions that must both be true.
func (v verdict) and(w verdict) verdict {
	if w.certainty < v.certainty {
		return w
	}
	return v
}

// or combines two conditions of which one must be true.
func (v verdict) or(w verdict) verdict {
	if w.certainty > v.certainty {
		return w
	}
	return v
}

// glimpse is a partly known node. In addition to its labels it may have those for which
// unknown returns true. Its name is not known if it is "".
type glimpse struct {
	Node
	unknown func(label string) bool
}

// judge predicts what [Workload] would decide for the complete node. It says no or yes
// only if that is true whatever the unknown labels and name are.
func (p Placement) judge(g glimpse) verdict {
	if !p.selects() {
		return g.label(workerLabel, func() bool { return g.has(workerLabel) })
	}
	v := verdict{certainty: yes}
	for _, key := range slices.Sorted(maps.Keys(p.NodeSelector)) {
		value := p.NodeSelector[key]
		v = v.and(g.label(key, func() bool { return g.has(key) && g.Labels[key] == value }))
	}
	required := p.required()
	if required == nil {
		return v
	}
	terms := verdict{certainty: no}
	for _, term := range required.NodeSelectorTerms {
		terms = terms.or(g.term(term))
	}
	return v.and(terms)
}

// term judges a term. All of its conditions must be true. An empty or invalid term
// never matches.
func (g glimpse) term(term corev1.NodeSelectorTerm) verdict {
	if _, err := selector(term); err != nil || len(term.MatchExpressions)+len(term.MatchFields) == 0 {
		return verdict{certainty: no}
	}
	v := verdict{certainty: yes}
	for _, e := range term.MatchExpressions {
		one := corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{e}}
		v = v.and(g.label(e.Key, func() bool { return g.matches(one) }))
	}
	for _, e := range term.MatchFields {
		one := corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{e}}
		if e.Key == nameField && g.Name == "" {
			v = v.and(verdict{maybe, nameField})
		} else {
			v = v.and(verdictOf(g.matches(one)))
		}
	}
	return v
}

// label judges a condition on a label, if the label is known.
func (g glimpse) label(key string, holds func() bool) verdict {
	if !g.has(key) && g.unknown(key) {
		return verdict{maybe, key}
	}
	return verdictOf(holds())
}

// matches judges a fully known term with HCO's library.
func (g glimpse) matches(term corev1.NodeSelectorTerm) bool {
	s, err := selector(term)
	if err != nil {
		return false
	}
	// The library skips the field conditions of a node without a name.
	return s.Match(kubernetesNode(cmp.Or(g.Name, "unknown"), g.Labels))
}

func selector(term corev1.NodeSelectorTerm) (*nodeaffinity.NodeSelector, error) {
	return nodeaffinity.NewNodeSelector(&corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{term}})
}
