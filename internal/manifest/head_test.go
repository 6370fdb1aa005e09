package manifest

import (
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestSkip: a reader asks only about a document whose lines show its API version and kind, and decodes every other one.
func TestSkip(t *testing.T) {
	t.Parallel()
	const object = "apiVersion: apps/v1\nkind: Deployment\n"
	for _, tc := range []struct{ reason, text, want string }{
		{"plain fields", object + "metadata: {name: a}\nspec:\n  kind: Other\n", "apps/v1 Deployment"},
		{"in another order, with comments", "# a\n---\nmetadata:\n  name: a\nkind: Pod # b\n\napiVersion: v1\n", "v1 Pod"},
		{"the line ends of Windows", "apiVersion: v1\r\nkind: Pod\r\nmetadata: {name: a}\r\n", "v1 Pod"},
		{"a list at the left", object + "metadata: {name: a}\nrules:\n- kind: Other\n-\n  a: b\n", "apps/v1 Deployment"},
		{"several documents", object + "metadata: {name: a}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: a}\n", "apps/v1 Deployment, v1 Pod"},
		{"a value that goes on", "apiVersion: v1\nkind: Pod\n  Disruption\nmetadata: {name: a}\n", ""},
		{"a value in quotes", "apiVersion: v1\nkind: \"P\\x6fd\"\nmetadata: {name: a}\n", ""},
		{"a value in the next line", "apiVersion: v1\nkind:\n  Pod\nmetadata: {name: a}\n", ""},
		{"a variable", "apiVersion: v1\nkind: ${KIND}\nmetadata: {name: a}\n", ""},
		{"an alias", "metadata: {name: &a Pod}\napiVersion: v1\nkind: *a\n", ""},
		{"a tag", "apiVersion: v1\nkind: !!binary UG9k\nmetadata: {name: a}\n", ""},
		{"a key in quotes", "apiVersion: v1\n\"kind\": Pod\nmetadata: {name: a}\n", ""},
		{"a key with a mark", "apiVersion: v1\n? kind\n: Pod\nmetadata: {name: a}\n", ""},
		{"JSON", `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}`, ""},
		{"a mapping in braces", "{apiVersion: v1,\nkind: Pod,\nmetadata: {name: a}}\n", ""},
		{"an indented mapping", "  apiVersion: v1\n  kind: Pod\n  metadata: {name: a}\n", ""},
		{"a list of objects", "apiVersion: v1\nkind: PodList\nitems: []\n", ""},
	} {
		asked := ""
		reader := Reader{Lenient: true, Skip: func(head Head) bool {
			if asked != "" {
				asked += ", "
			}
			asked += head.APIVersion + " " + head.Kind
			return true
		}}
		items, err := reader.Parse("f.yaml", []byte(tc.text))
		if err != nil || asked != tc.want {
			t.Errorf("%s: want %q, got %q (%v)", tc.reason, tc.want, asked, err)
		}
		if skipped := len(items) == 1 && items[0].IsNilOrEmpty(); skipped != (tc.want != "") {
			t.Errorf("%s: the items are %v", tc.reason, items)
		}
	}
}

// TestSkippedIsFoundByName: a document that nobody decoded is found by its kind and name. One that is no YAML has no name.
func TestSkippedIsFoundByName(t *testing.T) {
	t.Parallel()
	secret := func(name string) string { return "apiVersion: v1\nkind: Secret\nmetadata: {name: " + name + "}\n---\n" }
	reader := Reader{Skip: func(head Head) bool { return head.Kind != "Pod" }}
	var items []*yaml.RNode
	for _, text := range []string{secret("a") + secret("b"), secret("a"), "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n", secret("a") + secret("a: [")} {
		more, err := reader.Parse("f.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, more...)
	}
	if len(items) != 2 {
		t.Fatalf("want one item for all that is skipped and a Pod, got %d", len(items))
	}
	for _, tc := range []struct {
		kind, name string
		want       int
	}{{"Secret", "a", 3}, {"Secret", "b", 1}, {"Secret", "c", 0}, {"ConfigMap", "a", 0}} {
		if got := reader.Texts.Named(items[0], tc.kind, tc.name); len(got) != tc.want {
			t.Errorf("%s %s: want %d, got %d", tc.kind, tc.name, tc.want, len(got))
		}
	}
}
