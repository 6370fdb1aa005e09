package object

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

func parse(t *testing.T, text string) *yaml.RNode {
	t.Helper()
	node, err := yaml.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return node
}

// TestLineOf: the line of a field, or of the nearest thing above it that is
// there.
func TestLineOf(t *testing.T) {
	t.Parallel()
	root := parse(t, `kind: HyperConverged
metadata:
  annotations: &notes
    a.b/c: x
    d: y
spec:
  # the list
  list: &list
  - name: one
    metadata:
      annotations: {e: z}
  - name: two
  alias: *notes
  elements: [&one {f: 1}, *one]
  again: *list
`).YNode()
	for _, tc := range []struct {
		reason, field string
		line          int
	}{
		{"the object", "", 1},
		{"a key", "metadata", 2},
		{"a key with dots, in brackets", "metadata.annotations[a.b/c]", 4},
		{"a list", "spec.list", 8},
		{"an element", "spec.list[1]", 12},
		{"a field of an element", "spec.list[0].metadata.annotations[e]", 11},
		{"a field that is missing", "spec.list[1].metadata.annotations[e]", 12},
		{"an element that is missing", "spec.list[2].name", 8},
		{"a negative one", "spec.list[-1]", 8},
		{"no number", "spec.list[x]", 8},
		{"a field of the root that is missing", "status.nodeInfo", 1},
		{"behind an alias", "spec.alias.d", 5},
		{"behind an alias in a list", "spec.elements[1].f", 14},
		{"behind an alias of a list", "spec.again[1].name", 12},
		{"nothing below a string", "kind.x.y", 1},
	} {
		if got := yamlnode.Line(root, tc.field); got != tc.line {
			t.Errorf("%s: %q is at line %d, got %d", tc.reason, tc.field, tc.line, got)
		}
	}
}

func TestSteps(t *testing.T) {
	t.Parallel()
	for field, want := range map[string][]string{
		"":                 nil,
		"a":                {"a"},
		"a.b":              {"a", "b"},
		"a[2]":             {"a", "2"},
		"a[2].b":           {"a", "2", "b"},
		"a[2][3]":          {"a", "2", "3"},
		"a[b.c/d].e":       {"a", "b.c/d", "e"},
		"items[0].spec":    {"items", "0", "spec"},
		"a[unclosed":       {"a", "unclosed"},
		"a.b[x.y/z]":       {"a", "b", "x.y/z"},
		"[0].a":            {"0", "a"},
		"metadata.a[b].c.": {"metadata", "a", "b", "c"},
	} {
		if diff := cmp.Diff(want, fieldpath.Steps(field)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", field, diff)
		}
	}
}
