package resourcelist

import (
	"errors"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// ErrAnchors is the error for a ResourceList in which an alias refers to an anchor that is not before it in
// the same item. goldenarch writes, edits and removes each item by itself, and no host writes such a list.
var ErrAnchors = errors.New("a YAML alias of the ResourceList refers to an anchor outside of its item: write the value out")

// checkAnchors returns [ErrAnchors] if a part of a list depends on another one.
func checkAnchors(parts ...*yaml.RNode) error {
	for _, part := range parts {
		if part.IsNil() {
			continue
		}
		if err := yamlnode.CheckDepth(part.YNode()); err != nil {
			return err
		}
		if line := outside(part.YNode(), map[string]*yaml.Node{}); line > 0 {
			return fmt.Errorf("line %d: %w", line, ErrAnchors)
		}
	}
	return nil
}

// outside returns the line of an alias whose anchor is not before it, and 0 if there is none. An alias refers to the
// last anchor of its name, so one that the part defines again does not count.
func outside(n *yaml.Node, anchors map[string]*yaml.Node) int {
	if n.Kind == yaml.AliasNode && (n.Alias == nil || anchors[n.Value] != n.Alias) {
		return max(n.Line, 1)
	}
	if n.Anchor != "" {
		anchors[n.Anchor] = n
	}
	for _, child := range n.Content {
		if line := outside(child, anchors); line > 0 {
			return line
		}
	}
	return 0
}
