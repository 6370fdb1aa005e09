package object

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// None reports whether items hold no object at all: a host takes an empty List
// for the objects in it.
func None(items []*yaml.RNode) bool {
	for _, item := range items {
		if !IsFinite(item.YNode()) || !isEmptyList(item.YNode()) {
			return false
		}
	}
	return true
}

// isEmptyList reports whether an object is a List of nothing. Whatever has a list
// named items is one, of whatever kind (apimachinery unstructured.go: IsList).
func isEmptyList(n *yaml.Node) bool {
	list := ListItems(n)
	if list == nil {
		item := yaml.NewRNode(n)
		return TextAt(item, "kind") == "List" && TextAt(item, "apiVersion") == "v1" && isNull(NodeAt(item, "items"))
	}
	for _, element := range list.Content {
		if element = Dealias(element); element.Kind != yaml.MappingNode || !isEmptyList(element) {
			return false
		}
	}
	return true
}

func isNull(n *yaml.Node) bool { return n == nil || n.ShortTag() == yaml.NodeTagNull }

// opened returns what a List holds, and any other object as it is. The elements
// of a NodeList and the like have no kind of their own.
func opened(o Object) []Object {
	kind, isList := ElementKind(o.At.Kind)
	list := ListItems(o.Node.YNode())
	if !isList || list == nil {
		return []Object{o}
	}
	var out []Object
	for i, element := range list.Content {
		element = Dealias(element)
		if element.Kind != yaml.MappingNode {
			continue
		}
		node := yaml.NewRNode(element)
		at := Ref(node)
		at.File, at.Index = o.At.File, o.At.Index
		if at.Kind == "" {
			at.Kind, at.APIVersion = kind, o.At.APIVersion
		}
		path := fmt.Sprintf("items[%d]", i)
		if o.Path != "" {
			path = o.Path + "." + path
		}
		out = append(out, opened(Object{Item: o.Item, Node: node, Path: path, At: at})...)
	}
	return out
}

// ListItems returns the items of a List, nil if the object has no list of that name.
func ListItems(n *yaml.Node) *yaml.Node {
	list, _ := Child(n, "items")
	if list = Dealias(list); list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	return list
}

// ElementKind returns the kind of the elements of a list kind.
func ElementKind(kind string) (string, bool) {
	const suffix = "List"
	if len(kind) < len(suffix) || kind[len(kind)-len(suffix):] != suffix {
		return "", false
	}
	return kind[:len(kind)-len(suffix)], true
}
