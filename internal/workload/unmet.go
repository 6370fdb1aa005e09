package workload

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/workload/affinity"
)

// proofs describes the architectures of each image.
func (p *pod) proofs() string { return strings.Join(distinct(p.images), "; ") }

// unmet reports constraints that no node meets, and returns whether there are any. A pinned
// term may select an unknown node.
func (p *pod) unmet(ways []way) bool {
	var admitted arch.Set
	for _, w := range ways {
		if w.pinned {
			return false
		}
		switch {
		case w.conflict:
		case p.knowsNodes():
			admitted = admitted.Union(p.admitted(w))
		default:
			admitted = admitted.Union(eachArch().admitted(placementOf(w.selector, w.term)))
		}
	}
	if len(ways) == 0 || p.found.Failed() {
		return false // other findings report why no node fits: all terms are empty, or a name is wrong
	}
	all := p.Nodes.All()
	field := ways[0].field
	switch {
	case p.resolved && len(p.proven) > 0 && p.knowsNodes() && len(p.proven.Intersect(all)) == 0:
		p.add(finding.NoNodeFits, finding.Error, field,
			fmt.Sprintf("no node can run this pod: the nodes have %s, and on each of them it fails with \"exec format error\": %s", listed(all), p.proofs()),
			"use images that have an architecture of the cluster")
	case len(admitted) == 0 && p.knowsNodes():
		p.add(finding.NoNodeFits, finding.Error, field,
			fmt.Sprintf("no node meets the constraints of this pod%s: the nodes have %s", p.ofNamespace(ways), listed(all)),
			"correct the constraints, or what is stated of the nodes")
	case len(admitted) == 0:
		p.add(finding.NoNodeFits, finding.Error, field,
			"no node can meet the constraints of this pod"+p.ofNamespace(ways)+": they contradict each other", "correct one of them")
	default:
		return false
	}
	return true
}

// ofNamespace names the node selector of the namespace, if it counts.
func (p *pod) ofNamespace(ways []way) string {
	selector := p.Selectors[p.Object.Namespace]
	if len(selector.Labels) == 0 || len(ways) == 0 {
		return ""
	}
	if selector.FromScheduler {
		return fmt.Sprintf(" together with spec.defaultNodeSelector of the Scheduler %q, which the namespace %q does not override", "cluster", p.Object.Namespace)
	}
	return fmt.Sprintf(" together with the node selector of the namespace %q", p.Object.Namespace)
}

// checkTerms reports problems with the terms that do not depend on the images.
func (p *pod) checkTerms(c affinity.Constraints) {
	p.checkLabels(c)
	if c.Required == nil {
		return
	}
	if len(c.Required.NodeSelectorTerms) == 0 {
		p.add(finding.TermsMissing, finding.Error, strings.TrimSuffix(affinity.RequiredPath, ".nodeSelectorTerms"),
			"the required node affinity has no nodeSelectorTerms, and the API server refuses it", "add a term, or remove the field")
		return
	}
	for i, term := range c.Required.NodeSelectorTerms {
		if affinity.IsEmpty(term) {
			p.add(finding.TermEmpty, finding.Warning, fmt.Sprintf("%s[%d]", affinity.RequiredPath, i),
				"the term is empty and selects no node; goldenarch does not add to it, because it would then select some", "remove the term, or say what it is to select")
		}
	}
}
