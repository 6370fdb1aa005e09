package resourcelist

import (
	"errors"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// ErrShape is the error for a ResourceList that kyaml would read only in part: one of its
// own keys is duplicated, or is or has an alias or a merge key.
var ErrShape = errors.New("goldenarch cannot read all of the ResourceList")

// shaped reports what kyaml would silently leave out of a ResourceList. kyaml reads only
// the first of two equal keys. It does not follow an alias in place of the items, and it
// ignores the fields of a merge key. kyaml itself reports text that is not YAML.
func shaped(text []byte) error {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil || len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil // kyaml says what is wrong
	}
	seen := map[string]bool{}
	for key, value := range yamlnode.Pairs(doc.Content[0]) {
		switch {
		case key.Kind != yaml.ScalarNode, key.Tag == "!!merge":
			return fmt.Errorf("%w: line %d has an alias or a merge key in the place of a key: write the key out", ErrShape, key.Line)
		case seen[key.Value]:
			return fmt.Errorf("%w: duplicate key %q in line %d: remove one of them", ErrShape, key.Value, key.Line)
		case value.Kind == yaml.AliasNode && frameworkKeys[key.Value]:
			return fmt.Errorf("%w: %q in line %d is an alias: write the value out", ErrShape, key.Value, key.Line)
		}
		seen[key.Value] = true
	}
	return nil
}

// frameworkKeys are the keys of a ResourceList that kyaml reads by their text or content.
var frameworkKeys = map[string]bool{"apiVersion": true, "kind": true, "metadata": true, "items": true}
