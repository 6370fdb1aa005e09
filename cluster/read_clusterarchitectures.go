package cluster

import (
	"fmt"
	"maps"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/arch"
)

// readClusterArchitectures reads node facts that a person states: architectures
// directly, or as groups of nodes.
func readClusterArchitectures(t tree) (Facts, bool, error) {
	c, err := v1alpha1.DecodeClusterArchitectures(t)
	if err != nil {
		return Facts{}, false, err //nolint:wrapcheck // it names the field
	}
	f := Facts{Class: Declared}
	f.Workload, _ = arch.ParseAll(c.Spec.Workload) // decoding has checked it
	f.ControlPlane, _ = arch.ParseAll(c.Spec.ControlPlane)
	for i, g := range c.Spec.Nodes {
		a, _ := arch.Parse(g.Architecture)
		n := newNode(fmt.Sprintf("nodes[%d]", i), a, g.Labels)
		if g.Count != nil {
			n.Count = *g.Count
		}
		f.Nodes = append(f.Nodes, n)
	}
	return f, true, nil
}

// newNode returns a node with the labels that every kubelet sets, so that a
// placement can ask for them.
func newNode(name string, a arch.Arch, labels map[string]string) Node {
	all := map[string]string{archLabel: string(a), osLabel: "linux"}
	maps.Copy(all, labels)
	return Node{Name: name, Count: 1, Architecture: a, Labels: all}
}
