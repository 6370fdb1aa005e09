package object

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// Object is a Kubernetes object of the input: an item, or an element of an
// item that is a List. Wrappers of other kinds can be opened the same way.
type Object struct {
	Item *yaml.RNode // the item that holds it
	Node *yaml.RNode // the object itself
	Path string      // of the object in the item: "" or "items[2]"
	At   finding.Object
}

// All returns the objects of the items, Lists opened. A List without an end
// stays as it is.
func All(items []*yaml.RNode) []Object {
	var out []Object
	for _, item := range items {
		at := Ref(item)
		at.File, at.Index = Place(item)
		o := Object{Item: item, Node: item, At: at}
		if !IsFinite(item.YNode()) {
			out = append(out, o)
			continue
		}
		out = append(out, opened(o)...)
	}
	return out
}

// InCopy returns the object in a copy of its item.
func (o Object) InCopy(item *yaml.RNode) *yaml.RNode {
	node := item.YNode()
	for _, step := range Steps(o.Path) {
		node, _ = Child(node, step)
	}
	return yaml.NewRNode(Dealias(node))
}
