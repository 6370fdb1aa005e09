package pipeline

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// localConfig marks an item that is for tools, not for the cluster. Any value
// but "false" says so.
const localConfig = "config.kubernetes.io/local-config"

// Product returns the items that go to the cluster: no dumps of Nodes, none of
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
	if !ends(item.YNode()) || whole(element{node: item.YNode()}) {
		return true
	}
	// What goes may hold the anchor of what stays.
	if hasAlias(item.YNode()) {
		if expanded, err := copyOf(item); err == nil {
			replace(item, expanded.YNode())
		}
	}
	return reduce(element{node: item.YNode()})
}

// element is an object, or what a List holds, which may have no kind of its own.
type element struct {
	node *yaml.Node
	in   finding.Object // of a typed list: the kind of its elements
}

// refer names the element.
func (e element) refer() finding.Object {
	at := refer(yaml.NewRNode(e.node))
	if at.Kind == "" {
		at.Kind, at.APIVersion = e.in.Kind, e.in.APIVersion
	}
	return at
}

// elements returns what a List holds, nil for any other object.
func (e element) elements() []element {
	at, list := e.refer(), listOf(e.node)
	kind, isList := elementKind(at.Kind)
	if !isList || list == nil {
		return nil
	}
	out := make([]element, len(list.Content))
	for i, n := range list.Content {
		out[i] = element{node: n, in: finding.Object{APIVersion: at.APIVersion, Kind: kind}}
	}
	return out
}

// whole reports whether an object, and all of a List, goes to the cluster.
func whole(e element) bool {
	if forTools(e) {
		return false
	}
	return !slices.ContainsFunc(e.elements(), func(inner element) bool { return !whole(inner) })
}

// reduce takes what does not go to the cluster out of a List, and reports
// whether anything of the object is left.
func reduce(e element) bool {
	if forTools(e) {
		return false
	}
	inner := e.elements()
	if len(inner) == 0 {
		return true
	}
	var kept []*yaml.Node
	for _, one := range inner {
		if reduce(one) {
			kept = append(kept, one.node)
		}
	}
	listOf(e.node).Content = kept
	return len(kept) > 0
}

// forTools reports whether an object is for tools, or only tells of the cluster:
// a dump of a Node does, and a NodeList that holds none.
func forTools(e element) bool {
	at := e.refer()
	return isLocal(yaml.NewRNode(e.node)) ||
		isNode(at) && isDump(e.node) ||
		at.APIVersion == "v1" && at.Kind == "NodeList" && len(e.elements()) == 0 ||
		isOwn(at, v1alpha1.GoldenImagesKind) || isOwn(at, v1alpha1.ClusterArchitecturesKind) || isOwn(at, v1alpha1.ArchitectureLockKind)
}

func isLocal(item *yaml.RNode) bool {
	node := nodeAt(item, "metadata", "annotations", localConfig)
	return node != nil && node.Value != "false"
}
