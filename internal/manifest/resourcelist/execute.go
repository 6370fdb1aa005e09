package resourcelist

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// List is a ResourceList, as a KRM function gets it and changes it.
type List struct {
	Items []*yaml.RNode
	// FunctionConfig is nil if the list has none.
	FunctionConfig *yaml.RNode
	// Results are those of the function. If there are none, the list keeps the results that it
	// has.
	Results []finding.Result
}

// Processor is a KRM function: it changes the items of a list, and adds results.
type Processor func(*List) error

// Lazy executes a processor that does not need all items as nodes. It reads every item,
// but keeps only the text of the items that the processor does not need.
type Lazy struct {
	// Needed reports whether the processor needs an item. If it is nil, it needs all
	// items.
	Needed func(config, item *yaml.RNode) bool
	// Others returns the items that an item of the processor's own represents; nil for an
	// item that is one itself. If it is nil, no item represents others.
	Others func(item *yaml.RNode) iter.Seq[*yaml.RNode]

	list *cut
}

// expand returns the items that an item of the processor's own represents, or the item.
func (l *Lazy) expand(item *yaml.RNode) iter.Seq[*yaml.RNode] {
	if l.Others != nil {
		if others := l.Others(item); others != nil {
			return others
		}
	}
	return slices.Values([]*yaml.RNode{item})
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
	s := l.list.known[item]
	var out []*yaml.RNode
	for _, one := range l.list.items[s.from:s.to] {
		if one.node != nil || !bytes.Contains(one.text, []byte(name)) {
			continue
		}
		if node, ok := readItem(one.text); ok && yamlnode.Text(node, "kind") == kind && yamlnode.Text(node, yaml.MetadataField, "name") == name {
			out = append(out, yaml.NewRNode(node))
		}
	}
	return out
}

// ErrKind is the error of input that is not a ResourceList.
var ErrKind = errors.New("the input is no ResourceList")

// Execute reads a ResourceList, runs the processor on it, and writes it. It returns the
// processor's error, [ErrKind], [ErrShape] or [ErrAnchors]. It also fails for values that
// are nested too deep, text that is not YAML, and a stream that it cannot read or write.
//
// The processor gets one item without fields in place of each run of items that it does not
// need. If the processor leaves that item in the list, Execute writes the items of the run as
// it read them.
func (l *Lazy) Execute(p Processor, in io.Reader, out io.Writer) error {
	text, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("read the ResourceList: %w", err)
	}
	if l.list, err = l.read(text); err != nil {
		return err
	}
	return l.list.execute(l, p, out)
}

// execute runs the processor on a list.
func (c *cut) execute(l *Lazy, p Processor, out io.Writer) error {
	rl := &List{FunctionConfig: c.functionConfig, Items: c.nodes()}
	failed := p(rl)
	text, err := c.written(l, rl)
	if err != nil {
		return err
	}
	if _, err := out.Write(text); err != nil {
		return fmt.Errorf("write the ResourceList: %w", err)
	}
	return failed
}

// places returns the annotations with the places of the items that the input has.
func (c *cut) places(nodes []*yaml.RNode) map[string]map[string]string {
	out := map[string]map[string]string{}
	for i, node := range nodes {
		if _, ok := c.known[node]; ok {
			out[fmt.Sprint(i)] = kioutil.GetInternalAnnotations(node)
		}
	}
	return out
}

// placeLike sets the file and the index of an item that the processor has added. It uses the
// host's form of the annotations: the old domain, the new domain, or both. The host sets the
// annotations of the items in the input.
func placeLike(node *yaml.RNode, places map[string]map[string]string) error {
	if err := kio.ReconcileInternalAnnotations([]*yaml.RNode{node}, places); err != nil {
		return fmt.Errorf("place the new items: %w", err)
	}
	return nil
}
