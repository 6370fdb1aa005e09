package object

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"
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
	for i := 0; i+1 < len(m.Content); i += 2 {
		key, value := jsonKey(m.Content[i]), m.Content[i+1]
		if earlier, twice := first[key]; twice && equalNodes(earlier, value) {
			continue
		}
		first[key] = value
		kept = append(kept, m.Content[i], value)
	}
	m.Content = kept
}

// RemoveRepeated removes duplicate keys that have the same value. It removes them from the
// object in a copy of its item, and from the Lists around the object.
func (o Object) RemoveRepeated(item *yaml.RNode) { removeRepeatedOnWay(item.YNode(), o.Path) }

// removeRepeatedOnWay removes duplicate keys that have the same value from the node at a
// path, and from the mappings around it.
func removeRepeatedOnWay(node *yaml.Node, path string) {
	node = Dealias(node)
	for _, step := range Steps(path) {
		if node.Kind == yaml.MappingNode {
			removeRepeatedIn(node)
		}
		node, _ = Child(node, step)
		node = Dealias(node)
	}
	removeRepeated(node)
}
