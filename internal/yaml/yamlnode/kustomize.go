package yamlnode

import (
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
	tree, ok := treeOf(n, plainScalar)
	if !ok {
		return nil, false
	}
	text, err := yamlv2.Marshal(tree)
	return text, err == nil
}

// plainScalar returns the value of a scalar that all readers and writers of YAML and JSON treat alike.
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
		return number, err == nil && isWholeNumber(n.Value)
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
