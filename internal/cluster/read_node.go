package cluster

import "github.com/goldenarch/goldenarch/internal/arch"

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
