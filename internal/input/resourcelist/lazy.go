package resourcelist

import (
	"hash/maphash"
	"iter"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Lazy executes a processor that does not need all items as nodes. It reads every item,
// but keeps only the text of the items that the processor does not need.
type Lazy struct {
	// Needed reports whether the processor needs an item. If it is nil, it needs all
	// items.
	Needed func(config, item *yaml.RNode) bool
	// Others returns the items that an item of the processor's own represents; it yields
	// none for an item that is one itself. If it is nil, no item represents others.
	Others func(item *yaml.RNode) iter.Seq[*yaml.RNode]

	list *cut
}

// expand returns the items that an item of the processor's own represents, or the item.
func (l *Lazy) expand(item *yaml.RNode) iter.Seq[*yaml.RNode] {
	return func(yield func(*yaml.RNode) bool) {
		if l.Others != nil {
			none := true
			for other := range l.Others(item) {
				none = false
				if !yield(other) {
					return
				}
			}
			if !none {
				return
			}
		}
		yield(item)
	}
}

// span is the range of items that a node represents.
type span struct{ from, to int }

// nodes returns a node for each item that the processor needs, and one node without fields
// for each run of other items.
func (c *cut) nodes() []*yaml.RNode {
	c.known = map[*yaml.RNode]span{}
	var out []*yaml.RNode
	for i, item := range c.items {
		last := len(out) - 1
		if item.node == nil && i > 0 && c.items[i-1].node == nil {
			c.known[out[last]] = span{c.known[out[last]].from, i + 1}
			continue
		}
		node := item.node
		if node == nil {
			node = yaml.NewMapRNode(nil)
		}
		c.known[node] = span{i, i + 1}
		out = append(out, node)
	}
	return out
}

// Named reads the items of a kind and a name that an item without fields represents. It
// returns nothing for an item that the processor needs.
func (l *Lazy) Named(item *yaml.RNode, kind, name string) []*yaml.RNode {
	if l.list == nil {
		return nil
	}
	s := l.list.known[item]
	var out []*yaml.RNode
	for _, one := range l.list.items[s.from:s.to] {
		if one.node != nil || one.hash != idOf(kind, name) {
			continue
		}
		if node, ok := readItem(one.text); ok {
			out = append(out, yaml.NewRNode(node))
		}
	}
	return out
}

// seed is the hash seed of all ids in a process.
var seed = maphash.MakeSeed()

// idOf returns the same number for the same kind and name.
func idOf(kind, name string) uint64 {
	return maphash.String(seed, kind+"\x00"+name)
}
