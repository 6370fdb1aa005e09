package resourcelist

import (
	"errors"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	limits "github.com/goldenarch/goldenarch/internal/bound"
)

// ErrAnchors is the error of a ResourceList whose aliases cannot be written out: an
// anchor contains itself, or the anchors expand beyond all measure.
var ErrAnchors = errors.New("a YAML anchor of the ResourceList contains itself, or its anchors expand to more than 100,000 values: write the values out")

// maxExpanded is how many nodes the aliases of a list may expand to, all in all.
const maxExpanded = 100_000

// boundEach makes each of the parts of a list one that can be written, moved and
// edited by itself.
func boundEach(parts []*yaml.RNode) error {
	budget := maxExpanded
	return boundWithin(&budget, parts)
}

// boundWithin is boundEach, and takes each value that it expands off the budget.
func boundWithin(budget *int, parts []*yaml.RNode) error {
	for _, part := range parts {
		if part.IsNil() {
			continue
		}
		if err := limits.Nested(part.YNode()); err != nil {
			return err
		}
		if err := bound(part.YNode(), budget); err != nil {
			return err
		}
	}
	return nil
}

// bound replaces the aliases in a part of a list whose anchor is not in that part,
// before them. The rest of the list may not be written, is written later, or is
// removed. YAML takes the last anchor of a name, so an anchor that was defined again
// does not count.
func bound(part *yaml.Node, budget *int) error {
	b := binder{anchors: map[string]*yaml.Node{}, budget: budget}
	return b.node(part)
}

type binder struct {
	anchors map[string]*yaml.Node // the last of each name that was written
	budget  *int                  // how many nodes it may still expand to
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

// expand puts the value that an alias stands for in its place.
func (b *binder) expand(n *yaml.Node) error {
	value, err := b.value(n)
	if err != nil {
		return err
	}
	value.HeadComment, value.LineComment, value.FootComment = n.HeadComment, n.LineComment, n.FootComment
	if value.Kind != yaml.ScalarNode && value.Style&yaml.FlowStyle == 0 {
		value.LineComment = "" // a block has no place beside it
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
