package pipeline

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// taken is what the files of a package have, where goldenarch would emit.
type taken struct {
	items map[string]finding.Object // one of the items, by the file
	fresh map[string]int            // how many objects are emitted anew, by the file
}

// takenFiles looks at the items of the package that goldenarch runs on. kpt passes
// those of the packages below it as well, each with the files of its own package;
// that of the function has the shortest path.
func takenFiles(items []*yaml.RNode) taken {
	t := taken{items: map[string]finding.Object{}, fresh: map[string]int{}}
	if len(items) == 0 {
		return t
	}
	own := packageOf(items[0])
	for _, item := range items {
		if p := packageOf(item); len(p) < len(own) {
			own = p
		}
	}
	for _, item := range items {
		if file, _ := place(item); file != "" && packageOf(item) == own {
			t.items[file] = refer(item)
		}
	}
	return t
}

// packageOf returns the directory of the package that kpt read an item from, "" if
// it does not say.
func packageOf(item *yaml.RNode) string {
	return annotation(item, "internal.config.kubernetes.io/package-path")
}

// next returns the place in its file of an object that is emitted anew. An item
// that is in the file is an error: kpt takes no two items at one place, and does
// not say whose they are.
func (t taken) next(at finding.Object) (int, finding.List) {
	at.File = fileOf(at)
	index := t.fresh[at.File]
	t.fresh[at.File]++
	there, is := t.items[at.File]
	if !is {
		return index, nil
	}
	return index, finding.List{{
		ID: finding.ItemInTheWay, Severity: finding.Error, Object: at,
		Text: fmt.Sprintf("%s is to be emitted to %s, where %s is, which goldenarch did not emit", at, at.File, there),
		Do:   "move it to another file, outside of " + emittedDir + "/",
	}}
}
