package yamlnode

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

var (
	blocks = yaml.LiteralStyle | yaml.FoldedStyle
	forms  = blocks | yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle
)

// Safe changes a tree so that its texts survive encoding and reading. Where necessary, it
// changes the form of a text to a literal block ("|"), or else to double quotes. It changes
// no value and no text of a comment. An empty null becomes "null" where the encoder would
// quote it. A comment that the encoder would spoil gets a line of its own.
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
			raiseComments(child, n.Content[i+1])
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

// raiseComments puts comments beside a key above it where the encoder writes them in a wrong
// place. Behind the comment of a key it writes an anchor or a tag of the value without the
// indentation that every reader wants. If the value has a comment in the same line, too, or
// is an alias or in brackets, the encoder writes a comment beside a later key
// (emitterc.go: yaml_emitter_emit_block_mapping_value).
func raiseComments(key, value *yaml.Node) {
	holds := (value.Kind == yaml.MappingNode || value.Kind == yaml.SequenceNode) && value.Style&yaml.FlowStyle == 0 && len(value.Content) > 0
	named := value.Anchor != "" || value.Style&yaml.TaggedStyle != 0
	if named || value.LineComment != "" || !holds && value.Kind != yaml.ScalarNode {
		raise(key, &key.LineComment)
	}
	if holds {
		raise(key, &value.LineComment)
	}
}

// raise moves a comment to the lines above a key.
func raise(key *yaml.Node, comment *string) {
	if *comment != "" && key.HeadComment != "" {
		key.HeadComment += "\n"
	}
	key.HeadComment, *comment = key.HeadComment+*comment, ""
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
