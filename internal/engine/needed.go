package engine

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/engine/emit"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/access"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/images/mirror"
	"github.com/goldenarch/goldenarch/internal/machine"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/manifest/unread"
	"github.com/goldenarch/goldenarch/internal/manifest/wrapper"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/workload"
	"github.com/goldenarch/goldenarch/internal/workload/items"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Needed reports whether a run reads the contents of an item. If not, the run only
// looks up Secrets and ConfigMaps by name, see [Function.Named], and passes on the
// other items unread. If the nodes do not show what a reader makes of the item, it is
// needed.
func Needed(item *yaml.RNode) bool {
	at := object.Ref(item)
	file, _ := object.Place(item)
	switch {
	case at.APIVersion == "", at.Kind == "", object.IsLocal(item), unclear(item.YNode()):
		return true
	case readsKind(at), unread.Mentions(item.YNode()), object.Annotation(item, workload.RecordAnnotation) != "":
		return true
	case wrapper.Is(at.APIVersion, at.Kind) && machine.MentionsAny(item.YNode()):
		return true
	}
	return isEmittedFile(file) || podspec.MayHave(item.YNode()) || object.HasTexts(item)
}

// Unneeded reports whether the text of a document shows that a check does not read it: [Needed] says the same of
// its item, or needs it for its pods alone, and the check is not about pods.
func Unneeded(head manifest.Head, pods bool) bool {
	at := finding.Object{APIVersion: head.APIVersion, Kind: head.Kind}
	if readsKind(at) || wrapper.Is(at.APIVersion, at.Kind) || isEmittedFile(head.File) || unread.MayHold([]byte(head.Text)) {
		return false
	}
	text := string(unread.Plain([]byte(head.Text)))
	has := func(word string) bool { return strings.Contains(text, word) }
	switch {
	case has(v1alpha1.Group), has(object.LocalConfig), object.MayHaveTexts(at.Kind, text):
		return false
	case has("&") && has("*"): // an alias
		return false
	}
	return !pods || !slices.ContainsFunc(podspec.Words(), has)
}

// readsKind reports whether a run reads objects of a kind, whatever is in them.
func readsKind(at finding.Object) bool {
	_, isSimilar := kinds.Similar(at.APIVersion, at.Kind)
	_, isList := object.ElementKind(at.Kind)
	_, isSealed := access.SecretMakers[at.Kind]
	switch {
	case isSimilar, isList, isSealed, emit.IsEmittedKind(at.Kind), wrapper.IsResourceSet(at.APIVersion, at.Kind):
		return true
	case strings.HasPrefix(at.APIVersion, v1alpha1.Group+"/"), hyperconverged.Is(at.APIVersion, at.Kind), forecast.IsSSP(at.APIVersion, at.Kind):
		return true
	case cluster.Reads(at), kinds.IsNode(at), imagestream.Is(at.APIVersion, at.Kind), mirror.Is(at.APIVersion, at.Kind):
		return true
	}
	return items.IsScheduler(at) || at.Kind == forecast.KindPVC || at.Kind == forecast.KindDataSource || machine.Reads(at)
}

// isEmittedFile reports whether a file is in a directory of objects that goldenarch makes.
func isEmittedFile(file string) bool { return strings.Contains("/"+file, "/"+emit.Dir+"/") }

// withoutForeign removes what is wrong with the head keys of items that no reading makes something
// that a run reads: a file that has nothing to do with it must not stop the run.
func withoutForeign(found finding.List, items []*yaml.RNode) finding.List {
	if !found.Has(finding.DuplicateKey) {
		return found
	}
	for _, item := range items {
		twice := object.DuplicateHeadKeys(object.New(item))
		if len(twice) == 0 || slices.ContainsFunc(readingsOf(item), Needed) {
			continue
		}
		found = slices.DeleteFunc(found, func(f finding.Finding) bool {
			return slices.ContainsFunc(twice, func(other finding.Finding) bool {
				return f.ID == other.ID && f.Object == other.Object && f.Field == other.Field && f.Line == other.Line
			})
		})
	}
	return found
}

// readingsOf returns an item as readers may take it: with each one of the values that a key of its
// top has.
func readingsOf(item *yaml.RNode) []*yaml.RNode {
	out := []*yaml.Node{{Kind: yaml.MappingNode}}
	values := map[string][]*yaml.Node{}
	var order []*yaml.Node
	for key, value := range yamlnode.Pairs(yamlnode.Dealias(item.YNode())) {
		if values[key.Value] == nil {
			order = append(order, key)
		}
		values[key.Value] = append(values[key.Value], value)
	}
	for _, key := range order {
		var next []*yaml.Node
		for _, value := range values[key.Value] {
			for _, one := range out {
				next = append(next, &yaml.Node{Kind: yaml.MappingNode, Content: append(slices.Clone(one.Content), key, value)})
			}
		}
		const most = 16 // of more readings, one may be anything
		if out = next; len(out) > most {
			return []*yaml.RNode{item}
		}
	}
	readings := make([]*yaml.RNode, len(out))
	for i, one := range out {
		readings[i] = yaml.NewRNode(one)
	}
	return readings
}

// NeededBeside is Needed for the items of a ResourceList. The configuration may be
// among them, and goldenarch reports kpt's packages separately by their items.
func NeededBeside(config, item *yaml.RNode) bool {
	return Needed(item) || object.PackageOf(item) != "" || !config.IsNilOrEmpty() && object.Ref(item) == object.Ref(config)
}

// unclear reports whether an object has a list named items, or more content than its
// lines show: a duplicate key, an alias, a merge key.
func unclear(n *yaml.Node) bool {
	if yamlnode.HasAlias(n) || yamlnode.HasMergeKey(n) || object.ListItems(n) != nil {
		return true
	}
	for _, field := range []string{"metadata", "annotations"} {
		if yamlnode.HasRepeatedKey(n) {
			return true
		}
		if n, _ = yamlnode.Child(n, field); n == nil || n.Kind != yaml.MappingNode {
			return false
		}
	}
	return yamlnode.HasRepeatedKey(n)
}
