package engine

import (
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/images/mirror"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
)

// packageCluster is a package that has a CR, and so describes a cluster. kpt passes the
// items of the packages below with those of the package, and names the files of each
// relative to its own package. Each CR is decided with the facts of its own package, and
// with those that the clusters share.
type packageCluster struct {
	dir string
	// own are the items of the package, and of packages below it without a CR.
	own []*yaml.RNode
	// shared are the facts that the packages above it have, and packages that belong to no
	// cluster.
	shared []*yaml.RNode
}

// packageClusters returns the packages that have a CR, in the order of their names; nil if
// there are fewer than two.
func packageClusters(items []*yaml.RNode) []packageCluster {
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
	out := make([]packageCluster, len(names))
	for i, name := range names {
		out[i].dir = name
		for _, item := range items {
			switch owner := nearestPackage(names, object.PackageOf(item)); {
			case owner == name:
				out[i].own = append(out[i].own, item)
			case (owner == "" || isBelow(name, owner)) && isSharedFact(item):
				out[i].shared = append(out[i].shared, item)
			}
		}
		out[i].shared = withoutHidden(out[i])
	}
	return out
}

func hasCR(item *yaml.RNode) bool {
	return slices.ContainsFunc(object.All([]*yaml.RNode{item}), kinds.IsCR)
}

// nearestPackage returns the package of the list that a directory is in, the innermost one; "" if
// it is in none.
func nearestPackage(names []string, dir string) string {
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

// isSharedFact reports whether an item describes something for every cluster that sees it. All
// else, such as a CR and what goldenarch emits, is of one cluster.
func isSharedFact(item *yaml.RNode) bool {
	at := object.Ref(item)
	switch {
	case hasCR(item):
		return false
	case at.Group() == v1alpha1.Group, cluster.Reads(at), kinds.IsNode(at), object.IsLocal(item):
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
func withoutHidden(c packageCluster) []*yaml.RNode {
	depth := map[string]int{} // by identity, how near the nearest one is
	all := slices.Concat(c.own, c.shared)
	for _, o := range object.All(all) {
		if key := kinds.Identity(o.At); kinds.MustBeUnique(o) {
			depth[key] = max(depth[key], c.nearness(o.Item))
		}
	}
	return slices.DeleteFunc(slices.Clone(c.shared), func(item *yaml.RNode) bool {
		for _, o := range object.All([]*yaml.RNode{item}) {
			if kinds.MustBeUnique(o) && c.nearness(item) < depth[kinds.Identity(o.At)] {
				return true
			}
		}
		return false
	})
}

// nearness is greater, the nearer the package of an item is to the cluster's.
func (c packageCluster) nearness(item *yaml.RNode) int {
	switch dir := object.PackageOf(item); {
	case slices.Contains(c.own, item):
		return len(c.dir) + 2
	case isBelow(c.dir, dir):
		return len(dir) + 1
	}
	return 1 // beside it
}
