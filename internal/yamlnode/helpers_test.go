package yamlnode

import (
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// read reads YAML, written with spaces for readers.
func read(t *testing.T, text string) *yaml.RNode {
	t.Helper()
	node, err := yaml.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return node
}

func text(t *testing.T, node *yaml.RNode) string {
	t.Helper()
	s, err := node.String()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// edited carries out an edit on YAML. Done a second time it changes nothing.
func edited(t *testing.T, before string, edit func(*yaml.RNode)) string {
	t.Helper()
	node := read(t, before)
	edit(node)
	once := text(t, node)
	edit(node)
	if twice := text(t, node); twice != once {
		t.Errorf("done a second time the edit changes something:\n%s\n%s", once, twice)
	}
	again := read(t, once)
	edit(again)
	if twice := text(t, again); twice != once {
		t.Errorf("done on its own output the edit changes something:\n%s\n%s", once, twice)
	}
	return once
}
