package object

import (
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/wrapper"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// None reports whether items hold no object at all. A host may replace an empty List with
// the objects in it, so an empty List counts as no object.
func None(items []*yaml.RNode) bool {
	for _, item := range items {
		if !IsFinite(item.YNode()) || !isEmptyList(item.YNode()) {
			return false
		}
	}
	return true
}

// isEmptyList reports whether an object is an empty List. Any object with a list named
// items is a List, of whatever kind (apimachinery unstructured.go: IsList).
func isEmptyList(n *yaml.Node) bool {
	list := ListItems(n)
	if list == nil {
		item := yaml.NewRNode(n)
		return TextAt(item, "kind") == "List" && TextAt(item, "apiVersion") == "v1" && isNull(NodeAt(item, "items"))
	}
	for _, element := range list.Content {
		if element = yamlnode.Dealias(element); element.Kind != yaml.MappingNode || !isEmptyList(element) {
			return false
		}
	}
	return true
}

func isNull(n *yaml.Node) bool { return n == nil || n.ShortTag() == yaml.NodeTagNull }

// opened returns the elements of a List, a wrapper together with the objects in it, and any
// other object unchanged. The elements of a NodeList and similar have no kind of their own.
func opened(o Object) []Object {
	if wrapper.Is(o.At.APIVersion, o.At.Kind) {
		return openedWrapper(o)
	}
	kind, isList := ElementKind(o.At.Kind)
	list := ListItems(o.Node.YNode())
	if !isList || list == nil {
		return []Object{o}
	}
	var out []Object
	for i, element := range list.Content {
		element = yamlnode.Dealias(element)
		if element.Kind != yaml.MappingNode {
			continue
		}
		node := yaml.NewRNode(element)
		at := Ref(node)
		at.File, at.Index = o.At.File, o.At.Index
		if at.Kind == "" {
			at.Kind, at.APIVersion = kind, o.At.APIVersion
		}
		inner := o
		inner.Node, inner.Path, inner.At = node, o.pathOf(fmt.Sprintf("items[%d]", i)), at
		out = append(out, opened(inner)...)
	}
	return out
}

// openedWrapper returns a wrapper and the objects that it carries to a cluster. For a
// wrapper in a wrapper, the weaker reach counts.
func openedWrapper(o Object) []Object {
	out := []Object{o}
	for _, held := range wrapper.Open(o.At.APIVersion, o.At.Kind, o.Node.YNode()) {
		if held.Reach == wrapper.Compared {
			continue
		}
		node := yaml.NewRNode(held.Node)
		at := Ref(node)
		at.File, at.Index = o.At.File, o.At.Index
		reach := held.Reach
		if reach == wrapper.Applied {
			reach = o.Reach
		}
		out = append(out, opened(Object{Item: o.Item, Node: node, Path: o.pathOf(held.Path), At: at, Wrapper: o.At, Reach: reach})...)
	}
	return out
}

// ComparesCR reports whether a wrapper only compares a HyperConverged CR with the cluster's
// and never applies it.
func (o Object) ComparesCR() bool {
	return slices.ContainsFunc(wrapper.Open(o.At.APIVersion, o.At.Kind, o.Node.YNode()), func(held wrapper.Held) bool {
		return held.Reach == wrapper.Compared && wrapper.MentionsCR(held.Node)
	})
}

// pathOf returns the path, in the item, of a path inside the object.
func (o Object) pathOf(inner string) string {
	if o.Path == "" {
		return inner
	}
	return o.Path + "." + inner
}

// ListItems returns the items of a List; nil if the object has no list of that name.
func ListItems(n *yaml.Node) *yaml.Node {
	list, _ := yamlnode.Child(n, "items")
	if list = yamlnode.Dealias(list); list == nil || list.Kind != yaml.SequenceNode {
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
