package kustomization

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// listed returns the text of an entry of a list in a kustomization, or nil.
func listed(root *yaml.Node, list string, i int, key ...string) *yaml.Node {
	if root == nil {
		return nil
	}
	entries := yamlnode.Get(root, list)
	if entries == nil || i >= len(entries.Content) {
		return nil
	}
	return yamlnode.Lookup(entries.Content[i], key)
}

func ownLine(n *yaml.Node) int { return n.Line }

// inlineLine returns a function for the lines of a text inside a kustomization. Only a
// block keeps its lines; any other text has one line.
func inlineLine(text *yaml.Node) func(*yaml.Node) int {
	switch {
	case text == nil:
		return nil
	case text.Style&yaml.LiteralStyle != 0:
		return func(n *yaml.Node) int { return text.Line + n.Line }
	default:
		return func(*yaml.Node) int { return text.Line }
	}
}

// yamlNode returns the value of a YAML text, or nil if it cannot be read.
func yamlNode(text []byte) *yaml.Node {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil || len(doc.Content) != 1 {
		return nil
	}
	return doc.Content[0]
}
