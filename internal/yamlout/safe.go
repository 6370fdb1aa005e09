package yamlout

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

var (
	blocks = yaml.LiteralStyle | yaml.FoldedStyle
	forms  = blocks | yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle
)

// Safe changes a tree so that its texts survive encoding and reading. Where necessary, it
// changes the form of a text to a literal block ("|"), or else to double quotes. It changes
// no value and no comment. An empty null becomes "null" where the encoder would quote it.
func Safe(n *yaml.Node) { safeIn(n, outsideBrackets) }

const outsideBrackets = false

// safeIn makes a tree safe. flow says whether the tree is inside brackets.
func safeIn(n *yaml.Node, flow bool) {
	if n.Kind == yaml.ScalarNode {
		safe(n)
		if flow {
			nameNull(n)
		}
	}
	flow = flow || n.Style&yaml.FlowStyle != 0
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && child.Kind == yaml.ScalarNode {
			safeKey(child)
			nameNull(child)
			continue
		}
		safeIn(child, flow)
	}
}

// nameNull writes an empty null as "null". Inside brackets and as a key, the encoder writes
// an empty null as an empty text (emitterc.go: yaml_emitter_select_scalar_style).
func nameNull(n *yaml.Node) {
	if n.Value == "" && n.Style&forms == 0 && n.ShortTag() == yaml.NodeTagNull {
		n.Value = "null"
	}
}

// String returns the YAML of a node, as kyaml's String does, with its texts safe.
// The node stays as it is.
func String(n *yaml.RNode) (string, error) {
	if n.IsNil() {
		return "", nil
	}
	out := n.Copy()
	Safe(out.YNode())
	text, err := out.String()
	if err != nil {
		return "", fmt.Errorf("encode the YAML: %w", err)
	}
	return text, nil
}

func safe(n *yaml.Node) {
	if !isAmbiguous(n) || survives(n) {
		return
	}
	for _, form := range []yaml.Style{yaml.LiteralStyle, yaml.DoubleQuotedStyle} {
		n.Style = n.Style&^forms | form
		if survives(n) {
			return
		}
	}
}

// safeKey makes the key of a mapping safe. For a key of several lines, quotes are the only
// form that parsers always read correctly.
func safeKey(n *yaml.Node) {
	if n.Style&blocks != 0 || strings.Contains(n.Value, "\n") {
		n.Style = n.Style&^forms | yaml.DoubleQuotedStyle
	}
}

// isAmbiguous reports whether encoding may change a text. It does not change a plain text
// of one line or a quoted text. The encoder writes a plain text of several lines as a
// literal block, which changes only if it begins with a blank or an empty line.
func isAmbiguous(n *yaml.Node) bool {
	switch {
	case n.Style&yaml.FoldedStyle != 0:
		return true
	case n.Style&yaml.LiteralStyle != 0, n.Style&forms == 0 && strings.Contains(n.Value, "\n"):
		return strings.TrimLeft(n.Value, " \t\r\n") != n.Value
	}
	return false
}

// survives reports whether a text is the same after encoding and reading.
func survives(n *yaml.Node) bool {
	alone := &yaml.Node{Kind: yaml.ScalarNode, Style: n.Style, Tag: n.Tag, Value: n.Value}
	key := &yaml.Node{Kind: yaml.ScalarNode, Value: "text"}
	text, err := yaml.NewRNode(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{key, alone}}).String()
	if err != nil {
		return false
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return false
	}
	again := doc.Content[0].Content[1]
	return again.Value == n.Value && again.ShortTag() == n.ShortTag()
}
