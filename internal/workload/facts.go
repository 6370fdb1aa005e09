package workload

import (
	"slices"

	"github.com/goldenarch/goldenarch/internal/cluster"
)

// NodesFrom returns the nodes on which pods run, from node facts. Only the facts with the
// highest precedence count, as for HyperConverged. Pools count only if each declares its
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

// add adds the nodes of facts. It returns false if the facts do not determine the
// architectures.
func (n *Nodes) add(f cluster.Facts) bool {
	n.Partly = append(n.Partly, NodesOf(f.Workload.Union(f.ControlPlane)).Partly...)
	for _, node := range f.Nodes {
		node = cluster.NodeOf(node)
		switch {
		case !node.IsLinux():
			n.Others = append(n.Others, node.Name)
		case f.Class == cluster.Observed:
			n.Known = append(n.Known, node)
		default: // a person states the relevant labels
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
