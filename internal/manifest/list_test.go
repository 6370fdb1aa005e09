package manifest

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestListOfNoNeededElements: a List of which no element is needed is kept as text, whatever its form, and its
// elements are found by their names. Any other List is an item.
func TestListOfNoNeededElements(t *testing.T) {
	t.Parallel()
	const (
		head  = "apiVersion: v1\nkind: List\n"
		first = "{apiVersion: v1, kind: Secret, metadata: {name: s}}"
	)
	for name, tc := range map[string]struct {
		reason, text string
		kept         bool
	}{
		"Block": {
			reason: "as kubectl writes it", kept: true,
			text: "apiVersion: v1\nitems:\n- " + first + "\n- kind: B\n  apiVersion: v1\nkind: List\nmetadata:\n  resourceVersion: \"\"\n",
		},
		"Marker":    {"behind a marker", "---\n" + head + "items:\n  - " + first + "\n# end\n", true},
		"Flow":      {"in brackets", head + "items: [" + first + ",\n {kind: B, apiVersion: v1, a: \"],[\"}]\n", true},
		"JSON":      {"in JSON", `{"kind":"List","items":[{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"a":"\"]"}],"apiVersion":"v1"}`, true},
		"Needed":    {"one is needed", head + "items:\n- " + first + "\n- {apiVersion: v1, kind: Needed}\n", false},
		"FlowOne":   {"one is needed", head + "items: [" + first + ", {apiVersion: v1, kind: Needed}]\n", false},
		"Anchors":   {"one is an alias of another", head + "items:\n- &a " + first + "\n- *a\n", false},
		"Typed":     {"the elements of another list have no kind", "apiVersion: v1\nkind: SecretList\nitems:\n- " + first + "\n", false},
		"NoKind":    {"an element without a kind may be anything", head + "items:\n- " + first + "\n- {metadata: {name: x}}\n", false},
		"Twice":     {"readers differ", head + "items:\n- " + first + "\nitems: []\n", false},
		"Annotated": {"the List itself says something", head + "metadata: {annotations: {a: b}}\nitems:\n- " + first + "\n", false},
	} {
		r := Reader{Needed: func(item *yaml.RNode) bool {
			return item.GetKind() == "Needed" || strings.HasSuffix(item.GetKind(), "List")
		}}
		items, err := r.Parse("f.yaml", []byte(tc.text+"\n---\napiVersion: v1\nkind: Other\n"))
		if err != nil || len(items) == 0 {
			t.Errorf("%s: want items, got %d, %v", name, len(items), err)
			continue
		}
		found := r.Texts.Named(items[0], "Secret", "s")
		if kept := items[0].GetKind() == ""; kept != tc.kept || kept != (len(found) == 1) {
			t.Errorf("%s: %s: want it kept as text: %v, got %v, and %d Secrets by name", name, tc.reason, tc.kept, kept, len(found))
		}
		if len(r.Texts.Named(items[0], "Secret", "other")) > 0 {
			t.Errorf("%s: an element has another name", name)
		}
		var out bytes.Buffer
		if err := r.Texts.Write(&out, items); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.text+"\n---\napiVersion: v1\nkind: Other\n", out.String()); diff != "" && tc.kept {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}
