package fieldpath_test

import (
	"slices"
	"testing"

	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

// TestPaths: a path that is written is read as the same steps.
func TestPaths(t *testing.T) {
	t.Parallel()
	for want, steps := range map[string][]string{
		"[]": {""}, "spec[]": {"spec", ""}, "spec[].a": {"spec", "", "a"},
		"": nil, "spec": {"spec"}, "spec.list[2].metadata": {"spec", "list", "2", "metadata"}, "data[a.b]": {"data", "a.b"},
		"metadata.annotations[a.b/c].d": {"metadata", "annotations", "a.b/c", "d"}, "[a.b]": {"a.b"},
		"spec[x[y]]": {"spec", "x[y]"}, "spec[a]].b[0]": {"spec", "a]", "b", "0"},
	} {
		if got := fieldpath.Of(steps); got != want {
			t.Errorf("%q: want %q, got %q", steps, want, got)
		}
		if got := fieldpath.Steps(want); !slices.Equal(got, steps) {
			t.Errorf("%q: want %q, got %q", want, steps, got)
		}
	}
	for _, tc := range [][3]string{{"", "a", "a"}, {"a", "", "a"}, {"a", "b", "a.b"}, {"a", "[0].b", "a[0].b"}, {"a", "[b.c]", "a[b.c]"}} {
		if got := fieldpath.Below(tc[0], tc[1]); got != tc[2] {
			t.Errorf("%q below %q: want %q, got %q", tc[1], tc[0], tc[2], got)
		}
	}
	for path, want := range map[string]bool{"a": true, "a.b": true, "a[0]": true, "a[b.c].d": true, "ab": false, "b": false, "": false} {
		if got := fieldpath.IsAt(path, "a"); got != want {
			t.Errorf("%q at a: want %v, got %v", path, want, got)
		}
	}
	if got := fieldpath.Element(fieldpath.Join("a", "b"), 3); got != "a.b[3]" {
		t.Errorf("got %q", got)
	}
}
