package resourcelist

import (
	"sync"
	"sync/atomic"

	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	limits "github.com/goldenarch/goldenarch/internal/bound"
	"github.com/goldenarch/goldenarch/internal/yamledit"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// cut is a ResourceList that goldenarch has cut into its items.
type cut struct {
	apiVersion     string
	functionConfig *yaml.RNode
	results        *yaml.RNode
	items          []item
	needed         func(config, item *yaml.RNode) bool
	known          map[*yaml.RNode]span // the items that the processor gets
	indent         int
	after          []byte
}

// item is an item and the text that it was read from.
type item struct {
	piece
	node *yaml.RNode // nil if the processor does not need it
	// hash is the hash of the node as read. Without a node, it is that of its kind and
	// name.
	hash uint64
}

// read reads a ResourceList. It reports false if it cannot cut the text into items, or if
// the text is not a ResourceList. kyaml then reads the whole text and reports the error.
func (l *Lazy) read(text []byte) (*cut, bool) {
	p, ok := split(text)
	if !ok {
		return nil, false
	}
	c := &cut{indent: p.indent, after: p.after, needed: l.Needed}
	return c, c.readRest(p.rest) && c.readItems(p.items)
}

// readRest reads the text around the items.
func (c *cut) readRest(text []byte) bool {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil || len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return false
	}
	is := map[string]*yaml.Node{}
	for key, value := range yamlnode.Pairs(doc.Content[0]) {
		if key.Kind != yaml.ScalarNode || is[key.Value] != nil {
			return false
		}
		is[key.Value] = value
	}
	if !isText(is["kind"]) || is["kind"].Value != kio.ResourceListKind || !isText(is["apiVersion"]) || is["items"] != nil {
		return false
	}
	c.apiVersion = is["apiVersion"].Value
	if config := is["functionConfig"]; config != nil {
		c.functionConfig = yaml.NewRNode(config)
	}
	if results := is["results"]; results != nil {
		c.results = yaml.NewRNode(results)
	}
	// The value of an alias in them may be in a part that goldenarch does not write.
	return boundEach([]*yaml.RNode{c.functionConfig, c.results}) == nil
}

func isText(n *yaml.Node) bool { return n != nil && n.Kind == yaml.ScalarNode }

// readers is how many items goldenarch reads at the same time.
const readers = 4

// readItems reads each item separately.
func (c *cut) readItems(pieces []piece) bool {
	c.items = make([]item, len(pieces))
	for i, piece := range pieces {
		c.items[i].piece = piece
	}
	var next atomic.Int64
	var failed atomic.Bool
	var wait sync.WaitGroup
	for range min(readers, len(c.items)) {
		wait.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(c.items) || failed.Load() {
					return
				}
				node, ok := readItem(c.items[i].text)
				if !ok {
					failed.Store(true)
					return
				}
				c.items[i] = c.item(c.items[i].piece, yaml.NewRNode(node))
			}
		})
	}
	wait.Wait()
	return !failed.Load()
}

func (c *cut) item(p piece, node *yaml.RNode) item {
	if c.needed != nil && !c.needed(c.functionConfig, node) {
		return item{piece: p, hash: idOf(node.GetKind(), node.GetName())}
	}
	return item{piece: p, node: node, hash: yamledit.Hash(node.YNode())}
}

// readItem reads the list of one item. An item with an alias of another item's anchor is
// not valid YAML on its own. readItem reports false for an item that is nested too deep,
// and the caller's fallback reports the error.
func readItem(text []byte) (*yaml.Node, bool) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil || len(doc.Content) != 1 {
		return nil, false
	}
	sequence := doc.Content[0]
	if sequence.Kind != yaml.SequenceNode || len(sequence.Content) != 1 || sequence.Content[0].Kind != yaml.MappingNode {
		return nil, false
	}
	return sequence.Content[0], limits.Nested(sequence.Content[0]) == nil
}
