package manifest

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// jsonNode reads a text that is JSON and that the YAML reader refuses: a string may have the escape \/
// and pairs of surrogates (\ud83d\ude00), which kubectl reads (apimachinery pkg/util/yaml/decoder.go:
// YAMLOrJSONDecoder). It returns nil for any other text.
func jsonNode(text string) *yaml.Node {
	if strings.HasPrefix(text, "---") {
		text = "   " + text[len("---"):]
	}
	if !strings.HasPrefix(strings.TrimSpace(text), "{") || !json.Valid([]byte(text)) {
		return nil
	}
	r := jsonReader{text: text, decoder: json.NewDecoder(strings.NewReader(text)), line: 1}
	r.decoder.UseNumber()
	return &yaml.Node{Kind: yaml.DocumentNode, Line: 1, Column: 1, Content: []*yaml.Node{r.value()}}
}

// isOnlyJSON reports whether a text is JSON that the YAML reader refuses. In a stream of YAML it must be
// written otherwise.
func isOnlyJSON(text string) bool {
	has := func(escape string) bool { return strings.Contains(text, escape) }
	return slices.ContainsFunc([]string{`\/`, `\ud`, `\uD`}, has) && yaml.Unmarshal([]byte(text), &yaml.Node{}) != nil && jsonNode(text) != nil
}

// jsonReader makes nodes of a text that is valid JSON, with the places that the YAML reader gives them.
type jsonReader struct {
	text    string
	decoder *json.Decoder
	line    int // of the offset at
	begin   int // of that line
	at      int
}

// next returns the next token, and a node at its place.
func (r *jsonReader) next() (json.Token, *yaml.Node) {
	start := int(r.decoder.InputOffset())
	start += len(r.text[start:]) - len(strings.TrimLeft(r.text[start:], " \t\r\n,:"))
	if breaks := strings.Count(r.text[r.at:start], "\n"); breaks > 0 {
		r.line += breaks
		r.begin = strings.LastIndexByte(r.text[:start], '\n') + 1
	}
	r.at = start
	token, err := r.decoder.Token()
	if err != nil {
		return nil, nil // the text is valid
	}
	return token, &yaml.Node{Line: r.line, Column: utf8.RuneCountInString(r.text[r.begin:start]) + 1}
}

// value reads the next value.
func (r *jsonReader) value() *yaml.Node { return r.valueOf(r.next()) }

// valueOf returns the value that begins with a token; nil if the token ends an object or an array.
func (r *jsonReader) valueOf(token json.Token, node *yaml.Node) *yaml.Node {
	node.Kind = yaml.ScalarNode
	switch token := token.(type) {
	case json.Delim:
		if node.Style = yaml.FlowStyle; token == '{' {
			node.Kind, node.Tag = yaml.MappingNode, yaml.NodeTagMap
		} else {
			node.Kind, node.Tag = yaml.SequenceNode, yaml.NodeTagSeq
		}
		if token == '}' || token == ']' {
			return nil
		}
		for inner := r.value(); inner != nil; inner = r.value() {
			node.Content = append(node.Content, inner)
		}
	case string:
		node.Tag, node.Style, node.Value = yaml.NodeTagString, yaml.DoubleQuotedStyle, token
	case json.Number:
		node.Value = token.String()
		node.Tag = node.ShortTag()
	case bool:
		node.Tag, node.Value = yaml.NodeTagBool, strconv.FormatBool(token)
	default:
		node.Tag, node.Value = yaml.NodeTagNull, "null"
	}
	return node
}
