package resourcelist

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/parallel"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
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

// item is an item and the text that it was read from: "- apiVersion: …" and all of its lines.
type item struct {
	// before has the comments directly above the item.
	before []byte
	text   []byte
	node   *yaml.RNode // nil if the processor does not need it
	hash   uint64      // of the node as read
}

// read reads a ResourceList. The texts of its items are parts of the list, or, if it cannot be
// cut, what readWhole writes.
func (l *Lazy) read(text []byte) (*cut, error) {
	if bytes.IndexByte(text, '\r') >= 0 { // a copy takes memory
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	}
	if list, ok := yamlnode.CutList(text); ok {
		c := &cut{items: itemsOf(list), indent: list.Indent, after: list.After, needed: l.Needed}
		items, err := c.readFields(list.Rest)
		if err == nil && list.Fits(items) && detachEach(c.functionConfig, c.results) == nil && c.readItems() {
			return c, nil
		}
	}
	c := &cut{needed: l.Needed}
	return c, c.readWhole(text)
}

// itemsOf returns the elements of a list as items without nodes.
func itemsOf(list yamlnode.List) []item {
	out := make([]item, len(list.Elements))
	for i, element := range list.Elements {
		out[i] = item{before: element.Before, text: element.Text}
	}
	if list.Flow {
		asBlock(out)
	}
	return out
}

// asBlock gives items in brackets the lines of a block. Their texts share one array, because small
// ones take more memory.
func asBlock(items []item) {
	size := 0
	for _, it := range items {
		size += len("- \n") + len(it.text) + len("  ")*bytes.Count(it.text, []byte("\n"))
	}
	lines := make([]byte, 0, size)
	for i, it := range items {
		from := len(lines)
		lines = append(lines, "- "...)
		lines = append(lines, bytes.ReplaceAll(it.text, []byte("\n"), []byte("\n  "))...)
		lines = append(lines, '\n')
		items[i].text = lines[from:len(lines):len(lines)]
	}
}

// readWhole reads a list that cannot be cut: one with an alias of another item's anchor, in a form that
// only YAML's reader understands, or with a mistake. It makes each item independent of the others, and encodes it.
func (c *cut) readWhole(text []byte) error {
	items, err := c.readFields(text)
	if err != nil {
		return err
	}
	parts := []*yaml.RNode{c.functionConfig, c.results}
	if items = yamlnode.NonNull(items); items != nil {
		if items.Kind != yaml.SequenceNode {
			return fmt.Errorf("%w: %q in line %d is no list: write a list", ErrShape, "items", items.Line)
		}
		for _, node := range items.Content {
			parts = append(parts, yaml.NewRNode(node))
		}
	}
	if err := detachEach(parts...); err != nil {
		return fmt.Errorf("read the ResourceList: %w", err)
	}
	c.items = make([]item, len(parts)-2)
	for i, node := range parts[2:] {
		if yamlnode.NonNull(node.YNode()) != nil && node.YNode().Kind != yaml.MappingNode {
			return fmt.Errorf("%w: the item in line %d is no object: write an object", ErrShape, node.YNode().Line)
		}
		if c.items[i].text, err = encodeItem(node); err != nil {
			return err
		}
		c.keep(&c.items[i], node)
	}
	return nil
}

// ErrShape is the error for a ResourceList in which other readers would see something
// else: one of its own keys is duplicated, or is or has an alias or a merge key, its
// items are no list, an item is no object, or another document follows.
var ErrShape = errors.New("goldenarch cannot read all of the ResourceList")

// readFields reads the fields of a list, and returns its items, nil if it has none.
func (c *cut) readFields(text []byte) (*yaml.Node, error) {
	root, err := rootOf(text)
	if err != nil {
		return nil, err
	}
	fields, err := fieldsOf(root)
	switch {
	case err != nil:
		return nil, err
	case !isText(fields["kind"]) || fields["kind"].Value != kio.ResourceListKind:
		return nil, ErrKind
	}
	c.apiVersion = kio.ResourceListAPIVersion
	if version := fields["apiVersion"]; isText(version) {
		c.apiVersion = version.Value
	}
	if config := fields["functionConfig"]; config != nil {
		c.functionConfig = yaml.NewRNode(config)
	}
	if results := fields["results"]; results != nil {
		c.results = yaml.NewRNode(results)
	}
	return fields["items"], nil
}

// rootOf returns the only value of a text. Documents with nothing in them, such as one after a last "---", do not count.
func rootOf(text []byte) (*yaml.Node, error) {
	var root *yaml.Node
	for decoder := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var doc yaml.Node
		err := decoder.Decode(&doc)
		switch {
		case errors.Is(err, io.EOF) && root != nil:
			return root, nil
		case errors.Is(err, io.EOF):
			return nil, ErrKind
		case err != nil:
			return nil, fmt.Errorf("read the ResourceList: %w", err)
		}
		switch value := yamlnode.NonNull(doc.Content[0]); {
		case value != nil && root != nil && yamlnode.Text(root, "kind") == kio.ResourceListKind:
			return nil, fmt.Errorf("%w: another document begins in line %d: remove it", ErrShape, value.Line)
		case value != nil && root != nil:
			return nil, ErrKind
		case value != nil:
			root = value
		}
	}
}

// fieldsOf returns the fields of a list by their keys. Readers differ on which of two equal
// keys counts. Not all follow an alias in place of the items, or a merge key.
func fieldsOf(root *yaml.Node) (map[string]*yaml.Node, error) {
	out := map[string]*yaml.Node{}
	for key, value := range yamlnode.Pairs(root) {
		switch {
		case key.Kind != yaml.ScalarNode, key.Tag == "!!merge":
			return nil, fmt.Errorf("%w: line %d has an alias or a merge key in the place of a key: write the key out", ErrShape, key.Line)
		case out[key.Value] != nil:
			return nil, fmt.Errorf("%w: duplicate key %q in line %d: remove one of them", ErrShape, key.Value, key.Line)
		case value.Kind == yaml.AliasNode && frameworkKeys[key.Value]:
			return nil, fmt.Errorf("%w: %q in line %d is an alias: write the value out", ErrShape, key.Value, key.Line)
		}
		out[key.Value] = value
	}
	return out, nil
}

// frameworkKeys are the keys of a ResourceList that kyaml reads by their text or content.
var frameworkKeys = map[string]bool{"apiVersion": true, "kind": true, "metadata": true, "items": true}

// isText reports whether a node is a single value.
func isText(n *yaml.Node) bool { return n != nil && n.Kind == yaml.ScalarNode }

// readers is how many items goldenarch reads at the same time: more take more memory, and no less time.
const readers = 4

// readItems reads each item separately.
func (c *cut) readItems() bool {
	var failed atomic.Bool
	parallel.Queue(len(c.items), readers, func(i int) {
		if node, ok := readItem(c.items[i].text); ok {
			c.keep(&c.items[i], yaml.NewRNode(node))
		} else {
			failed.Store(true)
		}
	})
	return !failed.Load()
}

// keep keeps the node of an item that the processor needs.
func (c *cut) keep(it *item, node *yaml.RNode) {
	if c.needed == nil || c.needed(c.functionConfig, node) {
		it.node, it.hash = node, yamlnode.Hash(node.YNode())
	}
}

// readItem reads the list of one item. An item with an alias of another item's anchor is
// not valid YAML on its own. readItem reports false for an item that is nested too deep,
// and readWhole reports the error.
func readItem(text []byte) (*yaml.Node, bool) {
	var doc *yaml.Node
	if bytes.Contains(text, []byte(v1alpha1.ArchitectureLockKind)) { // a text takes memory
		doc, _ = yamlnode.ListAsText(string(text), v1alpha1.ArchitectureLockKind, v1alpha1.LockedImages)
	}
	if doc == nil {
		doc = new(yaml.Node)
		if err := yaml.Unmarshal(text, doc); err != nil || len(doc.Content) != 1 {
			return nil, false
		}
	}
	sequence := doc.Content[0]
	if sequence.Kind != yaml.SequenceNode || len(sequence.Content) != 1 || sequence.Content[0].Kind != yaml.MappingNode {
		return nil, false
	}
	return sequence.Content[0], yamlnode.CheckDepth(sequence.Content[0]) == nil
}
