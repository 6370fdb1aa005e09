package workload

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/workload/affinity"
)

// way is one of the ways in which a node can meet the constraints of a pod: the
// nodeSelector together with one of the terms.
type way struct {
	field       string
	selector    map[string]string
	term        *corev1.NodeSelectorTerm
	constrained bool // whether it restricts the architecture
	pinned      bool
	// conflict says that the pod and its namespace require different values of one label.
	conflict bool
}

// ways returns the ways of a pod. Without terms, the nodeSelector is the only way.
func (p *pod) ways(c affinity.Constraints) []way {
	selector := map[string]string{}
	maps.Copy(selector, c.NodeSelector)
	base := way{selector: selector, field: "nodeSelector"}
	for key, value := range p.Selectors[p.Object.Namespace] {
		if own, is := selector[key]; is && own != value {
			base.conflict = true
		}
		selector[key] = value
	}
	base.constrained = hasArch(selector)
	if !c.HasArchSelector() && !base.conflict {
		base.field = ""
	}
	if c.Required == nil {
		return []way{base}
	}
	var out []way
	for i, term := range c.Required.NodeSelectorTerms {
		if affinity.IsEmpty(term) {
			continue
		}
		w := base
		w.term, w.pinned = &term, affinity.IsPinned(term)
		w.constrained = base.constrained || w.pinned || affinity.NamesArch(term)
		if base.field == "" || affinity.NamesArch(term) {
			w.field = fmt.Sprintf("%s[%d]", affinity.RequiredPath, i)
		}
		out = append(out, w)
	}
	return out
}

func hasArch(selector map[string]string) bool {
	for key := range selector {
		if affinity.IsArch(key) {
			return true
		}
	}
	return false
}

// admitted returns the architectures of the nodes that a way admits. If no nodes are known,
// it returns the architectures that the way names.
func (p *pod) admitted(w way) arch.Set {
	placement := placementOf(w.selector, w.term)
	switch {
	case w.conflict:
		return nil
	case w.pinned:
		return p.Nodes.named().admitted(placement)
	case p.knowsNodes():
		return p.Nodes.admitted(placement)
	case w.constrained:
		return NodesOf(w.names()).admitted(placement)
	}
	return nil
}

func (p *pod) knowsNodes() bool { return len(p.Nodes.Known)+len(p.Nodes.Partly) > 0 }

// names returns the architectures that a way names. An architecture that no node has admits
// no node.
func (w way) names() arch.Set {
	var list []arch.Arch
	for key, value := range w.selector {
		if affinity.IsArch(key) {
			list = append(list, arch.Arch(value))
		}
	}
	if w.term != nil {
		for _, e := range w.term.MatchExpressions {
			for _, value := range e.Values {
				if affinity.IsArch(e.Key) && e.Operator == corev1.NodeSelectorOpIn {
					list = append(list, arch.Arch(value))
				}
			}
		}
	}
	return arch.NewSet(slices.DeleteFunc(list, func(a arch.Arch) bool { return !arch.Known(a) })...)
}

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
	if p.unmet(ways) || !p.resolved || len(p.proven) == 0 {
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
