package manifest

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// EmptyAnnotation is an annotation that items have only inside goldenarch. It records
// whether metadata or metadata.annotations is empty in the file, and how the file writes
// it. goldenarch's annotations fill that field, and the output must restore it.
const EmptyAnnotation = "internal.goldenarch.dev/empty"

const annotationsField = "annotations"

// fill makes sure that an item has metadata.annotations, and returns the value of
// [EmptyAnnotation], or "" if the item needs none. The error names the field that is not
// an object.
func fill(item *yaml.RNode) (string, *notObjectError) {
	node := item.YNode()
	for _, field := range []string{yaml.MetadataField, annotationsField} {
		value := yamlnode.Value(node, field)
		if value == nil {
			value = inherit(node, field)
		}
		expand(value)
		unshare(item.YNode(), value)
		switch {
		case value == nil:
			return "", nil
		case yaml.IsYNodeTaggedNull(value):
			text := value.Value
			value.Kind, value.Tag, value.Value = yaml.MappingNode, yaml.NodeTagMap, ""
			return field + ": " + text, nil
		case value.Kind != yaml.MappingNode:
			return "", &notObjectError{field: field, node: value}
		case len(value.Content) == 0:
			return field + ": {}", nil
		}
		node = value
	}
	return "", nil
}

// inherit gives a mapping its own copy of a field that a merge key brings, and returns the copy;
// nil if no merge key brings it. Otherwise the annotations of tools would hide those that are
// merged.
func inherit(m *yaml.Node, field string) *yaml.Node {
	merged, line := yamlnode.Child(m, field)
	if merged = yamlnode.Dealias(merged); yamlnode.NonNull(merged) == nil {
		return nil
	}
	key, value := yaml.NewStringRNode(field).YNode(), yaml.CopyYNode(merged)
	key.Line = line
	yamlnode.Walk(value, withoutAnchor)
	m.Content = append(m.Content, key, value)
	return value
}

// expand replaces an alias with a copy of its value: otherwise, an annotation would apply
// to both objects that share the value. The copy may still contain aliases.
func expand(n *yaml.Node) {
	if n == nil || n.Kind != yaml.AliasNode {
		return
	}
	expanded := *yaml.CopyYNode(n.Alias)
	yamlnode.Walk(&expanded, withoutAnchor)
	expanded.Line, expanded.Column = n.Line, n.Column
	expanded.HeadComment, expanded.LineComment, expanded.FootComment = n.HeadComment, n.LineComment, n.FootComment
	if expanded.Style&yaml.FlowStyle == 0 && len(expanded.Content) > 0 { // a comment cannot follow a block
		first := expanded.Content[0]
		first.HeadComment, expanded.LineComment = strings.TrimPrefix(first.HeadComment+"\n"+n.LineComment, "\n"), ""
	}
	*n = expanded
}

// unshare gives the aliases of a value in a tree a copy of it, because the value itself gets
// annotations.
func unshare(tree, value *yaml.Node) {
	if value == nil || value.Anchor == "" {
		return
	}
	was := yamlnode.Copy(value)
	yamlnode.Walk(tree, func(n *yaml.Node) {
		if n.Kind == yaml.AliasNode && n.Alias == value {
			n.Alias = was
		}
	})
}

func withoutAnchor(n *yaml.Node) {
	if n.Kind != yaml.AliasNode {
		n.Anchor = ""
	}
}

// set sets an annotation of an item that [fill] has prepared. kyaml's own function would
// move an existing empty object, and lose its comment.
func set(item *yaml.RNode, key, value string) {
	node := item.YNode()
	for _, field := range []string{yaml.MetadataField, annotationsField} {
		child := yamlnode.Value(node, field)
		if child == nil {
			child = yaml.NewMapRNode(nil).YNode()
			node.Content = append(node.Content, yaml.NewStringRNode(field).YNode(), child)
		}
		node = child
	}
	text := yaml.NewStringRNode(value).YNode()
	text.Style = yaml.SingleQuotedStyle // as kyaml does
	yamlnode.Remove(node, key)
	node.Content = append(node.Content, yaml.NewStringRNode(key).YNode(), text)
}

// notObjectError says that a field is not an object, but must be one.
type notObjectError struct {
	field string
	node  *yaml.Node
}

func (e *notObjectError) Error() string {
	field := e.field
	if field == annotationsField {
		field = yaml.MetadataField + "." + field
	}
	what := fmt.Sprintf("the value %q", e.node.Value)
	if e.node.Kind == yaml.SequenceNode {
		what = "a list"
	}
	return fmt.Sprintf("%s is %s, expected an object: correct it", field, what)
}

// drain removes the internal annotations of an item. It then removes an empty object, or
// writes it as it was in the file.
func drain(item *yaml.RNode) {
	root := item.YNode()
	metadata := yamlnode.Value(root, yaml.MetadataField)
	annotations := yamlnode.Value(metadata, annotationsField)
	if annotations == nil {
		return
	}
	was := noteOf(item, EmptyAnnotation)
	for _, key := range append(slices.Clip(internalAnnotations), EmptyAnnotation) {
		yamlnode.Remove(annotations, key)
	}
	if annotations.Kind != yaml.MappingNode || len(annotations.Content) > 0 {
		return
	}
	field, text, _ := strings.Cut(was, ": ")
	if field == annotationsField {
		empty(annotations, text)
		return
	}
	yamlnode.Remove(metadata, annotationsField)
	switch {
	case len(metadata.Content) > 0:
	case field == yaml.MetadataField:
		empty(metadata, text)
	default:
		yamlnode.Remove(root, yaml.MetadataField)
	}
}

// empty writes an empty node as it was in the file: {}, or null in one of its forms.
func empty(n *yaml.Node, text string) {
	n.Content = nil
	if text == "{}" {
		n.Style = yaml.FlowStyle
		return
	}
	n.Kind, n.Tag, n.Value, n.Style = yaml.ScalarNode, yaml.NodeTagNull, text, 0
}
