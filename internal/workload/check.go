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
	if c.Required != nil && len(c.Required.NodeSelectorTerms) == 0 {
		return // reported
	}
	ways := p.ways(c, p.namespaceSelector().Labels)
	if p.unmet(c, ways) || p.Package != "" && p.checkOverride() {
		return
	}
	if !p.resolved || len(p.proven) == 0 {
		return
	}
	for _, w := range ways {
		p.checkWay(w, c.NodeName)
	}
	if len(own.Architectures) == 0 && len(ways) > 0 && !p.found.Failed() {
		p.checkNarrow(ways)
	}
}

// checkWay reports architectures that a way admits and the images lack. nodeName is the node
// that the pod names, "" for none.
func (p *pod) checkWay(w way, nodeName string) {
	admitted := p.admitted(w)
	lacking, severity := p.lacking(admitted)
	switch {
	case len(lacking) > 0 && nodeName != "":
		p.add(finding.ConstraintTooWide, severity, w.field,
			fmt.Sprintf("the node %q has %s, which the images of this pod lack: %s", nodeName, listed(lacking), p.proofs()),
			"name another node, or use other images")
	case len(lacking) > 0 && w.ofNamespace:
		p.add(finding.ConstraintTooWide, severity, w.field,
			fmt.Sprintf("%s admits nodes with %s, where %s: %s", p.namespaceSelector().in(p.Object.Namespace), listed(lacking), fails("this pod", severity), p.proofs()),
			p.namespaceSelector().advice(p.Object.Namespace)+", or use images that have "+listed(lacking))
	case len(lacking) > 0 && w.pinned:
		p.add(finding.ConstraintTooWide, severity, w.field,
			fmt.Sprintf("the term names a node with %s, where %s: %s", listed(lacking), fails("this pod", severity), p.proofs()),
			"name another node, or use images that have "+listed(lacking))
	case len(lacking) > 0 && w.constrained:
		f := p.add(finding.ConstraintTooWide, severity, w.field,
			fmt.Sprintf("the constraint admits nodes with %s, where %s: %s", listed(lacking), fails("this pod", severity), p.proofs()),
			fmt.Sprintf("remove %s from the constraint, or use images that have it", listed(lacking)))
		f.Proposed = p.proven.String()
		p.checkSingle(w)
	case len(lacking) > 0:
		f := p.add(finding.PodUnconstrained, severity, w.field,
			fmt.Sprintf("nothing keeps this pod from nodes with %s, where %s: %s", listed(lacking), fails("it", severity), p.proofs()),
			fmt.Sprintf("require %s In [%s], or let goldenarch write it: --workloads Affinity", affinity.ArchLabel, listed(p.proven)))
		f.Proposed = p.proven.String()
		p.causedBy(f, lacking)
	case p.knowsNodes() || p.found.Failed():
	case w.constrained:
	case w.term != nil && affinity.NamesArch(*w.term) && len(w.lacking(p.proven)) == 0:
		// NotIn excludes all architectures that the images lack.
	default:
		p.add(finding.PodUnconstrained, finding.Info, w.field, p.unconstrained(w)+": "+p.proofs(),
			"state the architectures of the nodes to check it: --workload-architectures or spec.clusterArchitectures")
	}
}

// unconstrained says that a pod may run on nodes of any architecture.
func (p *pod) unconstrained(w way) string {
	if w.term != nil && affinity.NamesArch(*w.term) {
		return fmt.Sprintf("Exists and NotIn list no architectures, so the term admits others too, and the pod runs on nodes with %s only", listed(p.proven))
	}
	return fmt.Sprintf("the pod has no architecture constraint and runs on nodes with %s only", listed(p.proven))
}

// lacking returns the admitted architectures that the images lack, and how bad that is: what
// is proven comes first.
func (p *pod) lacking(admitted arch.Set) (arch.Set, finding.Severity) {
	if len(p.sure) > 0 {
		if lacking := admitted.Minus(p.sure); len(lacking) > 0 {
			return lacking, finding.Error
		}
	}
	return admitted.Minus(p.proven), p.severity(false)
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
		if w.pinned {
			return
		}
		admitted = admitted.Union(NodesOf(counts).admitted(placementOf(w.selector, w.term)))
	}
	if omitted := counts.Minus(admitted); len(omitted) > 0 {
		p.add(finding.ConstraintNarrow, finding.Info, ways[0].field,
			fmt.Sprintf("the constraints omit %s, which all images of this pod have", listed(omitted)), "")
	}
}
