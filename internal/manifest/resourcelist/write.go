package resourcelist

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/parallel"
	"github.com/goldenarch/goldenarch/internal/yaml/yamledit"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// written returns the text of a processed list. Its parts are in kyaml's order.
func (c *cut) written(l *Lazy, rl *List) ([]byte, error) {
	var out bytes.Buffer
	out.Grow(c.size() + bytes.MinRead) // a growing buffer takes three times as much memory
	if err := encodeFields(&out, scalar("apiVersion"), scalar(c.apiVersion), scalar("kind"), scalar(kio.ResourceListKind)); err != nil {
		return nil, err
	}
	if err := c.writeItems(&out, l, rl.Items); err != nil {
		return nil, err
	}
	if !rl.FunctionConfig.IsNil() {
		if err := encodeFields(&out, scalar("functionConfig"), rl.FunctionConfig.YNode()); err != nil {
			return nil, err
		}
	}
	err := c.writeResults(&out, rl.Results)
	return out.Bytes(), err
}

func encodeFields(out *bytes.Buffer, fields ...*yaml.Node) error {
	return encode(out, &yaml.Node{Kind: yaml.MappingNode, Content: fields})
}

// writeResults writes results, or those of the input if there are none: one after the other, because the encoder keeps
// all that it writes in forty times the memory.
func (c *cut) writeResults(out *bytes.Buffer, results []finding.Result) error {
	if len(results) == 0 {
		if c.results == nil {
			return nil
		}
		return encodeFields(out, scalar("results"), c.results.YNode())
	}
	out.WriteString("results:\n")
	for _, result := range results {
		text, err := yaml.Marshal([]finding.Result{result})
		if err != nil {
			return fmt.Errorf("encode the results: %w", err)
		}
		if !hasBlock(text) {
			out.Write(text)
			continue
		}
		again, err := yaml.Parse(string(text))
		if err != nil {
			return fmt.Errorf("read the results: %w", err)
		}
		if err := encode(out, again.YNode()); err != nil {
			return err
		}
	}
	return nil
}

// hasBlock reports whether YAML may have a text of several lines, which the encoder may write in a form that
// nobody reads.
func hasBlock(text []byte) bool {
	return slices.ContainsFunc([]string{": |", ": >", "- |", "- >"}, func(sign string) bool { return bytes.Contains(text, []byte(sign)) })
}

// writeItems writes each unchanged item as read. It applies the edits of an edited item to
// its text, and encodes the others.
func (c *cut) writeItems(out *bytes.Buffer, l *Lazy, nodes []*yaml.RNode) error {
	if len(nodes) == 0 {
		out.WriteString("items: []\n")
		return nil
	}
	out.WriteString("items:\n")
	places := c.places(nodes)
	changed, err := c.changed(nodes)
	if err != nil {
		return err
	}
	for i, node := range nodes {
		if s, ok := c.known[node]; ok {
			for _, was := range c.items[s.from:s.to] {
				out.Write(was.before)
				if changed[i] != nil {
					out.Write(changed[i])
				} else {
					out.Write(was.text)
				}
			}
			continue
		}
		for item := range l.expand(node) { // one after the other: the nodes of all of them would take much memory
			if err := placeLike(item, places); err != nil {
				return err
			}
			text, err := c.encoded(item)
			if err != nil {
				return err
			}
			out.Write(text)
		}
	}
	out.Write(c.after)
	return nil
}

// changed returns the texts of the items of the input that differ from what was read, nil for any other item: the
// text with the edits, or an encoding if it cannot be edited. That parses and encodes, and
// reads its own item only, so all processors share the work.
func (c *cut) changed(nodes []*yaml.RNode) ([][]byte, error) {
	return parallel.Map(len(nodes), func(i int) ([]byte, error) {
		s, ok := c.known[nodes[i]]
		if !ok {
			return nil, nil
		}
		was := c.items[s.from]
		if was.node == nil || yamlnode.Hash(nodes[i].YNode()) == was.hash {
			return nil, nil
		}
		list := &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq, Content: []*yaml.Node{nodes[i].YNode()}}
		if text, err := yamledit.Update(was.text, list); err == nil {
			return text, nil
		}
		return c.encoded(nodes[i])
	})
}

// size returns the number of bytes of the items in the input.
func (c *cut) size() int {
	out := 0
	for _, i := range c.items {
		out += len(i.before) + len(i.text)
	}
	return out
}

// encoded encodes an item with the indentation of the other items.
func (c *cut) encoded(node *yaml.RNode) ([]byte, error) {
	if err := detachEach(node); err != nil {
		return nil, fmt.Errorf("encode an item: %w", err)
	}
	text, err := encodeItem(node)
	if err != nil || c.indent == 0 {
		return text, err
	}
	var out []byte
	for line := range bytes.Lines(text) {
		if len(line) > 1 {
			out = append(out, strings.Repeat(" ", c.indent)...)
		}
		out = append(out, line...)
	}
	return out, nil
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
