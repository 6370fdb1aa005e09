package resourcelist

import (
	"errors"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// ErrAnchors is the error for a ResourceList whose aliases goldenarch cannot expand: an
// anchor contains itself, or the anchors expand to too many values.
var ErrAnchors = errors.New("a YAML anchor of the ResourceList contains itself, or its anchors expand to more than 100,000 values: write the values out")

// detachEach makes each part of a list independent of the others, so that goldenarch can
// write, move and edit it separately. kustomize writes the configuration of a generator as an alias of the only item.
func detachEach(parts ...*yaml.RNode) error {
	all := &yaml.Node{Kind: yaml.SequenceNode}
	for _, part := range parts {
		if !part.IsNil() {
			all.Content = append(all.Content, part.YNode())
		}
	}
	if err := yamlnode.CheckSize(all); errors.Is(err, yamlnode.ErrAnchors) {
		return ErrAnchors
	} else if err != nil {
		return err
	}
	for _, part := range all.Content {
		detach(part, map[string]*yaml.Node{})
	}
	return nil
}

// detach replaces each alias in a part of a list if its anchor is not before it in the same part: goldenarch may not
// write the rest of the list, may write it later, or may remove it. In YAML, an alias refers to the last anchor of its
// name, so an anchor that the part defines again does not count. anchors has the last anchor of each name.
func detach(n *yaml.Node, anchors map[string]*yaml.Node) {
	if n.Kind == yaml.AliasNode {
		if n.Alias == nil || anchors[n.Value] == n.Alias {
			return
		}
		value := valueOf(n.Alias)
		value.HeadComment, value.LineComment, value.FootComment = n.HeadComment, n.LineComment, n.FootComment
		if value.Kind != yaml.ScalarNode && value.Style&yaml.FlowStyle == 0 {
			value.LineComment = "" // a comment cannot follow a block
		}
		value.Line, value.Column = n.Line, n.Column
		*n = *value
		return
	}
	if n.Anchor != "" {
		anchors[n.Anchor] = n
	}
	for _, child := range n.Content {
		detach(child, anchors)
	}
}

// valueOf returns a copy of a node without aliases, anchors and comments.
func valueOf(n *yaml.Node) *yaml.Node {
	n = yamlnode.Dealias(n)
	out := &yaml.Node{Kind: n.Kind, Style: n.Style, Tag: n.Tag, Value: n.Value}
	for _, child := range n.Content {
		out.Content = append(out.Content, valueOf(child))
	}
	return out
}
