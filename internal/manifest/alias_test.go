package manifest

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// TestHeadIsAlias: the fields that say what a document is may be aliases.
func TestHeadIsAlias(t *testing.T) {
	t.Parallel()
	const text = "metadata:\n  name: &n Secret\napiVersion: v1\nkind: *n\n"
	for _, tc := range []struct {
		reason, text string
		items        int
	}{
		{"an alias is no other program's file", text, 1},
		{"a null is no kind", "apiVersion: v1\nkind: ~\n", 0},
	} {
		r := Reader{Lenient: true}
		items, err := r.Parse("f.yaml", []byte(tc.text))
		if err != nil || len(items) != tc.items {
			t.Errorf("%s: want %d items, got %d (%v)", tc.reason, tc.items, len(items), err)
		}
	}
	r := Reader{Needed: func(*yaml.RNode) bool { return false }}
	items, err := r.Parse("f.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if found := r.Texts.Named(items[0], "Secret", "Secret"); len(found) != 1 {
		t.Errorf("an object that is kept as text is found by the values of its aliases: got %d", len(found))
	}
	if _, err := Parse("f.yaml", []byte("apiVersion: v1\nkind: ~\n")); err == nil {
		t.Error("a null is no kind: want an error")
	}
}

// TestMergedAnnotations: annotations that a merge key brings count, and are written as they were.
func TestMergedAnnotations(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, text string }{
		{"into the metadata", "apiVersion: v1\nkind: A\nspec: &m\n  annotations: {a: b}\nmetadata:\n  <<: *m\n  name: a\n"},
		{"into the annotations", "apiVersion: v1\nkind: A\nspec: &m {a: b}\nmetadata:\n  name: a\n  annotations:\n    <<: *m\n"},
		{"into the object", "apiVersion: v1\nkind: A\nspec: &m\n  metadata: {name: a, annotations: {a: b}}\n<<: *m\n"},
	} {
		r := &Reader{}
		items, err := r.Parse("f.yaml", []byte(tc.text))
		if err != nil {
			t.Fatalf("%s: %v", tc.reason, err)
		}
		if got := yamlnode.Text(items[0].YNode(), "metadata", "annotations", "a"); got != "b" {
			t.Errorf("%s: want the annotation b, got %q", tc.reason, got)
		}
		if got := yamlnode.Text(items[0].YNode(), "metadata", "name"); got != "a" {
			t.Errorf("%s: want the name a, got %q", tc.reason, got)
		}
		var out bytes.Buffer
		if err := r.Texts.Write(&out, items); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.text, out.String()); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", tc.reason, diff)
		}
		if edits, err := r.Texts.Edits(items); err != nil || len(edits) > 0 {
			t.Errorf("%s: want no edit, got %v (%v)", tc.reason, edits, err)
		}
	}
}
