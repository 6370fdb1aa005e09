package pipeline

import (
	"fmt"
	"reflect"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// withoutCopies leaves out what goldenarch emitted although it was in the input.
// kpt makes that happen where the selectors of a pipeline hide items: it does not
// tell the function, and appends what is emitted again to the same file.
//
// What is emitted may be written anew at any time, so it does not matter what a
// copy says. Only what a user adds to a Namespace is theirs.
func withoutCopies(items []*yaml.RNode, open map[string]expansion.Object) ([]*yaml.RNode, finding.List) {
	kept := map[string]*object{} // by package and object, and by the file if it is where goldenarch emits it
	for _, o := range objects(items) {
		if _, is := open[keyOf(o.at)]; is && !inEmittedFile(o) {
			kept[packageOf(o.item)+" "+keyOf(o.at)] = &o
		}
	}
	gone := map[*yaml.RNode]bool{}
	var found finding.List
	for _, o := range objects(items) {
		want, is := open[keyOf(o.at)]
		if !is || !inEmittedFile(o) {
			continue
		}
		place := packageOf(o.item) + " " + keyOf(o.at)
		if kept[place] == nil {
			place += " " + o.at.File // of several directories each has its own
		}
		first := kept[place]
		switch {
		case first == nil:
			kept[place] = &o
		case !ofUser(o, want), reflect.DeepEqual(content(o), content(*first)):
			gone[o.item] = true
			found = append(found, copyGone(o))
		case inEmittedFile(*first) && !ofUser(*first, want):
			gone[first.item] = true
			found = append(found, copyGone(*first))
			kept[place] = &o
		default:
			found = append(found, copiesDiffer(o, *first))
		}
	}
	return slices.DeleteFunc(slices.Clone(items), func(item *yaml.RNode) bool { return gone[item] }), found
}

// inEmittedFile reports whether an object is an item where goldenarch emits it.
func inEmittedFile(o object) bool { return o.path == "" && emitted(o.at) }

// ofUser reports whether an emitted object has something that a user wrote and
// that stays.
func ofUser(o object, want expansion.Object) bool {
	return o.at.Kind == namespaceKind && !says(o, want)
}

func copyGone(o object) finding.Finding {
	return finding.Finding{
		ID: finding.EmittedTwice, Severity: finding.Warning, Object: o.at,
		Text: fmt.Sprintf("%s was there already when it was emitted to %s, and this copy is removed: an earlier run did not see it", o.at, o.at.File),
		Do:   "if the pipeline has selectors, let them select what goldenarch emits as well",
	}
}

func copiesDiffer(o, first object) finding.Finding {
	return finding.Finding{
		ID: finding.EmittedTwice, Severity: finding.Error, Object: o.at,
		Text: fmt.Sprintf("%s is there twice, and each has something that goldenarch did not write: the first is %s", o.at, first.where()),
		Do:   "make one of the two",
	}
}
