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
	s := l.list.known[item]
	var out []*yaml.RNode
	for _, one := range l.list.items[s.from:s.to] {
		if one.node != nil || one.hash != yamlnode.HashOf(kind, name) {
			continue
		}
		if node, ok := readItem(one.text); ok {
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

// resultsOf returns the results of a list, or the results of the input if it has none. If
// each text has one line, the results are already encoded: a run with many findings would
// otherwise encode each of them twice.
func resultsOf(rl *List, before *yaml.RNode) (results *yaml.RNode, encoded []byte, err error) {
	if len(rl.Results) == 0 {
		return before, nil, nil
	}
	var text []byte
	for _, result := range rl.Results { // one after the other: the encoder keeps all that it writes in forty times the memory
		one, err := yaml.Marshal([]finding.Result{result})
		if err != nil {
			return nil, nil, fmt.Errorf("encode the results: %w", err)
		}
		text = append(text, one...)
	}
	if !hasBlock(text) {
		return nil, text, nil
	}
	if results, err = yaml.Parse(string(text)); err != nil {
		return nil, nil, fmt.Errorf("read the results: %w", err)
	}
	return results, nil, nil
}

// hasBlock reports whether YAML may have a text of several lines.
func hasBlock(text []byte) bool {
	return slices.ContainsFunc([]string{": |", ": >", "- |", "- >"}, func(sign string) bool { return bytes.Contains(text, []byte(sign)) })
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
