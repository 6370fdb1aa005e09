package pipeline

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/images/mirror"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// Needed reports whether a run looks into an item. Of an item that is not needed it
// looks up Secrets and ConfigMaps by their names, see [Function.Named], and passes on
// the rest unread. Where the nodes leave open what a reader makes of the item, it is
// needed.
func Needed(item *yaml.RNode) bool {
	at := refer(item)
	_, near := nearKind(at.APIVersion, at.Kind)
	_, isList := elementKind(at.Kind)
	_, isSealed := sealed[at.Kind]
	file, _ := place(item)
	switch {
	case at.APIVersion == "", at.Kind == "", isLocal(item), unclear(item.YNode()):
		return true
	case near, isList, isSealed, isEmittedKind(at.Kind):
		return true
	case strings.HasPrefix(at.APIVersion, v1alpha1.Group+"/"), hyperconverged.Is(at.APIVersion, at.Kind), forecast.IsSSP(at.APIVersion, at.Kind):
		return true
	case cluster.Reads(at.APIVersion, at.Kind), isNode(at), imagestream.Is(at.APIVersion, at.Kind), mirror.Is(at.APIVersion, at.Kind):
		return true
	case at.Kind == forecast.KindPVC, at.Kind == forecast.KindDataSource:
		return true
	}
	return strings.Contains("/"+file, "/"+emittedDir+"/")
}

// NeededBeside is Needed for the items of a ResourceList: the configuration may be
// among them, and kpt's packages are told apart by their items.
func NeededBeside(config, item *yaml.RNode) bool {
	return Needed(item) || packageOf(item) != "" || !config.IsNilOrEmpty() && refer(item) == refer(config)
}

// isEmittedKind reports whether templates expand to objects of a kind.
func isEmittedKind(kind string) bool {
	switch kind {
	case namespaceKind, "Role", "RoleBinding", "DataImportCron", "DataSource":
		return true
	}
	return false
}

// unclear reports whether an object holds a list named items, or has more in it than
// its lines show: a key twice, an alias, a merge key.
func unclear(n *yaml.Node) bool {
	if hasAlias(n) || hasMerge(n) || listOf(n) != nil {
		return true
	}
	for _, field := range []string{"metadata", "annotations"} {
		if hasTwice(n) {
			return true
		}
		if n, _ = descend(n, field); n == nil || n.Kind != yaml.MappingNode {
			return false
		}
	}
	return hasTwice(n)
}
