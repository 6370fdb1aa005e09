package yamledit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// inBrackets reports whether a value is written in one line. Only a block collection with
// entries is not.
func inBrackets(n *yaml.Node) bool {
	return n.Kind != yaml.MappingNode && n.Kind != yaml.SequenceNode || len(n.Content) == 0 || n.Style&yaml.FlowStyle != 0
}

// field returns the lines of "key: value" at a column. The first line has no indentation.
func (s style) field(key, value *yaml.Node, column int) []string {
	value = yamlnode.Dealias(value)
	first := s.key(key, inBlock) + ":"
	if inBrackets(value) || s.json {
		return []string{first + " " + s.inLine(value)}
	}
	below := column + s.step
	if value.Kind == yaml.SequenceNode {
		below = column + s.dash
	}
	lines := s.block(value, below)
	return append([]string{first, spaces(below) + lines[0]}, lines[1:]...)
}

// element returns the lines of "- value" at a column. The first line has no indentation.
func (s style) element(value *yaml.Node, column int) []string {
	value = yamlnode.Dealias(value)
	first := "-" + spaces(s.gap)
	if inBrackets(value) || s.json {
		return []string{first + s.inLine(value)}
	}
	lines := s.block(value, column+len(first))
	lines[0] = first + lines[0]
	return lines
}

// block returns the lines of a collection at a column. The first line has no indentation.
func (s style) block(n *yaml.Node, column int) []string {
	var out []string
	s.texts = 0 // the entries have other strings around them
	add := func(lines []string) {
		if len(out) > 0 {
			lines[0] = spaces(column) + lines[0]
		}
		out = append(out, lines...)
	}
	if n.Kind == yaml.SequenceNode {
		for _, value := range n.Content {
			add(s.element(value, column))
		}
		return out
	}
	for key, value := range yamlnode.Pairs(n) {
		add(s.field(key, value, column))
	}
	return out
}

// inLine returns the text of a value in one line, outside brackets.
func (s style) inLine(n *yaml.Node) string {
	if n.Kind == yaml.ScalarNode {
		return s.scalar(n, inBlock)
	}
	return s.brackets(n)
}

// brackets returns the text of a value in one line, valid also inside brackets.
func (s style) brackets(n *yaml.Node) string {
	n = yamlnode.Dealias(n)
	var parts []string
	switch n.Kind {
	case yaml.MappingNode:
		for key, value := range yamlnode.Pairs(n) {
			parts = append(parts, s.pair(key, value))
		}
		return "{" + strings.Join(parts, s.comma()) + "}"
	case yaml.SequenceNode:
		for _, value := range n.Content {
			parts = append(parts, s.brackets(value))
		}
		return "[" + strings.Join(parts, s.comma()) + "]"
	case yaml.ScalarNode, yaml.AliasNode, yaml.DocumentNode:
	}
	return s.scalar(n, inFlow)
}

func (s style) pair(key, value *yaml.Node) string {
	colon := ": "
	if s.tight {
		colon = ":"
	}
	return s.key(key, inFlow) + colon + s.brackets(value)
}

func (s style) comma() string {
	if s.tight {
		return ","
	}
	return ", "
}

func (s style) key(n *yaml.Node, flow bool) string {
	n = yamlnode.Dealias(n)
	if s.json {
		return quote(n.Value)
	}
	return encode(n, s.keys|n.Style&quotes, flow)
}

// scalar returns the text of a scalar. If it needs quotes, they are those of the strings
// around it, or those of the node.
func (s style) scalar(n *yaml.Node, flow bool) string {
	if n.ShortTag() != yaml.NodeTagString {
		return encode(n, 0, flow)
	}
	form := n.Style & quotes
	switch {
	case s.json || strings.ContainsAny(n.Value, "\r\n\u0085\u2028\u2029"):
		return quote(n.Value)
	case s.texts != 0:
		form = s.texts
	case s.quotes != 0 && (form != 0 || strings.HasPrefix(encode(n, 0, flow), `"`)):
		form = s.quotes
	}
	return encode(n, form, flow)
}

// quote returns a text in double quotes, as in JSON.
func quote(text string) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		panic(fmt.Sprintf("encode a text: %v", err)) // every text can be encoded
	}
	// The reader takes U+0085 for a line break, but JSON does not escape it.
	return strings.ReplaceAll(strings.TrimSpace(out.String()), "\u0085", `\u0085`)
}
