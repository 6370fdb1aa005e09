package output

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// Product returns the items that go to the cluster. It leaves out dumps of Nodes,
// goldenarch's own kinds and local configuration. It also removes them from a List, and
// leaves out a List that is then empty.
func Product(items []*yaml.RNode) []*yaml.RNode {
	var out []*yaml.RNode
	for _, item := range items {
		if KeepForCluster(item) {
			out = append(out, item)
		}
	}
	return out
}

// KeepForCluster reports whether an item goes to the cluster. It removes from a List
// what does not. The run reports a List without an end.
func KeepForCluster(item *yaml.RNode) bool {
	if !object.IsFinite(item.YNode()) || isWhole(element{node: item.YNode()}) {
		return true
	}
	// A removed object may hold the anchor of one that stays.
	if yamlnode.HasAlias(item.YNode()) {
		if expanded, err := object.Copy(item); err == nil {
			object.Replace(item, expanded.YNode())
		}
	}
	return reduce(element{node: item.YNode()})
}

// element is an object, or an element of a List, which may have no kind of its own.
type element struct {
	node *yaml.Node
	in   finding.Object // in a typed list, the kind of its elements
}

// refer identifies the element.
func (e element) refer() finding.Object {
	at := object.Ref(yaml.NewRNode(e.node))
	if at.Kind == "" {
		at.Kind, at.APIVersion = e.in.Kind, e.in.APIVersion
	}
	return at
}

// elements returns the elements of a List, or nil for any other object.
func (e element) elements() []element {
	at, list := e.refer(), object.ListItems(e.node)
	kind, isList := object.ElementKind(at.Kind)
	if !isList || list == nil {
		return nil
	}
	out := make([]element, len(list.Content))
	for i, n := range list.Content {
		out[i] = element{node: n, in: finding.Object{APIVersion: at.APIVersion, Kind: kind}}
	}
	return out
}

// isWhole reports whether an object goes to the cluster, and so do all elements of a
// List.
func isWhole(e element) bool {
	if isForTools(e) {
		return false
	}
	return !slices.ContainsFunc(e.elements(), func(inner element) bool { return !isWhole(inner) })
}

// reduce removes from a List what does not go to the cluster, and reports whether
// anything of the object remains.
func reduce(e element) bool {
	if isForTools(e) {
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
	object.ListItems(e.node).Content = kept
	return len(kept) > 0
}

// ownKinds are goldenarch's own kinds.
var ownKinds = []string{
	v1alpha1.GoldenImagesKind, v1alpha1.ClusterArchitecturesKind, v1alpha1.ArchitectureLockKind, v1alpha1.WorkloadArchitecturesKind,
	v1alpha1.FleetKind,
}

// isForTools reports whether an object is for tools, or only describes the cluster: a
// dump of a Node, and a NodeList that contains one.
func isForTools(e element) bool {
	at := e.refer()
	return object.IsLocal(yaml.NewRNode(e.node)) ||
		kinds.IsNode(at) && object.IsDump(e.node) ||
		at.APIVersion == "v1" && at.Kind == "NodeList" && len(e.elements()) == 0 ||
		slices.ContainsFunc(ownKinds, func(kind string) bool { return kinds.IsGoldenarch(at, kind) })
}
