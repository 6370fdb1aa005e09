package resourcelist

import (
	"bytes"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/parallel"
	"github.com/goldenarch/goldenarch/internal/yaml/yamledit"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
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
		if s, ok := c.known[node]; ok {
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
		s, ok := c.known[nodes[i]]
		if !ok {
			return
		}
		for _, was := range c.items[s.from:s.to] {
			if was.node == nil || yamlnode.Hash(nodes[i].YNode()) == was.hash {
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
	if err := detachEach([]*yaml.RNode{node}); err != nil {
		return fmt.Errorf("encode an item: %w", err)
	}
	text, err := encodeItem(node)
	if err != nil {
		return err
	}
	indent := bytes.Repeat([]byte(" "), c.indent)
	for line := range bytes.Lines(text) {
		if len(line) > 1 {
			out.Write(indent)
		}
		out.Write(line)
	}
	return nil
}

// encodeItem returns the text of a list of one item.
func encodeItem(node *yaml.RNode) ([]byte, error) {
	if err := yamlnode.ParseListAsText(node.YNode()); err != nil {
		return nil, fmt.Errorf("encode an item: %w", err)
	}
	if err := yaml.ClearEmptyAnnotations(node); err != nil {
		return nil, fmt.Errorf("encode an item: %w", err)
	}
	var out bytes.Buffer
	err := encode(&out, &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{node.YNode()}})
	return out.Bytes(), err
}

func encode(out *bytes.Buffer, node *yaml.Node) error {
	yamlnode.Safe(node)
	encoder := yaml.NewEncoder(out)
	if err := encoder.Encode(node); err != nil {
		return fmt.Errorf("encode the ResourceList: %w", err)
	}
	if err := encoder.Close(); err != nil {
		return fmt.Errorf("encode the ResourceList: %w", err)
	}
	return nil
}

func scalar(text string) *yaml.Node { return yamlnode.NewScalar(text, yaml.NodeTagString, 0) }
