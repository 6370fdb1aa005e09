package cluster

import "github.com/goldenarch/goldenarch/internal/arch"

// readNode reads a Node. The architecture is taken verbatim from
// status.nodeInfo, as HCO does; the label kubernetes.io/arch counts only for
// selectors. A Node without an architecture, such as one in Git that is there
// for its labels, tells nothing (hco nodeinfo/architectures.go).
func readNode(t tree) (Facts, bool, error) {
	n := Node{
		Name: t.text("metadata", "name"), Count: 1,
		Architecture: arch.Arch(t.text("status", "nodeInfo", "architecture")),
		Labels:       t.labels("metadata", "labels"),
	}
	return Facts{Class: Observed, Nodes: []Node{n}}, n.Architecture != "", nil
}
