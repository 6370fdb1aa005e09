package cluster

import (
	"fmt"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
)

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
