package yamlnode

import (
	"errors"
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Copy returns a copy of a tree that shares nothing with it. An alias of the copy refers to
// the copy of its anchor, also if the anchor is outside the tree. The copy of kyaml
// (yaml.CopyYNode) has aliases that refer to the original, and a copy through text loses
// lines, forms, and comments that the encoder writes where no reader accepts them.
func Copy(n *yaml.Node) *yaml.Node { return copier{}.copy(n) }

// CopyOf returns a tree that shares its nodes with another one, except copies of some nodes and of those on the way to them: an edit of
// these nodes leaves the other tree as it is. The tree has no aliases.
func CopyOf(n *yaml.Node, edited map[*yaml.Node]bool) *yaml.Node {
	var content []*yaml.Node
	if edited[n] {
		content = slices.Clone(n.Content)
	}
	for i, child := range n.Content {
		copied := CopyOf(child, edited)
		if copied == child {
			continue
		}
		if content == nil {
			content = slices.Clone(n.Content)
		}
		content[i] = copied
	}
	if content == nil && !edited[n] {
		return n
	}
	out := *n
	out.Content = content
	return &out
}

// Unplaced returns a copy of a tree for another document: it has no positions, because
// those of the tree are of the text that it was read from. Its aliases are expanded.
func Unplaced(n *yaml.Node) *yaml.Node {
	if n = Dealias(n); n == nil {
		return nil
	}
	out := *n
	out.Line, out.Column = 0, 0
	out.Content = slices.Clone(n.Content)
	for i, child := range out.Content {
		out.Content[i] = Unplaced(child)
	}
	return &out
}

// copier has the copies by their originals.
type copier map[*yaml.Node]*yaml.Node

func (c copier) copy(n *yaml.Node) *yaml.Node {
	if n == nil {
		return nil
	}
	if out, known := c[n]; known {
		return out
	}
	out := *n
	c[n] = &out // before its content, which can have an alias that refers to it
	out.Content = slices.Clone(n.Content)
	for i, child := range out.Content {
		out.Content[i] = c.copy(child)
	}
	out.Alias = c.copy(n.Alias)
	return &out
}

// HasAlias reports whether a tree contains an alias.
func HasAlias(n *yaml.Node) bool {
	return n.Kind == yaml.AliasNode || slices.ContainsFunc(n.Content, HasAlias)
}

// HasMergeKey reports whether a mapping in a tree has the key "<<".
func HasMergeKey(n *yaml.Node) bool {
	return hasMerge(n) || slices.ContainsFunc(n.Content, HasMergeKey)
}

// Expanded returns a copy of an item that shares nothing with it, with its YAML anchors and
// merge keys expanded. Otherwise an edit below an alias would change every place that uses
// the anchor. An edit beside a merge key would hide what that key merges.
func Expanded(item *yaml.RNode) (*yaml.RNode, error) {
	if !HasAlias(item.YNode()) && !HasMergeKey(item.YNode()) {
		return item.Copy(), nil
	}
	if !IsFinite(item.YNode()) {
		return nil, ErrAnchors
	}
	out := yaml.NewRNode(Copy(item.Document()))
	if err := out.DeAnchor(); err != nil {
		return nil, fmt.Errorf("expand the YAML anchors: %w", err)
	}
	return out, nil
}

// IsFinite reports whether an object is finite, and not too large, when its aliases are
// followed.
func IsFinite(n *yaml.Node) bool {
	return !HasAlias(n) || !errors.Is(CheckSize(n), ErrAnchors)
}
