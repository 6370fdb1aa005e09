package manifest

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/pattern"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// ourWord matches an apiVersion or a kind that goldenarch reads.
var ourWord = pattern.Of(`(?i)hyperconverged|^hco\.|^ssp\.kubevirt|goldenarch`)

// isForeign reports whether a document is not a Kubernetes object: not a mapping, or
// without apiVersion or kind. If the one that it has is of an object that goldenarch reads,
// the document is an object with a mistake in it.
func isForeign(item *yaml.RNode) bool {
	if item.YNode().Kind != yaml.MappingNode {
		return true
	}
	apiVersion, kind := headOf(item, "apiVersion"), headOf(item, "kind")
	if apiVersion != "" && kind != "" {
		return false
	}
	return !ourWord().MatchString(apiVersion) && !ourWord().MatchString(kind)
}

// headOf returns the text of a field at the top of a document.
func headOf(item *yaml.RNode, field string) string {
	value := yamlnode.Value(item.YNode(), field)
	if value == nil || value.Kind != yaml.ScalarNode || value.ShortTag() == yaml.NodeTagNull {
		return ""
	}
	return strings.TrimSpace(value.Value)
}
