package yamlnode

import (
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

const values = `a:
  b.c: [{x: 1}, {x: 2}]
  twice: 1
  twice: 2
base: &b {x: 3}
shared: *b
name: &b2 cr
*b2 : {x: 4}
b2: {x: 5}
`

func TestFind(t *testing.T) {
	t.Parallel()
	root := yaml.MustParse(values).YNode()
	for path, want := range map[string]string{
		`a."b.c"[1].x`: "2", "/base/x": "3", "cr.x": "4", "b2.x": "5",
		"a.d": `a has no key "d": it has b.c, twice, twice`, "x": `the document has no key "x": it has a, base, shared, name, cr, b2`,
		`a["b.c"].x`: `a[b.c] is a list, and "x" is not an index`, `a["b.c"][2]`: "a[b.c] has 2 elements, so there is no [2]",
		"a.twice": `a has the key "twice" twice: remove one of them`, "shared.x": "shared is the alias *b: name the place with the anchor &b",
		"base.x.y": `base.x is a single value, so it has no key "y"`,
	} {
		place, err := fieldpath.ParsePlace("v#" + path)
		if err != nil {
			t.Fatal(err)
		}
		at, err := Find(root, place.Steps)
		if err != nil {
			if !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s: want %q, got %q", path, want, err)
			}
			continue
		}
		if got := (*at).Value; got != want {
			t.Errorf("%s: want %q, got %q", path, want, got)
		}
	}
}
