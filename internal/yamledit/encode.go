package yamledit

import (
	"bytes"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// oldWord has the words that are booleans in YAML 1.1, as the API server reads it
// (sigs.k8s.io/yaml goyaml.v2 resolve.go: resolveTable).
var oldWord = map[string]bool{"y": true, "yes": true, "n": true, "no": true, "on": true, "off": true}

// encode returns the text of a scalar as kyaml's encoder writes it.
func encode(n *yaml.Node, form yaml.Style, flow bool) string {
	if form == 0 && oldWord[strings.ToLower(n.Value)] && n.ShortTag() == yaml.NodeTagString {
		form = yaml.DoubleQuotedStyle
	}
	if form == 0 && isPlainWord(n) {
		return n.Value // an encoder for each word takes most of the time of an edit
	}
	return encoded(n, form, flow)
}

// isPlainWord reports whether the encoder writes a text without quotes: it is a word, and no
// reader takes it for a value of another type.
func isPlainWord(n *yaml.Node) bool {
	if n.Value == "" || n.Style&yaml.TaggedStyle != 0 || n.ShortTag() != yaml.NodeTagString {
		return false
	}
	for i, c := range []byte(n.Value) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || (c < '0' || c > '9') && c != '-' && c != '.' && c != '/' && c != '_') {
			return false
		}
	}
	alone := yaml.Node{Kind: yaml.ScalarNode, Value: n.Value}
	return alone.ShortTag() == yaml.NodeTagString
}

// encoded returns the text of a scalar from kyaml's encoder.
func encoded(n *yaml.Node, form yaml.Style, flow bool) string {
	alone := &yaml.Node{Kind: yaml.ScalarNode, Tag: n.Tag, Value: n.Value, Style: form | n.Style&yaml.TaggedStyle}
	if yamlnode.IsNull(alone) && alone.Value == "" {
		alone.Value = "null"
	}
	list := &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{alone}}
	if flow {
		list.Style = yaml.FlowStyle
	}
	var out bytes.Buffer
	if err := yaml.NewEncoder(&out).Encode(list); err != nil {
		return quote(n.Value)
	}
	text := strings.TrimSpace(out.String())
	if flow {
		return strings.TrimSuffix(strings.TrimPrefix(text, "["), "]")
	}
	return strings.TrimPrefix(text, "- ")
}
