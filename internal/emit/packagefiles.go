package emit

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
)

// packageFiles records the items of a package, by the files that goldenarch emits to.
type packageFiles struct {
	items map[string]finding.Object // by file, one of its items
	added map[string]int            // by file, the number of newly emitted objects
}

// filesOf collects the items of the package that goldenarch runs on. kpt also passes
// those of the packages below it, each with the files of its own package. The
// function's own package has the shortest path.
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

// nextIndex returns the index of a newly emitted object in its file. It returns an
// error if the file already has an item: kpt rejects two items with the same index, and
// does not say whose they are.
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
