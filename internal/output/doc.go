// Package output is what a run writes: the CRs with their edits, and the items that go
// to the cluster. Dumps of Nodes, local configuration and goldenarch's own kinds are
// left out.
package output
