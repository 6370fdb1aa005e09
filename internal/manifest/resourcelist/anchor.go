package resourcelist

import (
	"errors"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// ErrAnchors is the error for a ResourceList whose aliases goldenarch cannot expand: an
// anchor contains itself, or the anchors expand to too many values.
var ErrAnchors = errors.New("a YAML anchor of the ResourceList contains itself, or its anchors expand to more than 100,000 values: write the values out")

// maxExpanded is the total number of nodes to which the aliases of a list may expand.
const maxExpanded = 100_000

// detachEach makes each part of a list independent of the others, so that goldenarch can
// write, move and edit it separately.
func detachEach(parts []*yaml.RNode) error {
	budget := maxExpanded
	for _, part := range parts {
		if part.IsNil() {
			continue
		}
		if err := yamlnode.CheckDepth(part.YNode()); err != nil {
			return err
		}
		b := binder{anchors: map[string]*yaml.Node{}, budget: &budget}
		if err := b.node(part.YNode()); err != nil {
			return err
		}
	}
	return nil
}

// binder replaces each alias in a part of a list if its anchor is not before it in the same
// part. goldenarch may not write the rest of the list, may write it later, or may remove
// it. In YAML, an alias refers to the last anchor of its name. So an anchor that the list
// defines again does not count.
type binder struct {
	anchors map[string]*yaml.Node // the last written anchor of each name
	budget  *int                  // how many more nodes it may expand to
}

func (b *binder) node(n *yaml.Node) error {
	if n.Kind == yaml.AliasNode {
		if n.Alias != nil && b.anchors[n.Value] == n.Alias {
			return nil
		}
		return b.expand(n)
	}
	if n.Anchor != "" {
		b.anchors[n.Anchor] = n
	}
	for _, child := range n.Content {
		if err := b.node(child); err != nil {
			return err
		}
	}
	return nil
}

// expand replaces an alias with its value.
func (b *binder) expand(n *yaml.Node) error {
	value, err := b.value(n)
	if err != nil {
		return err
	}
	value.HeadComment, value.LineComment, value.FootComment = n.HeadComment, n.LineComment, n.FootComment
	if value.Kind != yaml.ScalarNode && value.Style&yaml.FlowStyle == 0 {
		value.LineComment = "" // a comment cannot follow a block
	}
	value.Line, value.Column = n.Line, n.Column
	*n = *value
	return nil
}

// value returns a copy of a node without aliases, anchors and comments.
func (b *binder) value(n *yaml.Node) (*yaml.Node, error) {
	if *b.budget--; *b.budget < 0 {
		return nil, ErrAnchors
	}
	if n.Kind == yaml.AliasNode {
		if n.Alias == nil {
			return nil, ErrAnchors
		}
		return b.value(n.Alias)
	}
	out := &yaml.Node{Kind: n.Kind, Style: n.Style, Tag: n.Tag, Value: n.Value}
	for _, child := range n.Content {
		value, err := b.value(child)
		if err != nil {
			return nil, err
		}
		out.Content = append(out.Content, value)
	}
	return out, nil
}
