package packages

import (
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/images/mirror"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/object"
)

// Cluster is a package that has a CR.
type Cluster struct {
	Package string
	// Own are the items of the package, and of packages below it without a CR.
	Own []*yaml.RNode
	// Shared are the facts that the packages above it have, and packages that belong to no
	// cluster.
	Shared []*yaml.RNode
}

// Clusters returns the packages that have a CR, in the order of their names; nil if there
// are fewer than two.
func Clusters(items []*yaml.RNode) []Cluster {
	var names []string
	for _, item := range items {
		if dir := object.PackageOf(item); dir != "" && !slices.Contains(names, dir) && hasCR(item) {
			names = append(names, dir)
		}
	}
	if len(names) < 2 {
		return nil
	}
	slices.Sort(names)
	out := make([]Cluster, len(names))
	for i, name := range names {
		out[i].Package = name
		for _, item := range items {
			switch owner := nearest(names, object.PackageOf(item)); {
			case owner == name:
				out[i].Own = append(out[i].Own, item)
			case (owner == "" || isBelow(name, owner)) && isFact(item):
				out[i].Shared = append(out[i].Shared, item)
			}
		}
		out[i].Shared = withoutHidden(out[i])
	}
	return out
}

func hasCR(item *yaml.RNode) bool {
	return slices.ContainsFunc(object.All([]*yaml.RNode{item}), kinds.IsCR)
}

// nearest returns the package of the list that a directory is in, the innermost one; "" if
// it is in none.
func nearest(names []string, dir string) string {
	out := ""
	for _, name := range names {
		if (dir == name || isBelow(dir, name)) && len(name) > len(out) {
			out = name
		}
	}
	return out
}

func isBelow(dir, above string) bool {
	return strings.HasPrefix(path.Clean(dir)+"/", path.Clean(above)+"/") && path.Clean(dir) != path.Clean(above)
}

// isFact reports whether an item describes something for every cluster that sees it. All
// else, such as a CR and what goldenarch emits, is of one cluster.
func isFact(item *yaml.RNode) bool {
	at := object.Ref(item)
	group, _, _ := strings.Cut(at.APIVersion, "/")
	switch {
	case hasCR(item):
		return false
	case group == v1alpha1.Group, cluster.Reads(at.APIVersion, at.Kind), kinds.IsNode(at), object.IsLocal(item):
		return true
	case imagestream.Is(at.APIVersion, at.Kind), mirror.Is(at.APIVersion, at.Kind):
		return true
	case at.APIVersion == "v1":
		return at.Kind == "Secret" || at.Kind == "ConfigMap" || at.Kind == "Namespace"
	}
	return false
}

// withoutHidden returns the shared facts without those that a nearer package states
// itself.
func withoutHidden(c Cluster) []*yaml.RNode {
	depth := map[string]int{} // by identity, how near the nearest one is
	all := slices.Concat(c.Own, c.Shared)
	for _, o := range object.All(all) {
		if key := kinds.Identity(o.At); kinds.MustBeUnique(o) {
			depth[key] = max(depth[key], c.nearness(o.Item))
		}
	}
	return slices.DeleteFunc(slices.Clone(c.Shared), func(item *yaml.RNode) bool {
		for _, o := range object.All([]*yaml.RNode{item}) {
			if kinds.MustBeUnique(o) && c.nearness(item) < depth[kinds.Identity(o.At)] {
				return true
			}
		}
		return false
	})
}

// nearness is greater, the nearer the package of an item is to the cluster's.
func (c Cluster) nearness(item *yaml.RNode) int {
	switch dir := object.PackageOf(item); {
	case slices.Contains(c.Own, item):
		return len(c.Package) + 2
	case isBelow(c.Package, dir):
		return len(dir) + 1
	}
	return 1 // beside it
}
