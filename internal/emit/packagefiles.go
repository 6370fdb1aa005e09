package emit

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
)

// packageFiles is what the files of a package have, where goldenarch would emit.
type packageFiles struct {
	items map[string]finding.Object // one of the items, by the file
	added map[string]int            // how many objects are emitted anew, by the file
}

// filesOf looks at the items of the package that goldenarch runs on. kpt passes
// those of the packages below it as well, each with the files of its own package;
// that of the function has the shortest path.
func filesOf(items []*yaml.RNode) packageFiles {
	t := packageFiles{items: map[string]finding.Object{}, added: map[string]int{}}
	if len(items) == 0 {
		return t
	}
	own := object.PackageOf(items[0])
	for _, item := range items {
		if p := object.PackageOf(item); len(p) < len(own) {
			own = p
		}
	}
	for _, item := range items {
		if file, _ := object.Place(item); file != "" && object.PackageOf(item) == own {
			t.items[file] = object.Ref(item)
		}
	}
	return t
}

// nextIndex returns the place in its file of an object that is emitted anew. An item
// that is in the file is an error: kpt takes no two items at one place, and does
// not say whose they are.
func (t packageFiles) nextIndex(at finding.Object) (int, finding.List) {
	at.File = fileOf(at)
	index := t.added[at.File]
	t.added[at.File]++
	there, is := t.items[at.File]
	if !is {
		return index, nil
	}
	return index, finding.List{{
		ID: finding.ItemInTheWay, Severity: finding.Error, Object: at,
		Text: fmt.Sprintf("goldenarch emits %s to %s, but that file has %s, which goldenarch did not emit", at, at.File, there),
		Do:   "move it to another file, outside of " + Dir + "/",
	}}
}
