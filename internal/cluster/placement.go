package cluster

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// Placement says on which nodes workloads run.
type Placement struct {
	NodeSelector map[string]string
	Affinity     *corev1.Affinity
}

// ValidatePlacement returns HCO's error for a placement: its webhook refuses a required
// node affinity with an invalid term. An empty list and empty terms are valid there,
// and match no node (hco pkg/webhooks/validator).
func ValidatePlacement(p Placement) error {
	required := p.Required()
	if required == nil {
		return nil
	}
	_, err := nodeaffinity.NewNodeSelector(required)
	return err
}

// WithoutInvalid returns the placement without the terms that are invalid, such as Gt with a value that is
// no label value: they match no node.
func (p Placement) WithoutInvalid() Placement {
	required := p.Required()
	if ValidatePlacement(p) == nil {
		return p
	}
	affinity, node := *p.Affinity, *p.Affinity.NodeAffinity
	node.RequiredDuringSchedulingIgnoredDuringExecution = &corev1.NodeSelector{
		NodeSelectorTerms: slices.DeleteFunc(slices.Clone(required.NodeSelectorTerms), func(term corev1.NodeSelectorTerm) bool {
			_, err := nodeaffinity.NewNodeSelector(&corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{term}})
			return err != nil
		}),
	}
	affinity.NodeAffinity = &node
	return Placement{NodeSelector: p.NodeSelector, Affinity: &affinity}
}

// Required returns the terms of which a node must match one; nil without a required node
// affinity.
func (p Placement) Required() *corev1.NodeSelector {
	if p.Affinity == nil || p.Affinity.NodeAffinity == nil {
		return nil
	}
	return p.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
}

// selects reports whether the placement has a condition that HCO evaluates. HCO ignores
// taints, preferences and pod affinity (hco nodeinfo/architectures.go:
// hasWorkloadRequirements).
func (p Placement) selects() bool { return len(p.NodeSelector) > 0 || p.Required() != nil }

// SameNodes reports whether two placements select the same nodes, as far as their text
// shows it.
func (p Placement) SameNodes(other Placement) bool {
	if !p.selects() || !other.selects() {
		return p.selects() == other.selects()
	}
	return maps.Equal(p.NodeSelector, other.NodeSelector) && reflect.DeepEqual(p.Required(), other.Required())
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
		return len(p.OtherLabels()) == 0 && len(beyond) == 0
	}
	for key, value := range other.NodeSelector {
		if !p.implies(corev1.NodeSelectorRequirement{Key: key, Operator: corev1.NodeSelectorOpIn, Values: []string{value}}) {
			return false
		}
	}
	if other.Required() == nil {
		return p.selects()
	}
	return p.Required() != nil && !slices.ContainsFunc(p.Required().NodeSelectorTerms, func(term corev1.NodeSelectorTerm) bool {
		return !slices.ContainsFunc(other.Required().NodeSelectorTerms, func(o corev1.NodeSelectorTerm) bool { return p.termImplies(term, o) })
	})
}

// implies reports whether each node that the placement selects meets a condition.
func (p Placement) implies(want corev1.NodeSelectorRequirement) bool {
	if value, ok := p.NodeSelector[want.Key]; ok && within(want, corev1.NodeSelectorRequirement{
		Key: want.Key, Operator: corev1.NodeSelectorOpIn, Values: []string{value},
	}) {
		return true
	}
	required := p.Required()
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

// OtherLabels returns the labels and fields that the placement selects by, except the
// architecture, sorted.
func (p Placement) OtherLabels() []string {
	keys := slices.Collect(maps.Keys(p.NodeSelector))
	if required := p.Required(); required != nil {
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

// betaArchLabel is the older label for the architecture. A kubelet sets it to
// the same value as the newer one, or not at all.
const betaArchLabel = "beta." + archLabel

// Matchable splits architectures by the placement. A node of a matchable one can be a
// workload node. A node of an unmatchable one never can, whatever its name and its
// other labels are.
//
// Use it for architectures that are stated without nodes. HCO applies the placement to
// nodes before it collects their architectures (hco nodeinfo/architectures.go), so it
// never sees an unmatchable one.
func (p Placement) Matchable(stated arch.Set) (matchable, unmatchable arch.Set) {
	for _, a := range stated {
		if p.canMatch(a) {
			matchable = append(matchable, a)
		} else {
			unmatchable = append(unmatchable, a)
		}
	}
	return matchable, unmatchable
}

// canMatch reports whether a node of an architecture can be a workload node, if nothing
// else about it is known.
func (p Placement) canMatch(a arch.Arch) bool {
	unknown := func(label string) bool { return label != archLabel && label != betaArchLabel }
	newer := Node{Architecture: a, Labels: map[string]string{archLabel: string(a)}}
	older := Node{Architecture: a, Labels: map[string]string{archLabel: string(a), betaArchLabel: string(a)}}
	return p.judge(glimpse{newer, unknown}).certainty != no || p.judge(glimpse{older, unknown}).certainty != no
}

// narrowedTo returns the answer without the architectures that the placement rules out,
// and reports them. It does not report the others if a single architecture is set:
// [Decide] checks that one itself.
func (a answer) narrowedTo(p Placement, single arch.Arch) answer {
	if a.source == "" {
		return a
	}
	kept, dropped := p.Matchable(a.set)
	if single != "" {
		a.set = arch.NewSet(append(kept, a.set.Intersect(arch.NewSet(single))...)...)
		return a
	}
	if len(dropped) > 0 {
		a.problems = append(slices.Clip(a.problems), unmatchableStated(a, p, kept, dropped))
	}
	a.set = kept
	return a
}

// statedInConfig is the source name of facts from the configuration, or from a flag
// that overrides it.
const statedInConfig = "spec.cluster"

func unmatchableStated(a answer, p Placement, kept, dropped arch.Set) finding.Finding {
	f := finding.Finding{ID: finding.StatedUnmatchable, Severity: finding.Warning}
	f.Text = fmt.Sprintf("%s states that workload nodes have %s, but the workload placement of the CR%s matches no node of %s. "+
		"HCO does not count such nodes, so goldenarch counts only %s",
		a.source, a.set, p.aboutArchitectures(), dropped, kept)
	place := a.source
	if place == statedInConfig {
		place += " (or --workload-architectures)"
	}
	f.Do = fmt.Sprintf("remove %s from %s, or correct the placement", dropped, place)
	if len(kept) == 0 {
		f.Severity = finding.Error
		f.Text = fmt.Sprintf("%s states that workload nodes have %s, but the workload placement of the CR%s matches no node of these "+
			"architectures, so HCO sees no workload architecture",
			a.source, a.set, p.aboutArchitectures())
		f.Do = "correct one of them"
	}
	return f
}

// aboutArchitectures returns the placement's conditions on the architecture in
// brackets, after a blank. It returns "" if the placement has no such condition.
func (p Placement) aboutArchitectures() string {
	var list []string
	for _, key := range []string{archLabel, betaArchLabel} {
		if value, ok := p.NodeSelector[key]; ok {
			list = append(list, fmt.Sprintf("nodeSelector %s=%s", key, value))
		}
	}
	if required := p.Required(); required != nil {
		for _, term := range required.NodeSelectorTerms {
			for _, e := range term.MatchExpressions {
				if e.Key == archLabel || e.Key == betaArchLabel {
					list = append(list, condition(e))
				}
			}
		}
	}
	if len(list) == 0 {
		return ""
	}
	return " (" + shortened(list) + ")"
}

func condition(e corev1.NodeSelectorRequirement) string {
	if len(e.Values) == 0 {
		return fmt.Sprintf("%s %s", e.Key, e.Operator)
	}
	return fmt.Sprintf("%s %s [%s]", e.Key, e.Operator, strings.Join(e.Values, " "))
}

// verdict says whether a partly known node is a workload node. If that depends on
// something unknown, unknownField names it.
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

func verdictOf(ok bool) verdict {
	if ok {
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

// judge predicts what HCO would decide for the complete node. It says no or yes
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
	required := p.Required()
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

// restrictedTo returns a placement that selects those of this placement's nodes that
// have one architecture. HCO evaluates labels there, not the architecture in the node's
// status.
func (p Placement) restrictedTo(a arch.Arch) Placement {
	only := corev1.NodeSelectorRequirement{Key: archLabel, Operator: corev1.NodeSelectorOpIn, Values: []string{string(a)}}
	required := p.Required().DeepCopy()
	if required == nil {
		required = &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{}}}
		if !p.selects() {
			worker := corev1.NodeSelectorRequirement{Key: workerLabel, Operator: corev1.NodeSelectorOpExists}
			required.NodeSelectorTerms[0].MatchExpressions = []corev1.NodeSelectorRequirement{worker}
		}
		required.NodeSelectorTerms[0].MatchExpressions = append(required.NodeSelectorTerms[0].MatchExpressions, only)
	} else {
		for i := range required.NodeSelectorTerms {
			term := &required.NodeSelectorTerms[i]
			if len(term.MatchExpressions)+len(term.MatchFields) > 0 { // an empty term matches no node
				term.MatchExpressions = append(term.MatchExpressions, only)
			}
		}
	}
	return Placement{
		NodeSelector: maps.Clone(p.NodeSelector),
		Affinity:     &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: required}},
	}
}

// refusedSingle reports an architecture to which the workload placement cannot be
// restricted, because no node of it would remain. These are the known nodes, or any
// nodes if only architectures are stated.
func refusedSingle(facts []Facts, p Placement, single arch.Arch) finding.List {
	restricted := p.restrictedTo(single)
	f := finding.Finding{ID: finding.SingleArchitecture, Severity: finding.Error}
	if !restricted.canMatch(single) {
		f.Text = fmt.Sprintf("spec.singleArchitecture is %s, but the workload placement of the CR matches no node of that architecture", single)
		f.Do = "correct one of them"
		return finding.List{f}
	}
	// What is uncertain with the restricted placement was uncertain before.
	if left, _ := highest("workload", workloadAnswers(facts, restricted, single)); !left.partial && !left.set.Contains(single) {
		f.Text = fmt.Sprintf("spec.singleArchitecture is %s, but no workload node of that architecture has the label %s=%s, which the placement uses",
			single, archLabel, single)
		f.Do = "add the label to the nodes, as the kubelet does"
		return finding.List{f}
	}
	return nil
}

// CanLand reports whether a pod with this placement can run on a node. If allLabels is
// false, it reports whether a node that has these labels among others can exist.
//
// It differs from what HCO does: if a placement selects nothing, HCO takes the nodes with
// the worker label, and the scheduler takes any node.
func (p Placement) CanLand(n Node, allLabels bool) bool {
	if !p.selects() {
		return true
	}
	// If the name of a node is not known, the value of its hostname label is not known
	// either.
	unknown := func(label string) bool { return !allLabels || n.Name == "" && label == hostnameLabel }
	return p.judge(glimpse{n, unknown}).certainty != no
}

// NodeOf returns a node with its own labels and those that every kubelet sets
// (pkg/kubelet/kubelet_node_status.go: initialNode).
func NodeOf(n Node) Node {
	count := n.Count
	n = newNode(n.Name, n.Architecture, n.Labels)
	n.Count = count
	return n
}

// IsLinux reports whether a node runs Linux. It does if nothing names another system.
func (n Node) IsLinux() bool {
	system, ok := n.Labels[osLabel]
	return !ok || system == "linux"
}
