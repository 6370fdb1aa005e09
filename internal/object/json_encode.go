package object

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"
)

// asJSON returns a node as kubectl and the API server would read it from its
// text. It reports false for what hangs together by more than its place
// (aliases, keys that are duplicated) or has keys that are no plain words; the
// text itself must be read then.
func asJSON(n *yaml.Node) ([]byte, bool) {
	var w jsonWriter
	ok := w.node(n)
	return w.Bytes(), ok
}

type jsonWriter struct{ bytes.Buffer }

func (w *jsonWriter) node(n *yaml.Node) bool {
	switch {
	case n.Kind == yaml.DocumentNode && len(n.Content) == 1:
		return w.node(n.Content[0])
	case n.Anchor != "" || n.Style&yaml.TaggedStyle != 0:
		return false
	case n.Kind == yaml.MappingNode:
		return w.mapping(n)
	case n.Kind == yaml.SequenceNode:
		return w.sequence(n)
	case n.Kind == yaml.ScalarNode:
		return w.scalar(n)
	}
	return false
}

func (w *jsonWriter) mapping(n *yaml.Node) bool {
	w.WriteByte('{')
	if HasRepeatedKey(n) {
		return false
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Anchor != "" || !isText(key) {
			return false
		}
		if i > 0 {
			w.WriteByte(',')
		}
		w.text(key.Value)
		w.WriteByte(':')
		if !w.node(n.Content[i+1]) {
			return false
		}
	}
	w.WriteByte('}')
	return true
}

// HasRepeatedKey reports whether a mapping has a key twice. Most have few keys, for which a
// map is not worth making.
func HasRepeatedKey(n *yaml.Node) bool {
	const few = 2 * 16
	if len(n.Content) <= few {
		for i := 0; i+1 < len(n.Content); i += 2 {
			for earlier := 0; earlier < i; earlier += 2 {
				if n.Content[earlier].Value == n.Content[i].Value {
					return true
				}
			}
		}
		return false
	}
	seen := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		if seen[n.Content[i].Value] {
			return true
		}
		seen[n.Content[i].Value] = true
	}
	return false
}

func (w *jsonWriter) sequence(n *yaml.Node) bool {
	w.WriteByte('[')
	for i, element := range n.Content {
		if i > 0 {
			w.WriteByte(',')
		}
		if !w.node(element) {
			return false
		}
	}
	w.WriteByte(']')
	return true
}

func (w *jsonWriter) scalar(n *yaml.Node) bool {
	switch tag := n.ShortTag(); {
	case isText(n):
		w.text(n.Value)
	case n.Style == 0 && tag == yaml.NodeTagInt && isNumber(n.Value),
		n.Style == 0 && tag == yaml.NodeTagBool && (n.Value == "true" || n.Value == "false"):
		w.WriteString(n.Value)
	default:
		return w.ambiguous(n)
	}
	return true
}

// ambiguous writes a scalar that YAML's versions may read in different ways, by
// having its text read.
func (w *jsonWriter) ambiguous(n *yaml.Node) bool {
	text, err := yaml.NewRNode(&yaml.Node{Kind: n.Kind, Style: n.Style, Tag: n.Tag, Value: n.Value}).String()
	if err != nil {
		return false
	}
	data, err := k8syaml.YAMLToJSON([]byte(text))
	if err != nil {
		return false
	}
	w.Write(bytes.TrimSpace(data))
	return true
}

// isText reports whether a scalar is a text for every version of YAML: quoted, a
// block, or plain and no number, no date, and none of the words that stand for
// something (go-yaml v2 resolve.go: resolveTable).
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

// nonNumeric are letters that are in no number, of whatever base, and in no
// date: 10Gi is a text.
const nonNumeric = "ghijklmnpqrsuvwyGHIJKLMNPQRSUVWY"

// boolWords are words that stand for a truth value or nothing in some version of
// YAML, in lower case.
var boolWords = map[string]bool{
	"y": true, "yes": true, "n": true, "no": true, "on": true, "off": true, "true": true, "false": true, "null": true,
}

// isNumber reports whether a text is a number to every reader of numbers.
func isNumber(s string) bool {
	const longest = 15 // digits that a float64 holds
	if len(s) > longest || s[0] == '0' && len(s) > 1 {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// text writes a JSON text.
func (w *jsonWriter) text(s string) {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' || s[i] == '"' || s[i] == '\\' {
			data, err := json.Marshal(s)
			if err != nil {
				panic(fmt.Sprintf("encode a text: %v", err)) // there is no text that cannot be
			}
			w.Write(data)
			return
		}
	}
	w.WriteByte('"')
	w.WriteString(s)
	w.WriteByte('"')
}
