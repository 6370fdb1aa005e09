package yamlnode

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Same reports whether two trees have the same values, in any form. It follows aliases and merge
// keys, and ignores styles, comments and the order of keys. Trees that [CheckSize] refuses are not the same.
func Same(a, b *yaml.Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	return CheckSize(a) == nil && CheckSize(b) == nil && equal(a, b)
}

func equal(a, b *yaml.Node) bool {
	a, b = Dealias(a), Dealias(b)
	if a == nil || b == nil || a == b {
		return a == b
	}
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case yaml.ScalarNode:
		return sameScalar(a, b)
	case yaml.MappingNode:
		return sameFields(a, b)
	case yaml.SequenceNode, yaml.DocumentNode:
		return slices.EqualFunc(a.Content, b.Content, equal)
	case yaml.AliasNode:
	}
	return false
}

func sameScalar(a, b *yaml.Node) bool {
	tag := a.ShortTag()
	return tag == b.ShortTag() && (tag == yaml.NodeTagNull || a.Value == b.Value)
}

func sameFields(a, b *yaml.Node) bool {
	if SameKeys(a, b) {
		for i := 1; i < len(a.Content); i += 2 {
			if !equal(a.Content[i], b.Content[i]) {
				return false
			}
		}
		return true
	}
	first, ok := FieldsByKey(a)
	second, also := FieldsByKey(b)
	if !ok || !also || len(first) != len(second) {
		return false
	}
	for key, value := range first {
		other, is := second[key]
		if !is || !equal(value, other) {
			return false
		}
	}
	return true
}

// SameKeys reports whether two mappings have the same distinct keys in the same order, each a
// text. Most mappings of an edited document do, and need no map.
func SameKeys(a, b *yaml.Node) bool {
	if len(a.Content) != len(b.Content) || HasRepeatedKey(a) {
		return false
	}
	for i := 0; i+1 < len(a.Content); i += 2 {
		first, second := a.Content[i], b.Content[i]
		if first.Kind != yaml.ScalarNode || second.Kind != yaml.ScalarNode || first.Value != second.Value ||
			first.ShortTag() != yaml.NodeTagString || second.ShortTag() != yaml.NodeTagString {
			return false
		}
	}
	return true
}

// FieldsByKey returns the fields of a mapping by key, including those from merge keys. It
// reports false for a duplicate key with different values.
func FieldsByKey(n *yaml.Node) (map[string]*yaml.Node, bool) {
	out := map[string]*yaml.Node{}
	var merged []*yaml.Node
	for key, value := range Pairs(n) {
		if IsMerge(key) {
			merged = append(merged, mergeSources(value)...)
			continue
		}
		id := KeyID(key)
		if first, twice := out[id]; twice && !equal(first, value) {
			return nil, false
		} else if !twice {
			out[id] = value
		}
	}
	for _, source := range merged {
		fields, ok := FieldsByKey(source)
		if !ok || source.Kind != yaml.MappingNode {
			return nil, false
		}
		for id, value := range fields {
			if _, is := out[id]; !is {
				out[id] = value
			}
		}
	}
	return out, true
}

// KeyID returns the same text for equal keys.
func KeyID(key *yaml.Node) string {
	key = Dealias(key)
	if key.Kind == yaml.ScalarNode {
		return key.ShortTag() + " " + key.Value
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%d(", key.Kind)
	for _, child := range key.Content {
		fmt.Fprintf(&out, "%q,", KeyID(child))
	}
	return out.String()
}
