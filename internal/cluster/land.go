package cluster

import "maps"

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

// NodeOf returns a node of an architecture with the labels that every kubelet sets
// (pkg/kubelet/kubelet_node_status.go: initialNode).
func NodeOf(n Node) Node {
	labels := map[string]string{
		archLabel: string(n.Architecture), betaArchLabel: string(n.Architecture),
		osLabel: "linux", "beta." + osLabel: "linux",
	}
	maps.Copy(labels, n.Labels)
	n.Labels = labels
	return n
}
