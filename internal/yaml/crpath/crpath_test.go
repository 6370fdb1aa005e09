package crpath

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, text, file, steps, version string
	}{
		{"as helm's --set", "values.yaml#hyperconverged.cr", "values.yaml", "hyperconverged|cr", ""},
		{"as yq", "values.yaml#.extraObjects[0]", "values.yaml", "extraObjects|0", ""},
		{"a quoted key, as yq", `v.yaml#."a.b".c`, "v.yaml", "a.b|c", ""},
		{"a quoted key in brackets, as yq", `v.yaml#x["a.b"][2]`, "v.yaml", "x|a.b|2", ""},
		{"single quotes", `v.yaml#x['a"b']`, "v.yaml", `x|a"b`, ""},
		{"an escaped quote", `v.yaml#"a\"b"`, "v.yaml", `a"b`, ""},
		{"an escaped dot, as helm's --set", `v.yaml#a\.b/c.d`, "v.yaml", "a.b/c|d", ""},
		{"a JSON pointer", "v.yaml#/a~1b/c~0d/0", "v.yaml", "a/b|c~d|0", ""},
		{"an index without brackets is a key or an index", "v.yaml#a.0", "v.yaml", "a|0", ""},
		{"the spec of v1beta1", "v.yaml#a.spec@v1beta1", "v.yaml", "a|spec", "v1beta1"},
		{"the spec of v1", "v.yaml#/a/spec@v1", "v.yaml", "a|spec", "v1"},
		{"only the last version counts", "v.yaml#a@v1@v1beta1", "v.yaml", "a@v1", "v1beta1"},
		{"in either order", "v.yaml#a@v1beta1@v1", "v.yaml", "a@v1beta1", "v1"},
		{"another text after @ is part of the key", "v.yaml#a@b", "v.yaml", "a@b", ""},
		{"the path begins after the first #", "v.yaml#a#b", "v.yaml", "a#b", ""},
	} {
		got, err := Parse(tc.text)
		want := Place{File: tc.file, Steps: strings.Split(tc.steps, "|"), Version: tc.version, Text: tc.text}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", tc.reason, err, diff)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"values.yaml": "expected FILE#PATH",
		"#a":          "expected FILE#PATH",
		"v#":          "the path is empty",
		"v#.":         "the path is empty",
		"v#/":         "the path is empty",
		"v#a..b":      "a key of the path is empty",
		"v#a.":        "a key of the path is empty",
		`v#a[""]`:     "a key of the path is empty",
		"v#a[x]":      "expected an index",
		"v#a[0":       "expected an index",
		"v#a[0]b":     "expected an index",
		`v#"a"b`:      "expected an index",
		"v#a[]":       "a key of the path is empty",
		`v#a["b]`:     "a quote of the path has no end",
		"v#/a~b":      "is not a JSON pointer",
	} {
		if got, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: want %q, got %v, %v", text, want, got, err)
		}
	}
}

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
		place, err := Parse("v#" + path)
		if err != nil {
			t.Fatal(err)
		}
		at, err := place.Find(root)
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

// FuzzParse: a JSON pointer made of the steps of any path leads to the same place.
func FuzzParse(f *testing.F) {
	for _, path := range []string{"a.b", ".a[0]", `"a.b".c`, `a["b"]`, "/a~1b/0", `a\.b`, "a@v1"} {
		f.Add(path)
	}
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	f.Fuzz(func(t *testing.T, path string) {
		place, err := Parse("v#" + path)
		if err != nil || place.Version != "" {
			return
		}
		var pointer strings.Builder
		for _, step := range place.Steps {
			pointer.WriteString("/" + escape.Replace(step))
		}
		for _, version := range versions { // which the pointer would end with
			if strings.HasSuffix(pointer.String(), "@"+version) {
				return
			}
		}
		again, err := Parse("v#" + pointer.String())
		if pointer.String() == "/" {
			return // the key "", which has no other form
		}
		if diff := cmp.Diff(place.Steps, again.Steps); err != nil || diff != "" {
			t.Errorf("%q and %q: %v\n%s", path, pointer.String(), err, diff)
		}
	})
}
