package object

import (
	"errors"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/bound"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// Copy returns a copy of an item that shares nothing with it, with its YAML anchors and
// merge keys expanded. Otherwise an edit below an alias would change every place that uses
// the anchor. An edit beside a merge key would hide what that key merges.
func Copy(item *yaml.RNode) (*yaml.RNode, error) {
	if !yamlnode.HasAlias(item.YNode()) && !yamlnode.HasMergeKey(item.YNode()) {
		return item.Copy(), nil
	}
	if !IsFinite(item.YNode()) {
		return nil, bound.ErrAnchors
	}
	out := yaml.NewRNode(yamlnode.Copy(item.Document()))
	if err := out.DeAnchor(); err != nil {
		return nil, fmt.Errorf("expand the YAML anchors: %w", err)
	}
	return out, nil
}

// IsFinite reports whether an object is finite, and not too large, when its aliases are
// followed.
func IsFinite(n *yaml.Node) bool {
	return !yamlnode.HasAlias(n) || !errors.Is(bound.Node(n), bound.ErrAnchors)
}
