package kustomization

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// mapping says whether holder makes the mapping of a key.
type mapping int

const (
	existing mapping = iota
	made
)

// holder returns the mapping of a carrier that has, or can have, the last key of a path,
// and that key; nil if the carrier does not set the mapping.
func (c carrier) holder(path []step, m mapping) (*yaml.Node, string) {
	var top *yaml.Node
	rest := path
	if c.change != nil {
		var covers bool
		if rest, covers = c.change.covers(path); !covers {
			return nil, ""
		}
		if len(rest) == 0 {
			return c.change.value, "value"
		}
		top = yamlnode.NonNull(yamlnode.Value(c.change.value, "value"))
	} else {
		top = c.object.YNode()
	}
	last := rest[len(rest)-1]
	if top == nil || last.element {
		return nil, ""
	}
	if m == made {
		return mappingAt(top, rest[:len(rest)-1]), last.key
	}
	if n := lookup(top, rest[:len(rest)-1]); n != nil && n.Kind == yaml.MappingNode {
		return n, last.key
	}
	return nil, ""
}
