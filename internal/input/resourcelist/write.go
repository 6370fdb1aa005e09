package resourcelist

import (
	"bytes"
	"fmt"
	"sync/atomic"

	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/bound"
	"github.com/goldenarch/goldenarch/internal/parallel"
	"github.com/goldenarch/goldenarch/internal/yamledit"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
	"github.com/goldenarch/goldenarch/internal/yamlout"
)

// written returns the text of a processed list. Its parts are in kyaml's order.
func (c *cut) written(l *Lazy, rl *List) ([]byte, error) {
	var out bytes.Buffer
	out.Grow(c.size() + bytes.MinRead) // a growing buffer takes three times as much memory
	head := []*yaml.Node{scalar("apiVersion"), scalar(c.apiVersion), scalar("kind"), scalar(kio.ResourceListKind)}
	if err := encode(&out, &yaml.Node{Kind: yaml.MappingNode, Content: head}); err != nil {
		return nil, err
	}
	if err := c.writeItems(&out, l, rl.Items); err != nil {
		return nil, err
	}
	var rest []*yaml.Node
	if !rl.FunctionConfig.IsNil() {
		rest = append(rest, scalar("functionConfig"), rl.FunctionConfig.YNode())
	}
	results, text, err := resultsOf(rl, c.results)
	if err != nil {
		return nil, err
	}
	if results != nil {
		rest = append(rest, scalar("results"), results.YNode())
	}
	if len(rest) > 0 {
		err = encode(&out, &yaml.Node{Kind: yaml.MappingNode, Content: rest})
	}
	if text != nil {
		out.WriteString("results:\n")
		out.Write(text)
	}
	return out.Bytes(), err
}

// writeItems writes each unchanged item as read. It applies the edits of an edited item to
// its text, and encodes the others.
func (c *cut) writeItems(out *bytes.Buffer, l *Lazy, nodes []*yaml.RNode) error {
	if len(nodes) == 0 {
		out.WriteString("items: []\n")
		return nil
	}
	out.WriteString("items:\n")
	places, changes := c.places(nodes), c.changes(nodes)
	for i, node := range nodes {
		if s, is := c.known[node]; is {
			if err := c.writeKnown(out, node, c.items[s.from:s.to], changes[i]); err != nil {
				return err
			}
			continue
		}
		for item := range l.expand(node) { // one after the other: the nodes of all of them would take much memory
			if err := placeLike(item, places); err != nil {
				return err
			}
			if err := c.writeItem(out, item); err != nil {
				return err
			}
		}
	}
	out.Write(c.after)
	return nil
}

// change says whether an item differs from its text, and holds the text with the edits; nil
// if the text cannot be edited.
type change struct {
	differs bool
	text    []byte
}

// changes returns the changes of the items of nodes. An edit parses and encodes, and it
// reads its own item only, so all processors share the work. There is no text for an item
// that stays as read.
func (c *cut) changes(nodes []*yaml.RNode) []change {
	out := make([]change, len(nodes))
	parallel.Each(len(nodes), func(i int) {
		s, is := c.known[nodes[i]]
		if !is {
			return
		}
		for _, was := range c.items[s.from:s.to] {
			if was.node == nil || yamledit.Hash(nodes[i].YNode()) == was.hash {
				continue
			}
			out[i].differs = true
			list := &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq, Content: []*yaml.Node{nodes[i].YNode()}}
			if text, err := yamledit.Update(was.text, list); err == nil {
				out[i].text = text
			}
		}
	})
	return out
}

// writeKnown writes the items of the input that a node is or represents.
func (c *cut) writeKnown(out *bytes.Buffer, node *yaml.RNode, items []item, changed change) error {
	for _, was := range items {
		out.Write(was.before)
		switch {
		case was.node == nil || !changed.differs:
			out.Write(was.text)
			continue
		case changed.text != nil:
			out.Write(changed.text)
			continue
		}
		if err := c.writeItem(out, node); err != nil {
			return err
		}
	}
	return nil
}

// size returns the number of bytes of the items in the input.
func (c *cut) size() int {
	out := 0
	for _, i := range c.items {
		out += len(i.before) + len(i.text)
	}
	return out
}

// writeItem encodes an item with the indentation of the other items.
func (c *cut) writeItem(out *bytes.Buffer, node *yaml.RNode) error {
	if err := yaml.ClearEmptyAnnotations(node); err != nil {
		return fmt.Errorf("encode an item: %w", err)
	}
	if err := boundEach([]*yaml.RNode{node}); err != nil {
		return fmt.Errorf("encode an item: %w", err)
	}
	var text bytes.Buffer
	if err := encode(&text, &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{node.YNode()}}); err != nil {
		return err
	}
	indent := bytes.Repeat([]byte(" "), c.indent)
	for line := range bytes.Lines(text.Bytes()) {
		if len(line) > 1 {
			out.Write(indent)
		}
		out.Write(line)
	}
	return nil
}

func encode(out *bytes.Buffer, node *yaml.Node) error {
	yamlout.Safe(node)
	encoder := yaml.NewEncoder(out)
	if err := encoder.Encode(node); err != nil {
		return fmt.Errorf("encode the ResourceList: %w", err)
	}
	if err := encoder.Close(); err != nil {
		return fmt.Errorf("encode the ResourceList: %w", err)
	}
	return nil
}

func scalar(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: text}
}

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

// item is an item and the text that it was read from: "- apiVersion: …" and all of its lines.
type item struct {
	// before has the comments directly above the item.
	before []byte
	text   []byte
	node   *yaml.RNode // nil if the processor does not need it
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
	c := &cut{items: p.items, indent: p.indent, after: p.after, needed: l.Needed}
	return c, c.readRest(p.rest) && c.readItems()
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
func (c *cut) readItems() bool {
	var failed atomic.Bool
	parallel.Queue(len(c.items), readers, func(i int) {
		if failed.Load() {
			return
		}
		node, ok := readItem(c.items[i].text)
		if !ok {
			failed.Store(true)
			return
		}
		c.keep(&c.items[i], yaml.NewRNode(node))
	})
	return !failed.Load()
}

// keep keeps the node of an item that the processor needs, or its kind and name.
func (c *cut) keep(it *item, node *yaml.RNode) {
	if c.needed != nil && !c.needed(c.functionConfig, node) {
		n := node.YNode() // the accessors of kyaml do not follow aliases
		it.hash = idOf(yamlnode.Text(n, "kind"), yamlnode.Text(n, yaml.MetadataField, "name"))
		return
	}
	it.node, it.hash = node, yamledit.Hash(node.YNode())
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
	return sequence.Content[0], bound.Nested(sequence.Content[0]) == nil
}
