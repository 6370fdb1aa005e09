package podspec

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// tellingFields are fields that identify a PodSpec or a placement. tellingKinds are the
// kinds that may lack them.
var (
	tellingFields = []string{"containers", "nodeSelector", "nodeAffinity", "relatedImages"}
	tellingKinds  = []string{"CatalogSource", "Subscription", "ClusterExtension", "ClusterServiceVersion"}
)

// Words returns the words of which each text has one whose items [MayHave] PodSpecs.
func Words() []string { return slices.Concat(tellingFields, tellingKinds) }

// MayHave reports whether an item may hold PodSpecs or placements, whatever kinds a
// configuration names. Such an item has one of the fields that identify them. This package
// can ignore all other items.
func MayHave(item *yaml.Node) bool { return mayHave(item, 0) }

func mayHave(n *yaml.Node, depth int) bool {
	if depth > deepestInItem {
		return false
	}
	if n.Kind == yaml.MappingNode {
		for key, value := range yamlnode.Fields(n) {
			switch {
			case slices.Contains(tellingFields, key), key == "kind" && slices.Contains(tellingKinds, value.Value):
				return true
			}
		}
	}
	for _, child := range n.Content {
		if len(child.Content) > 0 && mayHave(child, depth+1) {
			return true
		}
	}
	return false
}

// deepestInItem is the maximum depth to search in an item, including wrappers and their
// content.
const deepestInItem = 4 * deepestField
