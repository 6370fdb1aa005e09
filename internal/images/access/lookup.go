package access

import (
	"fmt"
	"iter"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
)

// Objects are the objects of the input, searched by name.
type Objects []object.Object

// Lookup is the objects of the input, with those that are not among the items.
type Lookup struct {
	Objects
	Named func(item *yaml.RNode, kind, name string) []*yaml.RNode // like [Function.Named]
	// Untrusted says that Objects widen the trust in no registry: neither insecure
	// registries nor certificate authorities count, but those among Trusted.
	Untrusted bool
	Trusted   Objects
}

// all returns the objects in their order. Some items generate further objects; of those,
// all returns the ones with the kind and the name.
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

// find returns the object with a kind and a name. A namespace of "" matches any object. The
// host sets the namespace of an object without one later, so such an object matches any
// namespace. If there is no match, or more than one, find returns nil and the reason.
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

// absence says why a name does not identify an object, and how to fix that. An empty do
// means that the fix is to add the object.
type absence struct{ text, do string }

// describe writes the absence into a finding about the object.
func (a absence) describe(f *finding.Finding, source, then string) {
	f.Text = source + " " + a.text + then
	if a.do != "" {
		f.Do = a.do
	}
}

// fixFor says how to make one of several objects the only one.
func fixFor(list []object.Object) string {
	first := list[0].At
	if slices.ContainsFunc(list, func(o object.Object) bool { return o.At.Namespace != first.Namespace }) {
		return fmt.Sprintf("name the one you mean with its namespace (%s/%s)", first.Namespace, first.Name)
	}
	return "keep only one of them in the input"
}
