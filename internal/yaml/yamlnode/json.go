package yamlnode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"
)

// JSON returns the JSON of a node as kubectl and the API server read it from its text: they read
// YAML 1.1, and expand aliases and merge keys. The keys are sorted.
func JSON(n *yaml.Node) ([]byte, error) {
	if tree, ok := treeOf(n, serverScalar); ok {
		data, err := json.Marshal(tree)
		if err != nil {
			return nil, fmt.Errorf("encode as JSON: %w", err)
		}
		return data, nil
	}
	item, err := Expanded(yaml.NewRNode(n))
	if err != nil {
		return nil, err
	}
	Safe(item.Document())
	text, err := item.String()
	if err != nil {
		return nil, fmt.Errorf("encode the YAML: %w", err)
	}
	data, err := k8syaml.YAMLToJSON([]byte(text))
	if err == nil {
		return data, nil
	}
	if what, at := beyondJSON(n); at != nil {
		err = fmt.Errorf("line %d: %s", at.Line, what)
	}
	return nil, fmt.Errorf("read the YAML: %w", err)
}

// beyondJSON returns a node that JSON has no form for, and what it is.
func beyondJSON(n *yaml.Node) (what string, at *yaml.Node) {
	for key := range Pairs(n) {
		if k := Dealias(key); k.Kind != yaml.ScalarNode || IsNull(k) {
			return "a key is not a text", key
		}
	}
	if n.Kind == yaml.ScalarNode && n.ShortTag() == yaml.NodeTagFloat && strings.Contains(n.Value, ".") && !strings.ContainsAny(n.Value, "0123456789") {
		return n.Value + " is not a number of JSON", n
	}
	for _, child := range n.Content {
		if what, at = beyondJSON(child); at != nil {
			return what, at
		}
	}
	return "", nil
}

// treeOf returns the value of a node, as encoding/json and YAML's encoders take it. It returns false
// for a node with anchors, aliases, tags or duplicate keys, for a key that is no text, and for a
// scalar that scalar cannot read: the caller must then read the text of the node.
func treeOf(n *yaml.Node, scalar func(*yaml.Node) (any, bool)) (any, bool) {
	if n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 {
		return nil, false
	}
	switch n.Kind {
	case yaml.MappingNode:
		out := make(map[string]any, len(n.Content)/2)
		for field := range slices.Chunk(n.Content, 2) { // a key and its value
			read, _ := treeOf(field[0], scalar)
			key, isText := read.(string)
			value, ok := treeOf(field[1], scalar)
			if _, twice := out[key]; !ok || twice || !isText {
				return nil, false
			}
			out[key] = value
		}
		return out, true
	case yaml.SequenceNode:
		out := make([]any, len(n.Content))
		for i, element := range n.Content {
			var ok bool
			if out[i], ok = treeOf(element, scalar); !ok {
				return nil, false
			}
		}
		return out, true
	case yaml.ScalarNode:
		return scalar(n)
	case yaml.DocumentNode, yaml.AliasNode:
	}
	return nil, false
}

// serverScalar returns the value of a scalar to the API server. What the versions of YAML may read
// differently, it reads again from its text.
func serverScalar(n *yaml.Node) (any, bool) {
	switch tag := n.ShortTag(); {
	case isText(n):
		return n.Value, true
	case n.Style == 0 && tag == yaml.NodeTagInt && isWholeNumber(n.Value):
		return json.Number(n.Value), true
	case n.Style == 0 && tag == yaml.NodeTagBool && (n.Value == "true" || n.Value == "false"):
		return n.Value == "true", true
	}
	text, err := yaml.NewRNode(&yaml.Node{Kind: n.Kind, Style: n.Style, Tag: n.Tag, Value: n.Value}).String()
	if err != nil {
		return nil, false
	}
	data, err := k8syaml.YAMLToJSON([]byte(text))
	return json.RawMessage(bytes.TrimSpace(data)), err == nil
}

// isText reports whether a scalar is a text in every version of YAML. Such a scalar is
// quoted, a block, or plain. A plain one is not a number, not a date, and not one of the
// words with a meaning (go-yaml v2 resolve.go: resolveTable).
func isText(n *yaml.Node) bool {
	if n.Kind != yaml.ScalarNode || n.ShortTag() != yaml.NodeTagString || !utf8.ValidString(n.Value) {
		return false
	}
	switch n.Style {
	case yaml.DoubleQuotedStyle, yaml.SingleQuotedStyle, yaml.LiteralStyle, yaml.FoldedStyle:
		return true
	case 0:
	default:
		return false
	}
	if n.Value == "" {
		return false
	}
	switch first := n.Value[0]; {
	case first >= '0' && first <= '9':
		return strings.ContainsAny(n.Value, nonNumeric)
	case first >= 'a' && first <= 'z' || first >= 'A' && first <= 'Z' || first == '/':
		return len(n.Value) > len("false") || !boolWords[strings.ToLower(n.Value)]
	}
	return false
}

// nonNumeric has letters and signs that occur in no number, in whatever base, and in no date. So
// 10Gi is a text, and so is the schedule of a cron job.
const nonNumeric = "*/ghijklmnpqrsuvwyGHIJKLMNPQRSUVWY"

// boolWords are words, in lower case, that mean a Boolean or null in some version of YAML.
var boolWords = map[string]bool{
	"y": true, "yes": true, "n": true, "no": true, "on": true, "off": true, "true": true, "false": true, "null": true,
}

// isWholeNumber reports whether a text is a number to every reader of numbers.
func isWholeNumber(s string) bool {
	const longest = 15 // digits that a float64 holds
	return len(s) <= longest && (s[0] != '0' || len(s) == 1) && strings.Trim(s, "0123456789") == ""
}
