package emit

import (
	"fmt"
	"reflect"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// removeCopies removes the objects that goldenarch emitted although the input already
// had them. kpt causes this if the selectors of a pipeline hide items: it does not pass
// these items to the function, and appends the emitted objects to the same file.
//
// goldenarch may rewrite an emitted object at any time, so the content of a copy does
// not matter. Only additions to a Namespace belong to the user.
func removeCopies(items []*yaml.RNode, open map[string]expansion.Object) ([]*yaml.RNode, finding.List) {
	kept := map[string]*object.Object{} // by package and object, and also by file if goldenarch emits it there
	for _, o := range object.All(items) {
		if _, is := open[keyOf(o.At)]; is && !isInEmittedFile(o) {
			kept[object.PackageOf(o.Item)+" "+keyOf(o.At)] = &o
		}
	}
	gone := map[*yaml.RNode]bool{}
	var found finding.List
	for _, o := range object.All(items) {
		want, is := open[keyOf(o.At)]
		if !is || !isInEmittedFile(o) {
			continue
		}
		place := object.PackageOf(o.Item) + " " + keyOf(o.At)
		if kept[place] == nil {
			place += " " + o.At.File // several directories have an object each
		}
		first := kept[place]
		switch {
		case first == nil:
			kept[place] = &o
		case !hasUserContent(o, want), reflect.DeepEqual(content(o), content(*first)):
			gone[o.Item] = true
			found = append(found, copyRemoved(o))
		case isInEmittedFile(*first) && !hasUserContent(*first, want):
			gone[first.Item] = true
			found = append(found, copyRemoved(*first))
			kept[place] = &o
		default:
			found = append(found, copiesDiffer(o, *first))
		}
	}
	return slices.DeleteFunc(slices.Clone(items), func(item *yaml.RNode) bool { return gone[item] }), found
}

// isInEmittedFile reports whether an object is an item in the file where goldenarch
// emits it.
func isInEmittedFile(o object.Object) bool { return o.Path == "" && isEmitted(o.At) }

// hasUserContent reports whether a user added something to an emitted object that
// stays.
func hasUserContent(o object.Object, want expansion.Object) bool {
	return o.At.Kind == NamespaceKind && !matches(o, want)
}

func copyRemoved(o object.Object) finding.Finding {
	return finding.Finding{
		ID: finding.EmittedDuplicate, Severity: finding.Warning, Object: o.At,
		Text: fmt.Sprintf("an earlier run emitted %s to %s without seeing this copy, so goldenarch removes the copy", o.At, o.At.File),
		Do:   "if the pipeline has selectors, select what goldenarch emits too",
	}
}

func copiesDiffer(o, first object.Object) finding.Finding {
	return finding.Finding{
		ID: finding.EmittedDuplicate, Severity: finding.Error, Object: o.At,
		Text: fmt.Sprintf("%s is a duplicate, and both copies have fields that goldenarch did not write: the first is %s", o.At, first.Location()),
		Do:   "merge the two into one",
	}
}
