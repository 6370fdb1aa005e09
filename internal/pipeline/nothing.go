package pipeline

import "sigs.k8s.io/kustomize/kyaml/yaml"

// Nothing reports whether items hold no object at all: a host takes an empty List
// for the objects in it.
func Nothing(items []*yaml.RNode) bool {
	for _, item := range items {
		if !ends(item.YNode()) || !holdsNothing(item.YNode()) {
			return false
		}
	}
	return true
}

// holdsNothing reports whether an object is a List of nothing. Whatever has a list
// named items is one, of whatever kind (apimachinery unstructured.go: IsList).
func holdsNothing(n *yaml.Node) bool {
	list := listOf(n)
	if list == nil {
		item := yaml.NewRNode(n)
		return textAt(item, "kind") == "List" && textAt(item, "apiVersion") == "v1" && isNull(nodeAt(item, "items"))
	}
	for _, element := range list.Content {
		if element = target(element); element.Kind != yaml.MappingNode || !holdsNothing(element) {
			return false
		}
	}
	return true
}

func isNull(n *yaml.Node) bool { return n == nil || n.ShortTag() == yaml.NodeTagNull }
