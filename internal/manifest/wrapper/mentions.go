package wrapper

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/pattern"
)

const crKind = "HyperConverged"

// hasCR reports whether a text that is YAML, or a template of YAML, or JSON, has a HyperConverged CR.
var hasCR = pattern.OfKind(crKind, crKind)

// HoldsCR reports whether a text holds a HyperConverged CR.
func HoldsCR(text string) bool { return hasCR([]byte(text)) }

// MentionsCR reports whether a value in a node is the kind of a HyperConverged CR. If not,
// the node neither wraps a CR nor holds one as text. MentionsCR does not follow aliases:
// their targets are in the node, too.
func MentionsCR(n *yaml.Node) bool {
	if n.Kind == yaml.ScalarNode {
		return strings.Contains(n.Value, crKind)
	}
	return slices.ContainsFunc(n.Content, MentionsCR)
}
