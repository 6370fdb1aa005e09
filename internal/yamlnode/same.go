package yamlnode

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Comparison compares the values of nodes. It follows aliases and merge keys, and ignores
// styles, comments and the order of keys.
type Comparison struct {
	budget int
	depth  int
}

// Same reports whether two trees have the same values, in any form.
func Same(a, b *yaml.Node) bool { return NewComparison().Same(a, b) }

// maxCompared is the maximum number of nodes to compare, including the targets of aliases.
const maxCompared = 10_000_000

// maxDepth is the maximum depth to which trees are compared. An anchor can contain itself.
const maxDepth = 10_000

// NewComparison returns a comparison that compares at most so many nodes.
func NewComparison() *Comparison { return &Comparison{budget: maxCompared} }

// Same reports whether two nodes have the same value.
func (c *Comparison) Same(a, b *yaml.Node) bool {
	if c.budget--; c.budget < 0 || c.depth > maxDepth {
		return false
	}
	c.depth++
	defer func() { c.depth-- }()
	a, b = Dealias(a), Dealias(b)
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

func (c *Comparison) sameElements(a, b []*yaml.Node) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !c.Same(a[i], b[i]) {
			return false
		}
	}
	return true
}

func (c *Comparison) sameFields(a, b *yaml.Node) bool {
	if sameKeys(a, b) {
		for i := 1; i < len(a.Content); i += 2 {
			if !c.Same(a.Content[i], b.Content[i]) {
				return false
			}
		}
		return true
	}
	first, ok := c.Fields(a)
	second, also := c.Fields(b)
	if !ok || !also || len(first) != len(second) {
		return false
	}
	for key, value := range first {
		other, is := second[key]
		if !is || !c.Same(value, other) {
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

// Fields returns the fields of a mapping by key, including those from merge keys. It
// reports false for a duplicate key with different values.
func (c *Comparison) Fields(n *yaml.Node) (map[string]*yaml.Node, bool) {
	out := map[string]*yaml.Node{}
	var merged []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if IsMerge(key) {
			merged = append(merged, MergeSources(value)...)
			continue
		}
		id := c.KeyID(key)
		if first, twice := out[id]; twice && !c.Same(first, value) {
			return nil, false
		} else if !twice {
			out[id] = value
		}
	}
	for _, source := range merged {
		if c.budget--; c.budget < 0 || c.depth > maxDepth || source.Kind != yaml.MappingNode {
			return nil, false
		}
		c.depth++
		fields, ok := c.Fields(source)
		c.depth--
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

// KeyID returns the same text for equal keys.
func (c *Comparison) KeyID(key *yaml.Node) string {
	if c.budget--; c.budget < 0 {
		return ""
	}
	key = Dealias(key)
	if key.Kind == yaml.ScalarNode {
		return key.ShortTag() + " " + key.Value
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%d(", key.Kind)
	for _, child := range key.Content {
		fmt.Fprintf(&out, "%q,", c.KeyID(child))
	}
	return out.String()
}
