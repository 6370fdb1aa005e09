package object

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// removeRepeated removes duplicate keys that have the same value from each mapping in a
// node. Otherwise an edit would change only one of them. The node has no aliases.
func removeRepeated(n *yaml.Node) {
	if n.Kind == yaml.MappingNode {
		removeRepeatedIn(n)
	}
	for _, child := range n.Content {
		removeRepeated(child)
	}
}

func removeRepeatedIn(m *yaml.Node) {
	first := make(map[string]*yaml.Node, len(m.Content)/2)
	kept := m.Content[:0:0]
	for key, value := range yamlnode.Pairs(m) {
		id := jsonKey(key)
		if earlier, twice := first[id]; twice && yamlnode.Same(earlier, value) {
			continue
		}
		first[id] = value
		kept = append(kept, key, value)
	}
	m.Content = kept
}

// RemoveRepeated removes duplicate keys that have the same value. It removes them from the
// object in a copy of its item, and from the Lists around the object.
func (o Object) RemoveRepeated(item *yaml.RNode) { removeRepeatedOnWay(item.YNode(), o.Path) }

// removeRepeatedOnWay removes duplicate keys that have the same value from the node at a
// path, and from the mappings around it.
func removeRepeatedOnWay(node *yaml.Node, path string) {
	node = yamlnode.Dealias(node)
	for _, step := range fieldpath.Steps(path) {
		if node.Kind == yaml.MappingNode {
			removeRepeatedIn(node)
		}
		node, _ = yamlnode.Child(node, step)
		node = yamlnode.Dealias(node)
	}
	removeRepeated(node)
}
