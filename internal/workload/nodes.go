package workload

import (
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
)

// Nodes is what is known about the nodes of a cluster. The zero Nodes means nothing.
type Nodes struct {
	// Known are the nodes with all labels known.
	Known []cluster.Node
	// Incomplete are the nodes that may have more labels.
	Incomplete []cluster.Node
	// Others are the names of nodes that run another system than Linux.
	Others []string
}

// NodesOf returns nodes with only their architectures known.
func NodesOf(architectures arch.Set) Nodes {
	var n Nodes
	for _, a := range architectures {
		n.Incomplete = append(n.Incomplete, cluster.NodeOf(cluster.Node{Count: 1, Architecture: a}))
	}
	return n
}

// eachArch has a node of each known architecture.
var eachArch = sync.OnceValue(func() Nodes { return NodesOf(arch.NewSet(arch.All()...)) })

// All returns the architectures of all nodes; empty if no nodes are known.
func (n Nodes) All() arch.Set { return n.admitted(cluster.Placement{}) }

// admitted returns the architectures of the nodes on which a pod may run.
func (n Nodes) admitted(p cluster.Placement) arch.Set {
	var list []arch.Arch
	add := func(nodes []cluster.Node, allLabels bool) {
		for _, node := range nodes {
			if node.Count > 0 && p.CanLand(node, allLabels) {
				list = append(list, node.Architecture)
			}
		}
	}
	add(n.Known, true)
	add(n.Incomplete, false)
	return arch.NewSet(list...)
}

// maySatisfy reports whether one of the nodes may satisfy an alternative. A node without a known name may have the name that an
// alternative requires.
func (n Nodes) maySatisfy(w alternative) bool {
	return !w.conflict && len(n.admitted(placementOf(w.selector, w.term))) > 0
}

// named returns the nodes with a known name. A term for a node's name does not apply to the
// others.
func (n Nodes) named() Nodes {
	return Nodes{Known: slices.DeleteFunc(slices.Clone(n.Known), func(node cluster.Node) bool { return node.Name == "" })}
}

// placementOf returns a placement with one term. A nil term means no required node
// affinity.
func placementOf(selector map[string]string, term *corev1.NodeSelectorTerm) cluster.Placement {
	p := cluster.Placement{NodeSelector: selector}
	if term != nil {
		p.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{*term}},
		}}
	}
	return p
}

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
		if f.Class == class && !out.add(f) {
			return Nodes{}
		}
	}
	return out
}

// add adds the nodes of facts. It returns false if the facts do not determine the
// architectures.
func (n *Nodes) add(f cluster.Facts) bool {
	n.Incomplete = append(n.Incomplete, NodesOf(f.Workload.Union(f.ControlPlane)).Incomplete...)
	for _, node := range f.Nodes {
		node = cluster.NodeOf(node)
		switch {
		case !node.IsLinux():
			n.Others = append(n.Others, node.Name)
		case f.Class == cluster.Observed:
			n.Known = append(n.Known, node)
		default: // a person states the relevant labels
			n.Incomplete = append(n.Incomplete, node)
		}
	}
	for _, pool := range f.Pools {
		if pool.Architecture == "" {
			return false
		}
		n.Incomplete = append(n.Incomplete, pool.Node)
	}
	return true
}
