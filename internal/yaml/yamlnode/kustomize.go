package yamlnode

import (
	"slices"
	"strconv"

	yamlv2 "go.yaml.in/yaml/v2"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// AsKustomize returns the text of an object as kustomize writes it (kustomize
// api/resource/resource.go: AsYAML). kustomize encodes the object, decodes that, encodes it as
// JSON, and decodes that again before it writes YAML. AsKustomize makes one step of it. It
// returns false for an object of which one of these steps may change a value: the caller must
// then make all of them.
func AsKustomize(n *yaml.Node) ([]byte, bool) {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil, false
	}
	tree, ok := plainTree(n)
	if !ok {
		return nil, false
	}
	text, err := yamlv2.Marshal(tree)
	return text, err == nil
}

// plainTree returns the value of a node. It returns false for a value that not every reader
// and writer of YAML and JSON treats alike.
func plainTree(n *yaml.Node) (any, bool) {
	if n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 {
		return nil, false
	}
	switch n.Kind {
	case yaml.MappingNode:
		out := make(map[string]any, len(n.Content)/2)
		for field := range slices.Chunk(n.Content, 2) { // a key and its value
			key := field[0]
			inner, ok := plainTree(field[1])
			if _, twice := out[key.Value]; !ok || twice || !isPlainKey(key) {
				return nil, false
			}
			out[key.Value] = inner
		}
		return out, true
	case yaml.SequenceNode:
		out := make([]any, len(n.Content))
		for i, element := range n.Content {
			var ok bool
			if out[i], ok = plainTree(element); !ok {
				return nil, false
			}
		}
		return out, true
	case yaml.ScalarNode:
		return plainScalar(n)
	}
	return nil, false
}

func isPlainKey(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && key.Anchor == "" && key.Style&yaml.TaggedStyle == 0 &&
		key.ShortTag() == yaml.NodeTagString && isPlainText(key.Value)
}

// maxDigits is the number of digits of a number that every reader of numbers holds.
const maxDigits = 15

func plainScalar(n *yaml.Node) (any, bool) {
	switch tag := n.ShortTag(); {
	case tag == yaml.NodeTagString:
		return n.Value, isPlainText(n.Value)
	case n.Style != 0:
	case tag == yaml.NodeTagNull:
		return nil, n.Value == "~" || n.Value == "null" // inside brackets, the encoder makes a text of an empty one
	case tag == yaml.NodeTagBool:
		return n.Value == "true", n.Value == "true" || n.Value == "false"
	case tag == yaml.NodeTagInt:
		number, err := strconv.Atoi(n.Value)
		return number, err == nil && number >= 0 && len(n.Value) <= maxDigits && strconv.Itoa(number) == n.Value
	}
	return nil, false
}

// isPlainText reports whether a text is one line of printable ASCII.
func isPlainText(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
