package manifest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/manifest/object"
)

const several = `# first
apiVersion: v1
kind: ConfigMap
metadata: {name: a, annotations: {}}
---
# empty
---
apiVersion: v1
kind: Secret
metadata:
  name: a
  annotations: null
data:
  - {a: 1}
...
# between
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: "a"
spec:
    wide:
        - |+
          keep

---
{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "b"}}
{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "b"}}
`

// TestReaderWritesText: whatever documents a reader keeps as text, what is written is
// the same, and the same documents are found by name.
func TestReaderWritesText(t *testing.T) {
	t.Parallel()
	items, err := Parse("f.yaml", []byte(several))
	if err != nil || len(items) != 5 {
		t.Fatalf("want 5 items, got %d (%v)", len(items), err)
	}
	const json = "{\"apiVersion\": \"v1\", \"kind\": \"Secret\""
	want := strings.Replace(several, json, "---\n"+json, 1) // not every reader of YAML reads two of them
	for _, kinds := range []string{"", "ConfigMap", "Secret", "Deployment", "ConfigMap Deployment", "Secret Deployment", "ConfigMap Secret Deployment"} {
		r := Reader{Needed: func(item *yaml.RNode) bool { return !strings.Contains(kinds, item.GetKind()) }}
		items, err := r.Parse("f.yaml", []byte(several))
		if err != nil {
			t.Fatal(err)
		}
		var secrets []string
		for _, item := range items {
			if item.GetKind() == "Secret" && item.GetName() == "b" {
				secrets = append(secrets, describe(item))
			}
			for _, found := range r.Texts.Named(item, "Secret", "b") {
				secrets = append(secrets, describe(found))
			}
		}
		if diff := cmp.Diff([]string{"f.yaml 4 29"}, secrets); diff != "" {
			t.Errorf("%q as text: Secret b (-want +got):\n%s", kinds, diff)
		}
		var got bytes.Buffer
		if err := r.Texts.Write(&got, items); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got.String()); diff != "" {
			t.Errorf("%q as text (-want +got):\n%s", kinds, diff)
		}
	}
}

func describe(item *yaml.RNode) string {
	file, index := object.Place(item)
	return fmt.Sprint(file, " ", index, " ", item.YNode().Line)
}

// TestReaderKeepsErrors: a document that nobody needs is read as well, so that its
// error is the same.
func TestReaderKeepsErrors(t *testing.T) {
	t.Parallel()
	const fine = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\n"
	for name, text := range map[string]string{
		"NotYAML":    fine + "a: [\n",
		"NoKind":     fine + "apiVersion: v1\nmetadata: {name: b}\n",
		"List":       fine + "- a\n",
		"Anchors":    fine + "apiVersion: v1\nkind: X\nmetadata: &a {name: b, x: *a}\n",
		"Template":   fine + "apiVersion: v1\nkind: X\nmetadata: {name: {{ x }}}\n",
		"Metadata":   fine + "apiVersion: v1\nkind: X\nmetadata: []\n",
		"Behind":     fine + "{\"apiVersion\": \"v1\", \"kind\": \"X\"} {]\n",
		"JSONNoKind": fine + "{\"apiVersion\": \"v1\", \"kind\": \"X\"}\n{\"kind\": \"X\"}\n",
	} {
		_, want := Parse("f.yaml", []byte(text))
		r := Reader{Needed: func(*yaml.RNode) bool { return false }}
		_, got := r.Parse("f.yaml", []byte(text))
		if want == nil || got == nil || want.Error() != got.Error() {
			t.Errorf("%s: want the error\n%v\ngot\n%v", name, want, got)
		}
	}
}

// TestReaderPassesOn: a reader with Each passes on what the run needs in its order, elements of a List
// in one item, and keeps none of it.
func TestReaderPassesOn(t *testing.T) {
	t.Parallel()
	version := strings.NewReplacer("{kind", "{apiVersion: v1, kind", "\nkind", "\napiVersion: v1\nkind")
	for name, tc := range map[string]struct {
		reason, text string
		want         []string
	}{
		"Documents": {"a document is not needed", "kind: A\n---\nkind: No\n---\nkind: B\n", []string{"A", "B"}},
		"List":      {"an element is needed, and so the List", "kind: List\nitems: [{kind: No}, {kind: A}]\n---\nkind: B\n", []string{"List", "B"}},
		"NoElement": {"no element is needed", "kind: List\nitems: [{kind: No}]\n---\nkind: B\n", []string{"B"}},
		"Nothing":   {"nothing is needed", "kind: No\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			r := Reader{
				Needed: func(item *yaml.RNode) bool { return item.GetKind() != "No" },
				Each:   func(item *yaml.RNode) { got = append(got, item.GetKind()) },
			}
			items, err := r.Parse("a.yaml", []byte(version.Replace("\n"+tc.text)))
			if err != nil || slices.ContainsFunc(items, func(item *yaml.RNode) bool { return item.GetKind() != "" }) || len(r.Texts.sources) > 0 {
				t.Errorf("%s: the reader keeps items, %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
