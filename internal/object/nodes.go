package object

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func walkMappings(n *yaml.Node, path string, seen map[*yaml.Node]bool, visit func(m *yaml.Node, path string)) {
	n = Dealias(n)
	if seen[n] {
		return
	}
	seen[n] = true
	switch n.Kind {
	case yaml.MappingNode:
		visit(n, path)
		for i := 0; i+1 < len(n.Content); i += 2 {
			walkMappings(n.Content[i+1], strings.TrimPrefix(path+"."+Dealias(n.Content[i]).Value, "."), seen, visit)
		}
	case yaml.SequenceNode:
		for i, element := range n.Content {
			walkMappings(element, fmt.Sprintf("%s[%d]", path, i), seen, visit)
		}
	case yaml.DocumentNode:
		for _, child := range n.Content {
			walkMappings(child, path, seen, visit)
		}
	case yaml.ScalarNode, yaml.AliasNode:
	}
}

// equalNodes compares two values as text, without comments. An infinite value equals only
// itself.
func equalNodes(a, b *yaml.Node) bool {
	a, b = Dealias(a), Dealias(b)
	return a == b || IsFinite(a) && IsFinite(b) && equalTrees(a, b)
}

func equalTrees(a, b *yaml.Node) bool {
	a, b = Dealias(a), Dealias(b)
	if a.Kind != b.Kind || a.Value != b.Value || a.Tag != b.Tag || len(a.Content) != len(b.Content) {
		return false
	}
	for i := range a.Content {
		if !equalTrees(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}
