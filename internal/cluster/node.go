package cluster

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
)

// Labels of nodes (hco pkg/internal/nodeinfo/nodeinfo.go).
const (
	workerLabel       = "node-role.kubernetes.io/worker"
	controlPlaneLabel = "node-role.kubernetes.io/control-plane"
	masterLabel       = "node-role.kubernetes.io/master"
	archLabel         = arch.Label
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

// controlPlane returns the architectures of the control-plane nodes.
func controlPlane(nodes []Node) arch.Set { return architectures(nodes, isControlPlane) }

// commonest returns the architecture of a set that most of the nodes have, the first by name
// among equals. It returns "" for the empty set.
func commonest(nodes []Node, set arch.Set) arch.Arch {
	if len(set) == 0 {
		return ""
	}
	number := map[arch.Arch]int{}
	for _, n := range nodes {
		number[n.Architecture] += n.Count
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

func kubernetesNode(name string, labels map[string]string) *corev1.Node {
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}
}

func (n Node) has(label string) bool {
	_, ok := n.Labels[label]
	return ok
}

// newNode returns a node with the labels that every kubelet sets, so that a placement
// can select by them (kubernetes pkg/kubelet/kubelet_node_status.go). If labels name
// another operating system, that one counts. The architecture is "" if it is not known.
func newNode(name string, a arch.Arch, labels map[string]string) Node {
	all := map[string]string{osLabel: "linux"}
	maps.Copy(all, labels)
	all["beta."+osLabel] = all[osLabel]
	delete(all, archLabel)
	if a != "" {
		all[archLabel], all["beta."+archLabel] = string(a), string(a)
	}
	if name != "" {
		all[hostnameLabel] = name
	}
	return Node{Name: name, Count: 1, Architecture: a, Labels: all}
}

// readNode reads a Node. It takes the architecture from status.nodeInfo unchanged, as
// HCO does. The label kubernetes.io/arch counts only for selectors. A Node without an
// architecture gives no facts, such as one that is in Git only for its labels (hco
// nodeinfo/architectures.go).
func readNode(t tree) (Facts, bool, error) {
	n := Node{
		Name: t.text("metadata", "name"), Count: 1,
		Architecture: arch.Arch(t.text("status", "nodeInfo", "architecture")),
		Labels:       t.labels("metadata", "labels"),
	}
	return Facts{Class: Observed, Nodes: []Node{n}}, n.Architecture != "", nil
}

// readStatus reads status.nodeInfo of a CR that was dumped from a cluster: what HCO
// itself computed there.
func readStatus(t tree) (Facts, bool, error) {
	f := Facts{
		Class:        Dumped,
		Workload:     verbatim(t.texts("status", "nodeInfo", "workloadsArchitectures")),
		ControlPlane: verbatim(t.texts("status", "nodeInfo", "controlPlaneArchitectures")),
		Default:      arch.Arch(t.text("status", "nodeInfo", "defaultWorkloadArchitecture")),
	}
	// HCO writes nodeInfo in each status, and leaves out an empty list in it (hco
	// api/v1/hyperconverged_types.go).
	info, _ := t.get("status", "nodeInfo")
	_, written := info.(map[string]any)
	f.NoWorkload, f.NoControlPlane = written && len(f.Workload) == 0, written && len(f.ControlPlane) == 0
	return f, written, nil
}

func verbatim(list []string) arch.Set {
	out := make([]arch.Arch, len(list))
	for i, s := range list {
		out[i] = arch.Arch(s)
	}
	return arch.NewSet(out...)
}

// readClusterArchitectures reads node facts that a user states: architectures directly,
// or as groups of nodes. A group has the labels that the user states, and those that
// every kubelet sets. Only the names of its nodes are not known.
func readClusterArchitectures(t tree) (Facts, bool, error) {
	c, err := v1alpha1.DecodeClusterArchitectures(t.value)
	if err != nil {
		return Facts{}, false, err
	}
	f := Facts{Class: Declared}
	f.Workload, _ = arch.ParseAll(c.Spec.Workload) // decoding has validated it
	f.ControlPlane, _ = arch.ParseAll(c.Spec.ControlPlane)
	f.NoControlPlane = statesNone(c.Spec.ControlPlane)
	groups := t.list("spec", "nodes")
	for i, g := range c.Spec.Nodes {
		a, _ := arch.Parse(g.Architecture)
		// Decoding loses labels without a value ("node-role.kubernetes.io/worker:").
		labels := groups[i].labels("labels")
		if label, ok := labels[archLabel]; ok && label != string(a) {
			return Facts{}, false,
				fmt.Errorf("spec.nodes[%d].labels[%s] is %q, but the architecture is %q, which is what the kubelet writes into that label: correct one of them",
					i, archLabel, label, a)
		}
		n := newNode("", a, labels)
		if g.Count != nil {
			n.Count = *g.Count
		}
		f.Nodes = append(f.Nodes, n)
	}
	return f, true, nil
}
