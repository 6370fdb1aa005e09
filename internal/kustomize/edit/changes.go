package edit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// objectChange is a built object with its content before and after the edit.
type objectChange struct {
	item          *yaml.RNode
	before, after *yaml.Node
}

// changesOf returns the built objects that were edited.
func changesOf(b kustomize.Built) ([]objectChange, error) {
	var out []objectChange
	for _, item := range b.Items {
		if _, changed := b.Texts.Before(item); !changed {
			continue
		}
		before, after, err := b.Texts.Body(item)
		if err != nil {
			return nil, err
		}
		if before == after {
			continue // its nodes have another form, as those that were decoded and encoded
		}
		c := objectChange{item: item}
		for text, to := range map[string]**yaml.Node{before: &c.before, after: &c.after} {
			node, err := yaml.Parse(text)
			if err != nil {
				return nil, fmt.Errorf("read what was built: %w", err)
			}
			*to = node.YNode()
		}
		out = append(out, c)
	}
	return out, nil
}

// change is a value of a built object that differs.
type change struct {
	path          []step
	before, after *yaml.Node // nil if there is none
}

// changes returns what differs in an object, in the order of the keys. Of a list it is each element if
// these have names, and are the same as before; otherwise it is the whole list.
func (c objectChange) changes() []change { return changesBelow(nil, c.before, c.after) }

func changesBelow(path []step, before, after *yaml.Node) []change {
	var keys []string
	for _, n := range []*yaml.Node{before, after} {
		for key := range yamlnode.Pairs(n) {
			keys = append(keys, key.Value)
		}
	}
	slices.Sort(keys)
	var out []change
	for _, key := range slices.Compact(keys) {
		c := change{append(slices.Clip(path), step{key: key}), yamlnode.Value(before, key), yamlnode.Value(after, key)}
		if len(path) == 1 && pathOf(c.path) == "metadata.annotations" {
			// They go one by one: in the file, and where a patch applies, there are others beside them.
			c.before, c.after = orEmpty(c.before), orEmpty(c.after)
		}
		out = append(out, c.inside()...)
	}
	return out
}

// inside returns the changes inside of a value, or the change itself.
func (c change) inside() []change {
	switch {
	case c.before == nil || c.after == nil:
	case yamlnode.Same(c.before, c.after):
		return nil
	case c.before.Kind == yaml.MappingNode && c.after.Kind == yaml.MappingNode:
		return changesBelow(c.path, c.before, c.after)
	case c.before.Kind == yaml.SequenceNode && c.after.Kind == yaml.SequenceNode && haveSameNames(c.before.Content, c.after.Content):
		var out []change
		for i, element := range c.before.Content {
			of := step{key: strconv.Itoa(i), element: true}
			of.nameField, of.name = nodeName(element)
			out = append(out, change{append(slices.Clip(c.path), of), element, c.after.Content[i]}.inside()...)
		}
		return out
	}
	return []change{c}
}

func orEmpty(n *yaml.Node) *yaml.Node {
	if n == nil || yamlnode.IsNull(n) {
		return yamlnode.NewMapping()
	}
	return n
}

// haveSameNames reports whether the elements of two lists have the same names, each another one.
func haveSameNames(before, after []*yaml.Node) bool {
	known := map[string]bool{"": true}
	return len(before) > 0 && slices.EqualFunc(before, after, func(a, b *yaml.Node) bool {
		_, name := nodeName(a)
		_, other := nodeName(b)
		isNew := !known[name]
		known[name] = true
		return isNew && other == name
	})
}

// step is a step of a field's path in a built object.
type step struct {
	key     string
	element bool
	// name is that of the element, "" if it has none, and nameField the pointer to it.
	name, nameField string
}

// stepsTo returns the steps to a field, and the values on the way. It stops where the
// object has no such field.
func stepsTo(n *yaml.Node, field string) ([]step, []*yaml.Node) {
	var steps []step
	values := []*yaml.Node{n}
	for _, key := range fieldpath.Steps(field) {
		next, _ := yamlnode.Child(n, key)
		if next == nil {
			break
		}
		s := step{key: key, element: n.Kind == yaml.SequenceNode}
		if s.element {
			s.nameField, s.name = nodeName(next)
		}
		n = next
		steps, values = append(steps, s), append(values, n)
	}
	return steps, values
}

// from returns the value that a step leads to, and the line of its key or of the element. It finds an
// element by its name, because patches change the order.
func (s step) from(n *yaml.Node) (*yaml.Node, int) {
	if n.Kind != yaml.SequenceNode || s.name == "" {
		return yamlnode.Child(n, s.key)
	}
	for _, element := range n.Content {
		if _, name := nodeName(element); name == s.name {
			return element, element.Line
		}
	}
	return nil, 0
}

// nodeName returns the name of an element and the pointer to it, or "" if it has none.
func nodeName(n *yaml.Node) (field, name string) {
	for _, path := range [][]string{{"metadata", "name"}, {"name"}, {"key"}} {
		if name := yamlnode.Get(n, path...); name != nil {
			return "/" + strings.Join(path, "/"), name.Value
		}
	}
	return "", ""
}

// pathOf returns a path as findings name a field.
func pathOf(path []step) string {
	keys := make([]string, len(path))
	for i, s := range path {
		keys[i] = s.key
	}
	return fieldpath.Of(keys)
}

// pointerTo returns a path as a JSON patch names it (RFC 6901).
func pointerTo(path []step) string {
	var out strings.Builder
	for _, s := range path {
		out.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(s.key))
	}
	return out.String()
}
