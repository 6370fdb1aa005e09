package workload

import (
	"fmt"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/workload/affinity"
)

func (p *pod) knowsNodes() bool { return len(p.Nodes.Known)+len(p.Nodes.Partly) > 0 }

// check reports problems with the constraints of a pod, given the architectures of its
// images. own is the part of the constraints that goldenarch wrote.
func (p *pod) check(c affinity.Constraints, own affinity.Record) {
	if c.NodeName != "" {
		p.checkNode(c.NodeName)
		return
	}
	if c.Required != nil && len(c.Required.NodeSelectorTerms) == 0 {
		return // reported
	}
	ways := p.ways(c)
	if p.unmet(ways) {
		return
	}
	if !p.resolved || len(p.proven) == 0 {
		p.checkUnknown(ways)
		return
	}
	for _, w := range ways {
		p.checkWay(w)
	}
	if len(own.Architectures) == 0 && len(ways) > 0 && !p.found.Failed() {
		p.checkNarrow(ways)
	}
}

// checkNode checks a pod that names its node.
func (p *pod) checkNode(name string) {
	for _, node := range p.Nodes.Known {
		if node.Name == name && p.resolved && !p.proven.Contains(node.Architecture) {
			p.add(finding.ConstraintTooWide, finding.Error, "nodeName",
				fmt.Sprintf("the node %q has %s, which the images of this pod lack: %s", name, node.Architecture, p.proofs()),
				"name another node, or use other images")
			return
		}
	}
}

// checkWay reports architectures that a way admits and the images lack.
func (p *pod) checkWay(w way) {
	lacking := p.admitted(w).Minus(p.proven)
	switch {
	case len(lacking) > 0 && w.constrained:
		f := p.add(finding.ConstraintTooWide, finding.Error, w.field,
			fmt.Sprintf("the constraint admits nodes with %s, where this pod fails with \"exec format error\": %s", listed(lacking), p.proofs()),
			fmt.Sprintf("remove %s from the constraint, or use images that have it", listed(lacking)))
		f.Proposed = p.proven.String()
		p.checkSingle(w)
	case len(lacking) > 0:
		if p.Package != "" {
			p.add(finding.AffinityReplaced, finding.Error, w.field,
				fmt.Sprintf("this node affinity replaces the one of the operator, and admits nodes with %s: %s", listed(lacking), p.proofs()),
				fmt.Sprintf("add %s In [%s] to each term", affinity.ArchLabel, listed(p.proven)))
			return
		}
		f := p.add(finding.PodUnconstrained, finding.Error, w.field,
			fmt.Sprintf("nothing keeps this pod from nodes with %s, where it fails with \"exec format error\": %s", listed(lacking), p.proofs()),
			fmt.Sprintf("require %s In [%s], or let goldenarch write it: --workloads Affinity", affinity.ArchLabel, listed(p.proven)))
		f.Proposed = p.proven.String()
	case !w.constrained && !p.knowsNodes() && !p.found.Failed():
		p.add(finding.PodUnconstrained, finding.Info, w.field,
			fmt.Sprintf("the pod has no architecture constraint and runs on nodes with %s only: %s", listed(p.proven), p.proofs()),
			"state the architectures of the nodes to check it: --workload-architectures or spec.clusterArchitectures")
	}
}

// checkSingle reports images that are not an index, if a constraint names several
// architectures.
func (p *pod) checkSingle(w way) {
	if len(w.names()) < 2 {
		return
	}
	for _, image := range distinct(p.single) {
		p.add(finding.NotAnIndex, finding.Warning, w.field,
			fmt.Sprintf("the constraint names %s, but %q is the image of one architecture and not an index", listed(w.names()), image),
			"push an index that has all of them")
	}
}

// checkNarrow reports architectures that the images have and a person's constraints omit.
// It ignores the other constraints on nodes.
func (p *pod) checkNarrow(ways []way) {
	counts := p.wanted
	if p.knowsNodes() {
		counts = counts.Intersect(p.Nodes.All())
	}
	var admitted arch.Set
	for _, w := range ways {
		if !w.constrained || w.pinned {
			return
		}
		admitted = admitted.Union(NodesOf(counts).admitted(placementOf(w.selector, w.term)))
	}
	if omitted := counts.Minus(admitted); len(omitted) > 0 {
		p.add(finding.ConstraintNarrow, finding.Info, ways[0].field,
			fmt.Sprintf("the constraints omit %s, which all images of this pod have", listed(omitted)), "")
	}
}
