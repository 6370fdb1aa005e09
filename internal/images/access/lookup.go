package access

import (
	"fmt"
	"iter"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
)

// Objects is the objects of the input, by which a name is looked up.
type Objects []object.Object

// Lookup is the objects of the input, with those that are not among the items.
type Lookup struct {
	Objects
	Named func(item *yaml.RNode, kind, name string) []*yaml.RNode // as [Function.Named]
}

// all returns the objects in their order, and of those that items stand for the ones
// of a kind and a name.
func (l Lookup) all(kind, name string) iter.Seq[object.Object] {
	return func(yield func(object.Object) bool) {
		for _, o := range l.Objects {
			if !yield(o) {
				return
			}
			if l.Named == nil || o.At.Kind != "" {
				continue
			}
			for _, o := range object.All(l.Named(o.Item, kind, name)) {
				if !yield(o) {
					return
				}
			}
		}
	}
}

// find returns the object of a kind that a name means. An object without a
// namespace gets one from the host later, and fits all. It returns nil, with
// what is so, if there is none, or more than one. A namespace of "" is any.
func (l Lookup) find(kind, namespace, name string) (*object.Object, absence) {
	var exact, bare, elsewhere []object.Object
	for o := range l.all(kind, name) {
		switch {
		case o.At.Kind != kind || o.At.APIVersion != "v1" || o.At.Name != name:
		case o.At.Namespace == "":
			bare = append(bare, o)
		case namespace == "" || o.At.Namespace == namespace:
			exact = append(exact, o)
		default:
			elsewhere = append(elsewhere, o)
		}
	}
	if len(exact) == 0 {
		exact = bare
	}
	switch {
	case len(exact) == 1:
		return &exact[0], absence{}
	case len(exact) > 1:
		return nil, absence{text: fmt.Sprintf("is in the input %d times", len(exact)), do: fixFor(exact)}
	case len(elsewhere) > 0:
		return nil, absence{text: fmt.Sprintf("is in the input in the namespace %q only", elsewhere[0].At.Namespace)}
	}
	return nil, absence{text: "is not in the input"}
}

// absence is why a name means no object, and what to do, "" if that is to add
// one.
type absence struct{ text, do string }

// describe writes it into a finding about the object.
func (a absence) describe(f *finding.Finding, source, then string) {
	f.Text = source + " " + a.text + then
	if a.do != "" {
		f.Do = a.do
	}
}

// fixFor is what makes one of several objects the only one.
func fixFor(list []object.Object) string {
	first := list[0].At
	if slices.ContainsFunc(list, func(o object.Object) bool { return o.At.Namespace != first.Namespace }) {
		return fmt.Sprintf("name the one you mean with its namespace (%s/%s)", first.Namespace, first.Name)
	}
	return "keep only one of them in the input"
}
