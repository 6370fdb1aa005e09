package fieldpath

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParsePlace(t *testing.T) {
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
		got, err := ParsePlace(tc.text)
		want := Place{File: tc.file, Steps: strings.Split(tc.steps, "|"), Version: tc.version, Text: tc.text}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", tc.reason, err, diff)
		}
	}
}

func TestParsePlaceRefuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"values.yaml": "expected FILE#PATH",
		"#a":          "expected FILE#PATH",
		"v#":          "the path is empty",
		"v#.":         "the path is empty",
		"v#/":         "the path is empty",
		"v#@v1":       "expected keys with dots",
		"v#a..b":      "expected keys with dots",
		"v#a.":        "expected keys with dots",
		`v#a[""]`:     "expected keys with dots",
		"v#a[x]":      "expected keys with dots",
		"v#a[0":       "expected keys with dots",
		"v#a[0]b":     "expected keys with dots",
		`v#"a"b`:      "expected keys with dots",
		"v#a[]":       "expected keys with dots",
		`v#a["b]`:     "expected keys with dots",
		"v#/a~b":      "is not a JSON pointer",
	} {
		if got, err := ParsePlace(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: want %q, got %v, %v", text, want, got, err)
		}
	}
}

// FuzzParsePlace: a JSON pointer made of the steps of any path leads to the same place.
func FuzzParsePlace(f *testing.F) {
	for _, path := range []string{"a.b", ".a[0]", `"a.b".c`, `a["b"]`, "/a~1b/0", `a\.b`, "a@v1"} {
		f.Add(path)
	}
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	f.Fuzz(func(t *testing.T, path string) {
		place, err := ParsePlace("v#" + path)
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
		again, err := ParsePlace("v#" + pointer.String())
		if pointer.String() == "/" {
			return // the key "", which has no other form
		}
		if diff := cmp.Diff(place.Steps, again.Steps); err != nil || diff != "" {
			t.Errorf("%q and %q: %v\n%s", path, pointer.String(), err, diff)
		}
	})
}
