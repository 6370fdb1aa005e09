package fn

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
)

// localConfig marks an item that is for tools, not for the cluster. Any value
// but "false" says so.
const localConfig = "config.kubernetes.io/local-config"

// Product returns the items that go to the cluster: no Nodes, none of
// goldenarch's own kinds, no local configuration. In a List such elements are
// left out, and the List if nothing is left.
func Product(items []*yaml.RNode) []*yaml.RNode {
	var out []*yaml.RNode
	for _, item := range items {
		if forCluster(item) {
			out = append(out, item)
		}
	}
	return out
}

func forCluster(item *yaml.RNode) bool {
	at := refer(item)
	switch {
	case isLocal(item), at.APIVersion == "v1" && (at.Kind == "Node" || at.Kind == "NodeList"):
		return false
	case isOwn(at, v1alpha1.GoldenImagesKind), isOwn(at, v1alpha1.ClusterArchitecturesKind), isOwn(at, v1alpha1.ArchitectureLockKind):
		return false
	}
	list := item.Field("items")
	if _, isList := elementKind(at.Kind); !isList || list == nil || list.Value.YNode().Kind != yaml.SequenceNode {
		return true
	}
	elements := list.Value.YNode()
	before := len(elements.Content)
	elements.Content = slices.DeleteFunc(elements.Content, func(n *yaml.Node) bool { return !forCluster(yaml.NewRNode(n)) })
	return before == 0 || len(elements.Content) > 0
}

func isLocal(item *yaml.RNode) bool {
	node := nodeAt(item, "metadata", "annotations", localConfig)
	return node != nil && node.Value != "false"
}
