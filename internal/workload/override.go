package workload

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/workload/affinity"
)

// olm returns the release of OLM that reads the object.
func (p *pod) olm() olmVersion {
	if p.Object.Kind == "ClusterExtension" {
		return olmV1
	}
	return olmV0
}

// asOLMReads returns the constraints of an object as OLM reads them: OLM v1 takes a required
// node affinity without terms for an empty one, where the API server refuses it in a pod.
func (p *pod) asOLMReads(c affinity.Constraints) affinity.Constraints {
	if p.Package != "" && p.olm() == olmV1 && c.Required != nil && len(c.Required.NodeSelectorTerms) == 0 {
		c.Required = nil
	}
	return c
}

// configured returns what the object says about the nodes of the operator. What Kubernetes
// refuses in it is reported, or is about pods.
func (p *pod) configured() cluster.Placement {
	var out cluster.Placement
	affinity.Decode(p.Node, "nodeSelector", &out.NodeSelector)
	affinity.Decode(p.Node, "affinity", &out.Affinity)
	return out
}

// marker is what stands for the constraint that a ClusterServiceVersion brings.
const marker = "goldenarch.dev/operator"

// brought returns what a deployment of the ClusterServiceVersion says, if it constrains its
// pods in this way.
func brought(by v1alpha1.OperatorConstraint) cluster.Placement {
	var out cluster.Placement
	if by == v1alpha1.ConstrainedByNodeSelector || by == v1alpha1.ConstrainedByBoth {
		out.NodeSelector = map[string]string{marker: ""}
	}
	if by == v1alpha1.ConstrainedByAffinity || by == v1alpha1.ConstrainedByBoth {
		out.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
				MatchExpressions: []corev1.NodeSelectorRequirement{{Key: marker, Operator: corev1.NodeSelectorOpExists}},
			}}},
		}}
	}
	return out
}

// keeps reports whether a placement still has the constraint of the operator.
func keeps(p cluster.Placement) bool {
	_, selected := p.NodeSelector[marker]
	return selected || slices.ContainsFunc(requiredIn(p), func(term corev1.NodeSelectorTerm) bool {
		return len(term.MatchExpressions) > 0 && term.MatchExpressions[0].Key == marker
	})
}

func requiredIn(p cluster.Placement) []corev1.NodeSelectorTerm {
	if required := p.Required(); required != nil {
		return required.NodeSelectorTerms
	}
	return nil
}

// constrainedBy returns how the operator may constrain its pods, and whether
// the lock says so.
func (p *pod) constrainedBy() (kinds []v1alpha1.OperatorConstraint, locked bool) {
	versions := p.lockedVersions()
	for _, o := range versions {
		if len(o.ConstrainedBy) == 0 {
			versions = nil
			break
		}
		kinds = append(kinds, o.ConstrainedBy...)
	}
	if len(versions) == 0 {
		return []v1alpha1.OperatorConstraint{v1alpha1.ConstrainedByAffinity, v1alpha1.ConstrainedByNodeSelector}, false
	}
	slices.Sort(kinds)
	return slices.Compact(kinds), true
}

// ConstrainedBy returns how a deployment restricts its pods to architectures.
func ConstrainedBy(c affinity.Constraints, to arch.Set) v1alpha1.OperatorConstraint {
	selector := len(admittedOf(arch.NewSet(arch.All()...), affinity.Constraints{NodeSelector: c.NodeSelector}).Minus(to)) == 0
	terms := len(admittedOf(arch.NewSet(arch.All()...), affinity.Constraints{Required: c.Required}).Minus(to)) == 0
	switch {
	case selector && terms:
		return v1alpha1.ConstrainedByBoth
	case selector:
		return v1alpha1.ConstrainedByNodeSelector
	case terms:
		return v1alpha1.ConstrainedByAffinity
	}
	return v1alpha1.ConstrainedByNone
}

// checkOverride reports what the object takes away of the operator's constraint. It returns
// false if the operator brings no constraint, so that the object's own counts as a pod's
// does.
func (p *pod) checkOverride() bool {
	config := p.configured()
	kinds, locked := p.constrainedBy()
	bringsNone := locked && slices.Equal(kinds, []v1alpha1.OperatorConstraint{v1alpha1.ConstrainedByNone})
	what := p.overridden(config)
	reported := false
	for _, by := range kinds {
		after := p.olm().apply(brought(by), config)
		if by == v1alpha1.ConstrainedByNone || keeps(after) || reported {
			continue
		}
		p.checkLost(what[by], after, locked || by == v1alpha1.ConstrainedByAffinity)
		reported = true
	}
	if replaced := what[v1alpha1.ConstrainedByAffinity]; bringsNone && replaced.id == finding.AffinityReplaced {
		replaced.text = "this node affinity is the only one of the operator"
		p.checkLost(replaced, config, true)
		return true
	}
	if reported || bringsNone {
		return reported
	}
	if erasing := what[v1alpha1.ConstrainedByAffinity]; erasing.erases {
		p.add(finding.AffinityErased, finding.Info, erasing.field,
			erasing.text+". The operator constrains its pods otherwise, so they keep their nodes", "remove the field")
	}
	for _, w := range alternatives(constraintsIn(config), p.namespaceSelector().Labels) {
		if w.constrained && p.resolved {
			p.checkAlternative(w, "")
		}
	}
	return true
}

// overriding is a field that replaces, or erases, what the operator says.
type overriding struct {
	id          finding.ID // if the architectures of the operator are known
	field, text string
	erases      bool
}

// overridden returns the field that takes away each kind of constraint.
func (p *pod) overridden(config cluster.Placement) map[v1alpha1.OperatorConstraint]overriding {
	out := map[v1alpha1.OperatorConstraint]overriding{}
	switch a := config.Affinity; {
	case a == nil:
	case a.NodeAffinity == nil && a.PodAffinity == nil && a.PodAntiAffinity == nil:
		out[v1alpha1.ConstrainedByAffinity] = overriding{
			finding.AffinityErased, "affinity", "an empty affinity erases the whole affinity that the operator brings, its architectures too", true,
		}
	case p.olm() == olmV0 && a.PodAntiAffinity != nil && isEmpty(a.PodAntiAffinity):
		out[v1alpha1.ConstrainedByAffinity] = overriding{
			finding.AffinityErased, "affinity.podAntiAffinity", "an empty podAntiAffinity makes OLM erase the whole affinity, nodeAffinity too", true,
		}
	case a.NodeAffinity != nil && len(requiredIn(config))+len(a.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution) == 0:
		out[v1alpha1.ConstrainedByAffinity] = overriding{
			finding.AffinityErased, "affinity.nodeAffinity", "an empty nodeAffinity erases the one that the operator brings", true,
		}
	case a.NodeAffinity != nil:
		out[v1alpha1.ConstrainedByAffinity] = overriding{
			finding.AffinityReplaced, "affinity.nodeAffinity", "this node affinity replaces the one of the operator", false,
		}
	}
	out[v1alpha1.ConstrainedByBoth] = out[v1alpha1.ConstrainedByAffinity]
	switch {
	case config.NodeSelector == nil:
	case len(config.NodeSelector) == 0:
		out[v1alpha1.ConstrainedByNodeSelector] = overriding{
			finding.SelectorReplaced, "nodeSelector", "an empty nodeSelector erases the one that the operator brings", true,
		}
	default:
		out[v1alpha1.ConstrainedByNodeSelector] = overriding{finding.SelectorReplaced, "nodeSelector", "this nodeSelector replaces the one of the operator", false}
	}
	return out
}

func isEmpty(a *corev1.PodAntiAffinity) bool {
	return a.RequiredDuringSchedulingIgnoredDuringExecution == nil && a.PreferredDuringSchedulingIgnoredDuringExecution == nil
}

// constraintsIn returns a placement as the constraints of a pod.
func constraintsIn(of cluster.Placement) affinity.Constraints {
	c := affinity.Constraints{NodeSelector: of.NodeSelector}
	if terms := requiredIn(of); len(terms) > 0 {
		c.Required = &corev1.NodeSelector{NodeSelectorTerms: terms}
	}
	return c
}

// checkLost reports the loss of the operator's constraint: an error if the operator lacks an
// architecture of the nodes that are left, a warning if nothing says so, and an info if it
// has all of them. certain says that the operator is known to bring what is lost; most bring
// a node affinity.
func (p *pod) checkLost(what overriding, after cluster.Placement, certain bool) {
	c := constraintsIn(after)
	for _, w := range alternatives(c, p.namespaceSelector().Labels) {
		field := what.field
		if what.id == finding.AffinityReplaced && w.field != "" {
			field = w.field
		}
		admitted := p.admitted(w)
		lacking := admitted.Minus(p.proven)
		open := !w.constrained
		switch {
		case p.resolved && len(lacking) > 0 && !open:
			p.checkAlternative(w, "")
		case p.resolved && len(lacking) > 0 && !certain:
			p.add(what.id, finding.Warning, field,
				fmt.Sprintf("%s. Nothing says whether that one restricts the architectures, and nodes with %s are left: %s", what.text, listed(lacking), p.proofs()),
				"lock the bundle of the operator to know it: goldenarch lock. Or "+p.restoring(what, c))
		case p.resolved && len(lacking) > 0:
			p.add(what.id, finding.Error, field, fmt.Sprintf("%s, and admits nodes with %s: %s", what.text, listed(lacking), p.proofs()), p.restoring(what, c))
		case p.resolved && open && !p.knowsNodes():
			p.add(what.id, finding.Warning, field, what.text+". Nothing says which architectures the nodes have, and "+p.proofs(),
				p.restoring(what, c)+". Or state the architectures of the nodes: --workload-architectures")
		case p.resolved && open:
			p.add(what.id, finding.Info, field, fmt.Sprintf("%s. Nothing is at stake: the nodes have %s, and %s", what.text, listed(admitted), p.proofs()), "")
		case p.resolved:
			continue
		case p.knowsNodes() && len(admitted) < 2 && open:
			p.add(what.unknown(), finding.Info, field, fmt.Sprintf("%s. Nothing is at stake: all nodes that are left have %s", what.text, listed(admitted)), "")
		case open:
			p.addUnknown(what, finding.Warning, field, w)
		case len(admitted) > 1:
			p.addUnknown(what, finding.Info, field, w)
		default:
			continue
		}
		return
	}
}

// unknown is the id where nothing proves what the operator has.
func (o overriding) unknown() finding.ID {
	if o.id == finding.AffinityReplaced {
		return finding.OperatorUnknown
	}
	return o.id
}

// addUnknown reports that nothing proves which architectures the operator has.
func (p *pod) addUnknown(what overriding, severity finding.Severity, field string, w alternative) {
	admits := ", and admits nodes of any architecture"
	example := "amd64"
	if admitted := p.admitted(w); len(admitted) > 0 {
		admits, example = ", and admits nodes with "+listed(admitted), string(admitted[0])
	}
	do := fmt.Sprintf("state them, spec.operators: {%s: [%s]}, or lock its bundle: goldenarch lock", p.Package, example)
	if what.erases {
		do = "remove the field, or " + do
	}
	p.add(what.unknown(), severity, field, fmt.Sprintf("%s%s. Nothing proves which architectures the operator %q has, so goldenarch cannot check it",
		what.text, admits, p.Package), do)
}

// restoring says how to get the constraint of the operator back.
func (p *pod) restoring(what overriding, c affinity.Constraints) string {
	requirement := fmt.Sprintf("%s In [%s]", affinity.ArchLabel, listed(p.proven))
	switch {
	case what.erases:
		return "remove the field"
	case what.id == finding.SelectorReplaced:
		return "require " + requirement + " in a node affinity beside it, or remove the field"
	case c.Required != nil:
		return "add " + requirement + " to each term"
	}
	return "require " + requirement + " in the node affinity, or remove it"
}
