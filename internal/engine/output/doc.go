// Package output writes the result of a run: the CRs with their edits, and the items
// that go to the cluster. It leaves out dumps of Nodes, local configuration and
// goldenarch's own kinds.
package output
