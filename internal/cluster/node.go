package cluster

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

	"github.com/goldenarch/goldenarch/internal/arch"
)

// Labels of nodes (hco pkg/internal/nodeinfo/nodeinfo.go).
const (
	workerLabel       = "node-role.kubernetes.io/worker"
	controlPlaneLabel = "node-role.kubernetes.io/control-plane"
	masterLabel       = "node-role.kubernetes.io/master"
	archLabel         = "kubernetes.io/arch"
	osLabel           = "kubernetes.io/os"
	hostnameLabel     = "kubernetes.io/hostname"
)

// Node is a node, or a number of similar nodes.
type Node struct {
	Name         string // "" if it is not known
	Count        int    // 0 counts as 1
	Architecture arch.Arch
	Labels       map[string]string
}

// Workload returns the architectures of the workload nodes. These are the nodes that
// the placement selects, or those with the worker label if it selects nothing.
func Workload(nodes []Node, p Placement) arch.Set {
	return architectures(nodes, workloadNode(p))
}

// ControlPlane returns the architectures of the control-plane nodes.
func ControlPlane(nodes []Node) arch.Set { return architectures(nodes, isControlPlane) }

// Default returns the default workload architecture. This is the first one of the
// control plane if it is a workload architecture. Otherwise it is the one that most
// workload nodes have, the first by name among equals. It returns "" if the cluster has
// no workload architecture (hco from 1.19, nodeinfo/architectures.go).
func Default(nodes []Node, p Placement) arch.Arch {
	workload, controlPlane := Workload(nodes, p), ControlPlane(nodes)
	if len(controlPlane) > 0 && workload.Contains(controlPlane[0]) {
		return controlPlane[0]
	}
	return commonest(nodes, workloadNode(p))
}

// commonest returns the architecture that most of the counted nodes have, the first by
// name among equals. It returns "" if no node counts.
func commonest(nodes []Node, counts func(Node) bool) arch.Arch {
	set := architectures(nodes, counts)
	if len(set) == 0 {
		return ""
	}
	number := map[arch.Arch]int{}
	for _, n := range nodes {
		if counts(n) {
			number[n.Architecture] += n.Count
		}
	}
	// The set is sorted, and MaxFunc returns the first of equals.
	return slices.MaxFunc(set, func(a, b arch.Arch) int { return cmp.Compare(number[a], number[b]) })
}

func architectures(nodes []Node, counts func(Node) bool) arch.Set {
	var list []arch.Arch
	for _, n := range nodes {
		if n.Count > 0 && counts(n) {
			list = append(list, n.Architecture)
		}
	}
	return arch.NewSet(list...)
}

func isControlPlane(n Node) bool { return n.has(controlPlaneLabel) || n.has(masterLabel) }

// workloadNode returns a function that uses HCO's library. The library skips an invalid
// term. A node that no valid term matches does not match.
func workloadNode(p Placement) func(Node) bool {
	if !p.selects() {
		return func(n Node) bool { return n.has(workerLabel) }
	}
	affinity := nodeaffinity.GetRequiredNodeAffinity(&corev1.Pod{
		Spec: corev1.PodSpec{NodeSelector: p.NodeSelector, Affinity: p.Affinity},
	})
	return func(n Node) bool {
		match, err := affinity.Match(kubernetesNode(n.Name, n.Labels))
		return err == nil && match
	}
}

func kubernetesNode(name string, labels map[string]string) *corev1.Node {
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}
}

func (n Node) has(label string) bool {
	_, ok := n.Labels[label]
	return ok
}
