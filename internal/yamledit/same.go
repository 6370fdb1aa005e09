package yamledit

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// comparison compares the values of nodes. It follows aliases and merge keys, and ignores
// styles, comments and the order of keys.
type comparison struct {
	budget int
}

// Same reports whether two trees have the same values, in any form.
func Same(a, b *yaml.Node) bool { return newComparison().same(a, b) }

// maxCompared is the maximum number of nodes to compare, including the targets of aliases.
const maxCompared = 10_000_000

func newComparison() *comparison { return &comparison{budget: maxCompared} }

// same reports whether two nodes have the same value.
func (c *comparison) same(a, b *yaml.Node) bool {
	if c.budget--; c.budget < 0 {
		return false
	}
	a, b = target(a), target(b)
	if a == nil || b == nil {
		return a == b
	}
	if a == b {
		return true
	}
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case yaml.ScalarNode:
		return sameScalar(a, b)
	case yaml.SequenceNode:
		return c.sameElements(a.Content, b.Content)
	case yaml.MappingNode:
		return c.sameFields(a, b)
	case yaml.DocumentNode:
		return c.sameElements(a.Content, b.Content)
	case yaml.AliasNode:
	}
	return false
}

func sameScalar(a, b *yaml.Node) bool {
	tag := a.ShortTag()
	return tag == b.ShortTag() && (tag == yaml.NodeTagNull || a.Value == b.Value)
}

func (c *comparison) sameElements(a, b []*yaml.Node) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !c.same(a[i], b[i]) {
			return false
		}
	}
	return true
}

func (c *comparison) sameFields(a, b *yaml.Node) bool {
	if sameKeys(a, b) {
		for i := 1; i < len(a.Content); i += 2 {
			if !c.same(a.Content[i], b.Content[i]) {
				return false
			}
		}
		return true
	}
	first, ok := c.fields(a)
	second, also := c.fields(b)
	if !ok || !also || len(first) != len(second) {
		return false
	}
	for key, value := range first {
		other, is := second[key]
		if !is || !c.same(value, other) {
			return false
		}
	}
	return true
}

// fewFields is how many fields a mapping has at most, for which comparing each key with each
// other takes less time than a map.
const fewFields = 16

// sameKeys reports whether two mappings have the same distinct keys in the same order, each a
// text. Most mappings of an edited document do, and need no map.
func sameKeys(a, b *yaml.Node) bool {
	if len(a.Content) != len(b.Content) || len(a.Content) > 2*fewFields {
		return false
	}
	for i := 0; i+1 < len(a.Content); i += 2 {
		first, second := a.Content[i], b.Content[i]
		if first.Kind != yaml.ScalarNode || second.Kind != yaml.ScalarNode || first.Value != second.Value ||
			first.ShortTag() != yaml.NodeTagString || second.ShortTag() != yaml.NodeTagString {
			return false
		}
		for at := 0; at < i; at += 2 {
			if a.Content[at].Value == first.Value {
				return false
			}
		}
	}
	return true
}

// fields returns the fields of a mapping by key, including those from merge keys. It
// reports false for a duplicate key with different values.
func (c *comparison) fields(n *yaml.Node) (map[string]*yaml.Node, bool) {
	out := map[string]*yaml.Node{}
	var merged []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if isMerge(key) {
			merged = append(merged, sources(value)...)
			continue
		}
		id := c.idOf(key)
		if first, twice := out[id]; twice && !c.same(first, value) {
			return nil, false
		} else if !twice {
			out[id] = value
		}
	}
	for _, source := range merged {
		if c.budget--; c.budget < 0 || source.Kind != yaml.MappingNode {
			return nil, false
		}
		fields, ok := c.fields(source)
		if !ok {
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

// sources returns the mappings of a merge key, in order of precedence.
func sources(value *yaml.Node) []*yaml.Node {
	value = target(value)
	if value.Kind != yaml.SequenceNode {
		return []*yaml.Node{value}
	}
	out := make([]*yaml.Node, len(value.Content))
	for i, one := range value.Content {
		out[i] = target(one)
	}
	return out
}

// idOf returns the same text for equal keys.
func (c *comparison) idOf(key *yaml.Node) string {
	if c.budget--; c.budget < 0 {
		return ""
	}
	key = target(key)
	if key.Kind == yaml.ScalarNode {
		return key.ShortTag() + " " + key.Value
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%d(", key.Kind)
	for _, child := range key.Content {
		fmt.Fprintf(&out, "%q,", c.idOf(child))
	}
	return out.String()
}

// target returns the value of an alias, and any other node unchanged.
func target(n *yaml.Node) *yaml.Node {
	for n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

func isMerge(key *yaml.Node) bool { return key.Tag == yaml.MergeTag && key.Kind == yaml.ScalarNode }

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == yaml.NodeTagNull }
