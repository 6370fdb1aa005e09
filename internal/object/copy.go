package object

import (
	"errors"
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/bound"
	"github.com/goldenarch/goldenarch/internal/yamlout"
)

// Copy returns a copy of an item that shares nothing with it, with its YAML anchors and
// merge keys expanded. Otherwise an edit below an alias would change every place that uses
// the anchor. An edit beside a merge key would hide what that key merges. The copy of kyaml
// keeps aliases that point into the original, and expanding them would corrupt it.
func Copy(item *yaml.RNode) (*yaml.RNode, error) {
	if !HasAlias(item.YNode()) && !HasMergeKey(item.YNode()) {
		return item.Copy(), nil
	}
	text, err := yamlout.String(item)
	if err != nil {
		return nil, err
	}
	out, err := yaml.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("read the YAML anchors, which must be in the same object: %w", err)
	}
	if !IsFinite(out.YNode()) {
		return nil, bound.ErrAnchors
	}
	if err := out.DeAnchor(); err != nil {
		return nil, fmt.Errorf("expand the YAML anchors: %w", err)
	}
	return out, nil
}

// IsFinite reports whether an object is finite, and not too large, when its aliases are
// followed.
func IsFinite(n *yaml.Node) bool {
	return !HasAlias(n) || !errors.Is(bound.Node(n), bound.ErrAnchors)
}

// HasAlias reports whether a node contains a YAML alias.
func HasAlias(n *yaml.Node) bool {
	return n.Kind == yaml.AliasNode || slices.ContainsFunc(n.Content, HasAlias)
}

// HasMergeKey reports whether a mapping in a node has the key "<<".
func HasMergeKey(n *yaml.Node) bool {
	if n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Tag == yaml.MergeTag {
				return true
			}
		}
	}
	return slices.ContainsFunc(n.Content, HasMergeKey)
}
