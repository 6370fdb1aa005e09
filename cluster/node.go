package cluster

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

	"github.com/goldenarch/goldenarch/arch"
)

// Labels of nodes (hco pkg/internal/nodeinfo/nodeinfo.go).
const (
	workerLabel       = "node-role.kubernetes.io/worker"
	controlPlaneLabel = "node-role.kubernetes.io/control-plane"
	masterLabel       = "node-role.kubernetes.io/master"
	archLabel         = "kubernetes.io/arch"
	osLabel           = "kubernetes.io/os"
)

// Node is a node, or a number of nodes that are alike.
type Node struct {
	Name         string
	Count        int // 0 counts as none
	Architecture arch.Arch
	Labels       map[string]string
}

// Placement says on which nodes workloads run.
type Placement struct {
	NodeSelector map[string]string
	Affinity     *corev1.Affinity
}

func (p Placement) required() *corev1.NodeSelector {
	if p.Affinity == nil || p.Affinity.NodeAffinity == nil {
		return nil
	}
	return p.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
}

// selects reports whether the placement says anything that HCO heeds. Taints,
// preferences and pod affinity it does not (hco nodeinfo/architectures.go:
// hasWorkloadRequirements).
func (p Placement) selects() bool { return len(p.NodeSelector) > 0 || p.required() != nil }

// Workload returns the architectures of the workload nodes: those that the
// placement selects, or those with the worker label if it selects nothing.
func Workload(nodes []Node, p Placement) arch.Set {
	return architectures(nodes, workloadNode(p))
}

// ControlPlane returns the architectures of the control-plane nodes.
func ControlPlane(nodes []Node) arch.Set { return architectures(nodes, isControlPlane) }

// Default returns the default workload architecture: the first of the control
// plane if it is a workload architecture, else the one that most workload nodes
// have, the first by name among equals; "" if there is none (hco from 1.19,
// nodeinfo/architectures.go).
func Default(nodes []Node, p Placement) arch.Arch {
	workload, controlPlane := Workload(nodes, p), ControlPlane(nodes)
	if len(controlPlane) > 0 && workload.Contains(controlPlane[0]) {
		return controlPlane[0]
	}
	counts := map[arch.Arch]int{}
	isWorkload := workloadNode(p)
	for _, n := range nodes {
		if isWorkload(n) {
			counts[n.Architecture] += n.Count
		}
	}
	if len(workload) == 0 {
		return ""
	}
	// The set is sorted, and the first of equals is taken.
	return slices.MaxFunc(workload, func(a, b arch.Arch) int { return cmp.Compare(counts[a], counts[b]) })
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

// workloadNode uses the library that HCO uses. A term that is invalid is
// skipped; with no valid term that matches, the node does not match.
func workloadNode(p Placement) func(Node) bool {
	if !p.selects() {
		return func(n Node) bool { return n.has(workerLabel) }
	}
	affinity := nodeaffinity.GetRequiredNodeAffinity(&corev1.Pod{
		Spec: corev1.PodSpec{NodeSelector: p.NodeSelector, Affinity: p.Affinity},
	})
	return func(n Node) bool {
		match, err := affinity.Match(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.Name, Labels: n.Labels}})
		return err == nil && match
	}
}

func (n Node) has(label string) bool {
	_, ok := n.Labels[label]
	return ok
}
