package yamledit

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Change is an edit of one value of a document.
type Change struct {
	// Path leads to the value from the root: a key of a mapping, or an element of a list,
	// by its index or its name. [End] is behind the last element. Mappings that are not
	// there are made.
	Path []string
	// Value is the new value. It is nil if the value goes.
	Value *yaml.Node
}

// End as a step of a path is behind the last element of a list, as in a JSON pointer
// (RFC 6901).
const End = "-"

// Apply returns the text of a YAML document after some changes, in their order. It looks at
// the places that the changes name, and at nothing else. Only where a mapping or a list
// replaces another, it compares the two. The error is an [Error].
func Apply(text []byte, changes ...Change) ([]byte, error) {
	if isEmpty(text) {
		return begin(text, changes)
	}
	root, err := read(text)
	if err != nil {
		return nil, err
	}
	want := root
	for _, c := range changes {
		if want, err = c.in(want, c.Path); err != nil {
			return nil, err
		}
	}
	out, _, err := write(text, root, want)
	return out, err
}

// isEmpty reports whether a text has comments at most.
func isEmpty(text []byte) bool {
	var doc yaml.Node
	return yaml.Unmarshal(WithoutVersion(text), &doc) == nil && (len(doc.Content) == 0 || yaml.IsYNodeEmptyDoc(&doc))
}

// begin writes changes of an empty mapping behind a text that has comments at most.
func begin(text []byte, changes []Change) ([]byte, error) {
	var want *yaml.Node
	var err error
	for _, c := range changes {
		if want, err = c.in(want, c.Path); err != nil {
			return nil, err
		}
	}
	if want == nil || len(want.Content) == 0 {
		return text, nil
	}
	s := style{lineBreak: newLineBreaks(text).at(text, len(text)), learned: usual}
	out := bytes.Clone(text)
	if len(out) > 0 && lineStart(out, len(out)) < len(out) {
		out = append(out, s.lineBreak...)
	}
	out = append(out, joined(s.block(want, 0), s)+s.lineBreak...)
	return out, verify(out, want)
}

// in returns a copy of a tree with the change. The copy shares what does not change: so it
// is known to be unchanged.
func (c Change) in(n *yaml.Node, path []string) (*yaml.Node, error) {
	if len(path) == 0 {
		return yamlnode.Unplaced(c.Value), nil
	}
	out := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
	if n != nil && !yamlnode.IsNull(n) {
		copied := *n
		copied.Content = slices.Clone(n.Content)
		out = &copied
	}
	var before *yaml.Node
	at, step := -1, path[0]
	switch out.Kind {
	case yaml.MappingNode:
		at = yamlnode.Field(out, step)
	case yaml.SequenceNode:
		at = elementAt(out, step)
		if at < 0 {
			return nil, c.missing(n, path, "the list has no such element")
		}
	case yaml.DocumentNode, yaml.ScalarNode, yaml.AliasNode:
		return nil, c.missing(n, path, "the value around it is neither a mapping nor a list")
	}
	if at >= 0 && at < len(out.Content) {
		before = out.Content[at]
	}
	if before == nil && c.Value == nil {
		return n, nil
	}
	value, err := c.in(before, path[1:])
	switch {
	case err != nil:
		return nil, err
	case value == nil && out.Kind == yaml.MappingNode:
		out.Content = slices.Delete(out.Content, at-1, at+1)
	case value == nil:
		out.Content = slices.Delete(out.Content, at, at+1)
	case at < 0:
		out.Content = append(out.Content, yamlnode.NewScalar(step, yaml.NodeTagString, 0), value)
	case at == len(out.Content):
		out.Content = append(out.Content, value)
	default:
		out.Content[at] = value
	}
	return out, nil
}

// elementAt returns the index of an element by its index or its name, or -1.
func elementAt(list *yaml.Node, step string) int {
	if step == End {
		return len(list.Content)
	}
	if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(list.Content) {
		return i
	}
	return slices.IndexFunc(list.Content, func(n *yaml.Node) bool {
		n = yamlnode.Dealias(n)
		for _, key := range []string{"name", "key"} {
			if yamlnode.Text(n, key) == step {
				return true
			}
		}
		return yamlnode.Text(n, "metadata", "name") == step
	})
}

func (c Change) missing(n *yaml.Node, rest []string, why string) error {
	line := 1
	if n != nil && n.Line > 0 {
		line = n.Line
	}
	return &Error{
		Line: line, Fix: fixByHand,
		Problem: fmt.Sprintf("there is no %s (%s)", fieldpath.Of(c.Path[:len(c.Path)-len(rest)+1]), why),
	}
}
