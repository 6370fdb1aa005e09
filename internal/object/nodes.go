package object

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

func walkMappings(n *yaml.Node, path string, seen map[*yaml.Node]bool, visit func(m *yaml.Node, path string)) {
	n = yamlnode.Dealias(n)
	if seen[n] {
		return
	}
	seen[n] = true
	switch n.Kind {
	case yaml.MappingNode:
		visit(n, path)
		for key, value := range yamlnode.Fields(n) {
			walkMappings(value, fieldpath.Join(path, key), seen, visit)
		}
	case yaml.SequenceNode:
		for i, element := range n.Content {
			walkMappings(element, fieldpath.Element(path, i), seen, visit)
		}
	case yaml.DocumentNode:
		for _, child := range n.Content {
			walkMappings(child, path, seen, visit)
		}
	case yaml.ScalarNode, yaml.AliasNode:
	}
}
