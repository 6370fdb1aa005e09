package yamlnode

import (
	"slices"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Field returns the index of a key's value in a mapping's content, -1 if the
// key is not there.
func Field(m *yaml.Node, key string) int {
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

// Value returns the value of a key as it is written, for an edit; nil if it is not there. An
// alias stays one, because an edit of its target would change other places, too.
func Value(m *yaml.Node, key string) *yaml.Node {
	if i := Field(m, key); i >= 0 {
		return m.Content[i]
	}
	return nil
}

// NonNull returns a node, or nil for a null.
func NonNull(n *yaml.Node) *yaml.Node {
	if n == nil || IsNull(n) {
		return nil
	}
	return n
}

// Mapping returns the mapping at a path, made where it is missing or null.
func Mapping(n *yaml.Node, path ...string) *yaml.Node {
	if n.Kind == yaml.DocumentNode {
		n = n.Content[0]
	}
	for _, key := range path {
		n = child(n, key, NewMapping())
	}
	return n
}

// Sequence returns the list below a key, made where it is missing or null, or where an empty mapping is: an upgrade of HCO
// leaves one in the place of an empty list (hco #4549).
func Sequence(m *yaml.Node, key string) *yaml.Node {
	n := child(m, key, NewSequence())
	if len(n.Content) == 0 {
		n.Style = 0 // "[]" would make its entries flow style as well
	}
	return n
}

// child returns the value of a key, or made in its place if there is none of its kind.
func child(m *yaml.Node, key string, made *yaml.Node) *yaml.Node {
	n := NonNull(Value(m, key))
	if n == nil || n.Kind != made.Kind && n.Kind != yaml.ScalarNode && len(n.Content) == 0 {
		n = made
		Put(m, key, n)
	}
	return n
}

// Put sets a key to a node. The comments of a value that it replaces stay.
func Put(m *yaml.Node, key string, value *yaml.Node) {
	if i := Field(m, key); i >= 0 {
		old := m.Content[i]
		value.HeadComment, value.LineComment, value.FootComment = old.HeadComment, old.LineComment, old.FootComment
		m.Content[i] = value
		return
	}
	if len(m.Content) == 0 {
		m.Style = 0 // "{}" would make its fields flow style as well
	}
	m.Content = append(m.Content, NewScalar(key, yaml.NodeTagString, 0), value)
}

// SetString sets a key to a string. A string that is there keeps its quotes
// and comments; style is for a new one.
func SetString(m *yaml.Node, key, value string, style yaml.Style) {
	if old := NonNull(Value(m, key)); old != nil && old.Kind == yaml.ScalarNode {
		if old.Value == value && old.Tag == yaml.NodeTagString {
			return
		}
		old.Value, old.Tag = value, yaml.NodeTagString
		if style != 0 && old.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) == 0 {
			old.Style = style
		}
		return
	}
	Put(m, key, NewScalar(value, yaml.NodeTagString, style))
}

// SetBool sets a key to a bool.
func SetBool(m *yaml.Node, key string, value bool) {
	text := strconv.FormatBool(value)
	if old := NonNull(Value(m, key)); old != nil && old.Tag == yaml.NodeTagBool && old.Value == text {
		return
	}
	Put(m, key, NewScalar(text, yaml.NodeTagBool, 0))
}

// Remove takes a key out of a mapping.
func Remove(m *yaml.Node, key string) {
	if i := Field(m, key); i >= 0 {
		m.Content = slices.Delete(m.Content, i-1, i+1)
	}
}

// RemoveFunc takes the keys out of a mapping that a function selects.
func RemoveFunc(m *yaml.Node, selects func(key string) bool) {
	for i := len(m.Content) - 2; i >= 0; i -= 2 {
		if selects(m.Content[i].Value) {
			m.Content = slices.Delete(m.Content, i, i+2)
		}
	}
}

// NewMapping returns an empty mapping.
func NewMapping() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap} }

// NewSequence returns an empty list.
func NewSequence() *yaml.Node { return &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq} }

// NewScalar returns a value with a tag and a style.
func NewScalar(value, tag string, style yaml.Style) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: value, Style: style}
}

// IsNull reports whether a node is a null.
func IsNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == yaml.NodeTagNull }
