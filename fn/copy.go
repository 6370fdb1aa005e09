package fn

import (
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// copyOf returns a copy of an item that shares nothing with it, with its YAML
// anchors expanded: an edit below an alias would change every place that uses
// the anchor. kyaml's own copy keeps aliases pointing into the original, which
// expanding them would spoil.
func copyOf(item *yaml.RNode) (*yaml.RNode, error) {
	if !hasAlias(item.YNode()) {
		return item.Copy(), nil
	}
	text, err := item.String()
	if err != nil {
		return nil, fmt.Errorf("encode the YAML: %w", err)
	}
	out, err := yaml.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("read the YAML anchors, which must be in the same object: %w", err)
	}
	if err := out.DeAnchor(); err != nil {
		return nil, fmt.Errorf("expand the YAML anchors: %w", err)
	}
	return out, nil
}

func hasAlias(n *yaml.Node) bool {
	return n.Kind == yaml.AliasNode || slices.ContainsFunc(n.Content, hasAlias)
}
