package yamlnode

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Comparison compares the values of nodes. It follows aliases and merge keys, and ignores
// styles, comments and the order of keys.
type Comparison struct {
	budget, left int
	depth        int
}

// Same reports whether two trees have the same values, in any form.
func Same(a, b *yaml.Node) bool { return NewComparison(a, b).Same(a, b) }

// A comparison of trees follows at most so many steps, and so many more for each node of the
// trees. Aliases can make a small text large.
const (
	comparedAtLeast = 10_000_000
	comparedANode   = 32
)

// maxDepth is the maximum depth to which trees are compared. An anchor can contain itself.
const maxDepth = 10_000

// NewComparison returns a comparison with a budget for the nodes of some trees.
func NewComparison(trees ...*yaml.Node) *Comparison {
	budget := comparedAtLeast
	for _, tree := range trees {
		budget += comparedANode * size(tree)
	}
	return NewComparisonOf(budget)
}

// NewComparisonOf returns a comparison of at most so many steps.
func NewComparisonOf(budget int) *Comparison { return &Comparison{budget: budget, left: budget} }

// size returns the number of nodes that a tree has in its text.
func size(n *yaml.Node) int {
	out := 0
	if n != nil {
		Walk(n, func(*yaml.Node) { out++ })
	}
	return out
}

// Exhausted reports whether the budget was too small. Then no answer of the comparison
// counts.
func (c *Comparison) Exhausted() bool { return c.left < 0 }

// Budget returns the number of steps that the comparison has.
func (c *Comparison) Budget() int { return c.budget }

// Same reports whether two nodes have the same value.
func (c *Comparison) Same(a, b *yaml.Node) bool {
	if c.left--; c.left < 0 || c.depth > maxDepth {
		return false
	}
	c.depth++
	defer func() { c.depth-- }()
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
		return c.sameFields(a, b)
	case yaml.SequenceNode, yaml.DocumentNode:
		return slices.EqualFunc(a.Content, b.Content, c.Same)
	case yaml.AliasNode:
	}
	return false
}

func sameScalar(a, b *yaml.Node) bool {
	tag := a.ShortTag()
	return tag == b.ShortTag() && (tag == yaml.NodeTagNull || a.Value == b.Value)
}

func (c *Comparison) sameFields(a, b *yaml.Node) bool {
	if SameKeys(a, b) {
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

// Fields returns the fields of a mapping by key, including those from merge keys. It
// reports false for a duplicate key with different values.
func (c *Comparison) Fields(n *yaml.Node) (map[string]*yaml.Node, bool) {
	out := map[string]*yaml.Node{}
	var merged []*yaml.Node
	for key, value := range Pairs(n) {
		if IsMerge(key) {
			merged = append(merged, mergeSources(value)...)
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
		if c.left--; c.left < 0 || c.depth > maxDepth || source.Kind != yaml.MappingNode {
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
	if c.left--; c.left < 0 {
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
