package transformers

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// This file is the little that is needed to edit YAML nodes in place: kyaml's
// own filters drop the comments of a field they replace.

// field returns the index of a key's value in a mapping's content, -1 if the
// key is not there.
func field(m *yaml.Node, key string) int {
	if m == nil || m.Kind != yaml.MappingNode {
		return -1
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			return i + 1
		}
	}
	return -1
}

// get returns the value of a key, nil if it is not there or null.
func get(m *yaml.Node, key string) *yaml.Node {
	i := field(m, key)
	if i < 0 || isNull(m.Content[i]) {
		return nil
	}
	return m.Content[i]
}

// lookup returns the node at a path, nil if it is not there.
func lookup(n *yaml.Node, path []string) *yaml.Node {
	if n.Kind == yaml.DocumentNode {
		n = n.Content[0]
	}
	for _, key := range path {
		if n = get(n, key); n == nil {
			return nil
		}
	}
	return n
}

// mapping returns the mapping at a path, made where it is missing or null.
func mapping(n *yaml.Node, path ...string) *yaml.Node {
	if n.Kind == yaml.DocumentNode {
		n = n.Content[0]
	}
	for _, key := range path {
		n = child(n, key, newMapping)
	}
	return n
}

// sequence returns the list below a key, made where it is missing or null.
func sequence(m *yaml.Node, key string) *yaml.Node {
	n := child(m, key, newSequence)
	if len(n.Content) == 0 {
		n.Style = 0 // "[]" would make its entries flow style as well
	}
	return n
}

func child(m *yaml.Node, key string, create func() *yaml.Node) *yaml.Node {
	if n := get(m, key); n != nil {
		return n
	}
	n := create()
	put(m, key, n)
	return n
}

// put sets a key to a node. The comments of a value that it replaces stay.
func put(m *yaml.Node, key string, value *yaml.Node) {
	if i := field(m, key); i >= 0 {
		old := m.Content[i]
		value.HeadComment, value.LineComment, value.FootComment = old.HeadComment, old.LineComment, old.FootComment
		m.Content[i] = value
		return
	}
	if len(m.Content) == 0 {
		m.Style = 0 // "{}" would make its fields flow style as well
	}
	m.Content = append(m.Content, newScalar(key, yaml.NodeTagString, 0), value)
}

// setString sets a key to a string. A string that is there keeps its quotes
// and comments; style is for a new one.
func setString(m *yaml.Node, key, value string, style yaml.Style) {
	if old := get(m, key); old != nil && old.Kind == yaml.ScalarNode {
		if old.Value == value && old.Tag == yaml.NodeTagString {
			return
		}
		old.Value, old.Tag = value, yaml.NodeTagString
		if style != 0 && old.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) == 0 {
			old.Style = style
		}
		return
	}
	put(m, key, newScalar(value, yaml.NodeTagString, style))
}

// setBool sets a key to a bool.
func setBool(m *yaml.Node, key string, value bool) {
	text := "false"
	if value {
		text = "true"
	}
	if old := get(m, key); old != nil && old.Tag == yaml.NodeTagBool && old.Value == text {
		return
	}
	put(m, key, newScalar(text, yaml.NodeTagBool, 0))
}

// remove takes a key out of a mapping.
func remove(m *yaml.Node, key string) {
	if i := field(m, key); i >= 0 {
		m.Content = slices.Delete(m.Content, i-1, i+1)
	}
}

func newMapping() *yaml.Node  { return &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap} }
func newSequence() *yaml.Node { return &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq} }

func newScalar(value, tag string, style yaml.Style) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: value, Style: style}
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == yaml.NodeTagNull }
