// Package yamlnodetest reads YAML and checks that an edit of it can be repeated, for tests
// of code that edits YAML.
package yamlnodetest

import (
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Read returns the node of a text of YAML.
func Read(t testing.TB, text string) *yaml.RNode {
	t.Helper()
	node, err := yaml.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return node
}

// Text returns the text of a node.
func Text(t testing.TB, node *yaml.RNode) string {
	t.Helper()
	s, err := node.String()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Edited returns the text after an edit. It is an error of the test if the edit changes
// something the second time.
func Edited(t testing.TB, before string, edit func(*yaml.RNode)) string {
	t.Helper()
	node := Read(t, before)
	edit(node)
	once := Text(t, node)
	edit(node)
	if twice := Text(t, node); twice != once {
		t.Errorf("done a second time the edit changes something:\n%s\n%s", once, twice)
	}
	again := Read(t, once)
	edit(again)
	if twice := Text(t, again); twice != once {
		t.Errorf("done on its own output the edit changes something:\n%s\n%s", once, twice)
	}
	return once
}
