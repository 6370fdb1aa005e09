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

// forCluster reports whether an item goes to the cluster, and takes out of a
// List what does not. Of one without an end the run has told.
func forCluster(item *yaml.RNode) bool {
	if !ends(item.YNode()) || whole(item.YNode()) {
		return true
	}
	// What goes may hold the anchor of what stays.
	if hasAlias(item.YNode()) {
		if expanded, err := copyOf(item); err == nil {
			replace(item, expanded.YNode())
		}
	}
	return reduce(item.YNode())
}

// whole reports whether an object, and all of a List, goes to the cluster.
func whole(n *yaml.Node) bool {
	if forTools(n) {
		return false
	}
	return !slices.ContainsFunc(elements(n), func(element *yaml.Node) bool { return !whole(element) })
}

// reduce takes what does not go to the cluster out of a List, and reports
// whether anything of the object is left.
func reduce(n *yaml.Node) bool {
	if forTools(n) {
		return false
	}
	before := len(elements(n))
	if before == 0 {
		return true
	}
	list := listOf(n)
	list.Content = slices.DeleteFunc(list.Content, func(element *yaml.Node) bool { return !reduce(element) })
	return len(list.Content) > 0
}

// elements returns what a List holds, nil for any other object.
func elements(n *yaml.Node) []*yaml.Node {
	list := listOf(n)
	if _, isList := elementKind(textAt(yaml.NewRNode(n), "kind")); !isList || list == nil {
		return nil
	}
	return list.Content
}

// forTools reports whether an object is for tools, or tells of the cluster.
func forTools(n *yaml.Node) bool {
	item := yaml.NewRNode(n)
	at := refer(item)
	return isLocal(item) ||
		at.APIVersion == "v1" && (at.Kind == "Node" || at.Kind == "NodeList") ||
		isOwn(at, v1alpha1.GoldenImagesKind) || isOwn(at, v1alpha1.ClusterArchitecturesKind) || isOwn(at, v1alpha1.ArchitectureLockKind)
}

func isLocal(item *yaml.RNode) bool {
	node := nodeAt(item, "metadata", "annotations", localConfig)
	return node != nil && node.Value != "false"
}
