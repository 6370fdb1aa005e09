package cluster

// CanLand reports whether a pod with this placement can run on a node. Where only some
// labels of the node are known, it reports whether there can be such a node.
//
// It is not what [Workload] asks: HCO takes nodes with the worker label where a
// placement selects nothing, and the scheduler takes any.
func (p Placement) CanLand(n Node, allLabels bool) bool {
	if !p.selects() {
		return true
	}
	// Of a node without a name, the name is not known, and the label with it.
	unknown := func(label string) bool { return !allLabels || n.Name == "" && label == hostnameLabel }
	return p.judge(glimpse{n, unknown}).certainty != no
}

// NodeOf returns a node with the labels that every kubelet sets, beside its own
// (pkg/kubelet/kubelet_node_status.go: initialNode).
func NodeOf(n Node) Node {
	count := n.Count
	n = newNode(n.Name, n.Architecture, n.Labels)
	n.Count = count
	return n
}

// IsLinux reports whether nothing says that a node runs another system.
func (n Node) IsLinux() bool {
	system, ok := n.Labels[osLabel]
	return !ok || system == "linux"
}
