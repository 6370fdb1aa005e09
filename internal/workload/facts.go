package workload

import (
	"slices"

	"github.com/goldenarch/goldenarch/internal/cluster"
)

// NodesFrom returns what node facts say of the nodes on which pods run. The facts that
// count most say it alone, as for HyperConverged. Pools count only if each declares its
// architecture, and taints do not count.
func NodesFrom(facts []cluster.Facts) Nodes {
	if len(facts) == 0 {
		return Nodes{}
	}
	class := slices.MinFunc(facts, func(a, b cluster.Facts) int { return int(a.Class) - int(b.Class) }).Class
	var out Nodes
	for _, f := range facts {
		if f.Class != class {
			continue
		}
		if !out.add(f) {
			return Nodes{}
		}
	}
	return out
}

// add adds the nodes of facts, and reports false where they leave open which
// architectures there are.
func (n *Nodes) add(f cluster.Facts) bool {
	n.Partly = append(n.Partly, NodesOf(f.Workload.Union(f.ControlPlane)).Partly...)
	for _, node := range f.Nodes {
		node = cluster.NodeOf(node)
		switch {
		case !node.IsLinux():
		case f.Class == cluster.Observed:
			n.Known = append(n.Known, node)
		default: // a person states the labels that matter
			n.Partly = append(n.Partly, node)
		}
	}
	for _, pool := range f.Pools {
		if pool.Architecture == "" {
			return false
		}
		n.Partly = append(n.Partly, pool.Node)
	}
	return true
}
