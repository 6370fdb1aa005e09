package cluster

// CanLand reports whether a pod with this placement can run on a node. If allLabels is
// false, it reports whether a node that has these labels among others can exist.
//
// It differs from [Workload]: if a placement selects nothing, HCO takes the nodes with
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
