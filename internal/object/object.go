package object

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/wrapper"
)

// Object is a Kubernetes object of the input: an item, an element of an item that is
// a List, or an object that a wrapper holds.
type Object struct {
	Item *yaml.RNode // the item that holds it
	Node *yaml.RNode // the object itself
	Path string      // of the object in the item: "" or "items[2]"
	At   finding.Object
	// Wrapper is the object that carries this one to the cluster, such as a
	// ConfigurationPolicy. It is zero for an object that the user applies directly.
	Wrapper finding.Object
	// Reach says whether an edit of a wrapped object reaches the cluster.
	Reach wrapper.Reach
	// text is where a text of the item holds the object as YAML; nil if the object is in
	// the tree of the item.
	text *inText
}

// New returns the object that an item is, with its file.
func New(item *yaml.RNode) Object {
	at := Ref(item)
	at.File, at.Index = Place(item)
	return Object{Item: item, Node: item, At: at}
}

// IsWrapped reports whether a wrapper carries the object to a cluster. That may be another
// cluster than the one where the wrapper is applied.
func (o Object) IsWrapped() bool { return o.Wrapper != (finding.Object{}) }

// All returns the objects of the items, and opens Lists and wrappers. An infinite List
// stays unchanged. A wrapper comes before the objects in it. All omits objects that a
// wrapper only compares with the cluster.
func All(items []*yaml.RNode) []Object {
	var out []Object
	sets := resourceSets(items)
	for _, item := range items {
		o := New(item)
		if !IsFinite(item.YNode()) {
			out = append(out, o)
			continue
		}
		for _, o := range opened(o) {
			out = append(append(out, o), sets.open(o)...)
		}
	}
	return out
}

// InCopy returns the object in a copy of its item. The object is for reading: [Object.Edit]
// edits it.
func (o Object) InCopy(item *yaml.RNode) *yaml.RNode {
	if o.text != nil {
		root, _, err := o.text.in(item)
		if err != nil {
			panic(fmt.Sprintf("read a text again: %v", err)) // the first read had no error
		}
		return yaml.NewRNode(at(root, o.text.path))
	}
	return yaml.NewRNode(at(item.YNode(), o.Path))
}
