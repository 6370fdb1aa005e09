package yamlnode

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestHoldList: a list is kept as text only where its lines show that YAML's reader would cut it
// alike, and the document is then the same with the list read.
func TestHoldList(t *testing.T) {
	t.Parallel()
	const head, entry = "apiVersion: x/v1\nkind: Lock\n", "- reference: a:1\n  digest: sha256:0\n  platforms:\n  - {os: linux, digest: \"x\"}\n"
	for _, tc := range []struct {
		reason, text string
		elements     int // 0: the whole is read
	}{
		{"the form that goldenarch writes", "# a word\n" + head + "images:\n" + entry + entry, 2},
		{"with comments and empty lines", head + "images:\n# one\n\n" + entry + "  # in it: [\n# two\n" + entry + "# the end\n", 2},
		{"with indented dashes", head + "images:\n  - reference: a\n    b:\n    - {c: d}\n  - reference: b\n", 2},
		{"with fields after it, at their lines", head + "images:\n" + entry + "metadata:\n  name: a\n", 1},
		{"as an item of a list", "- apiVersion: x/v1\n  kind: Lock\n  images:\n  - reference: a\n    b: c\n  metadata:\n    name: a\n", 1},
		{"of another kind", strings.Replace(head, "Lock", "Log", 1) + "images:\n" + entry, 0},
		{"the kind of something below", "kind: Log\na:\n  kind: Lock\nimages:\n" + entry, 0},
		{"nothing", head + "images:\n", 0},
		{"a list in brackets", head + "images: [{reference: a}]\n", 0},
		{"the words in a text", head + "a: |\n  images:\n  - reference: a\n", 0},
		{"the words in quotes", head + "a: \"\n  b\nimages:\n- reference: a\n  c\"\n", 0},
		{"what a merge left", head + "images:\n" + entry + "<<<<<<< HEAD\n" + entry + "=======\n" + entry + ">>>>>>> b\n", 0},
		{"and in an entry", head + "images:\n- reference: a\n<<<<<<< HEAD\n  a: b\n=======\n  a: c\n>>>>>>> b\n", 0},
		{"a line without a field", head + "images:\n" + entry + "  word\n", 0},
		{"an open bracket", head + "images:\n- reference: a\n  b: {c: d\n" + entry, 0},
		{"an open quote", head + "images:\n- reference: a\n  b: \"c\n" + entry + "  d: e\"\n", 0},
		{"a block of text", head + "images:\n- reference: a\n  b: |\n    - reference: c\n", 0},
		{"an anchor", head + "images:\n- reference: &a a\n- reference: *a\n", 0},
		{"a dash too far to the left", head + "images:\n  - reference: a\n- reference: b\n", 0},
		{"a file that ends in a line", head + "images:\n- reference: a\n  digest: sha256:0", 0},
		{"Windows' ends of lines", strings.ReplaceAll(head+"images:\n"+entry, "\n", "\r\n"), 0},
	} {
		got, ok := ListAsText(tc.text, "Lock", "images")
		if ok != (tc.elements > 0) {
			t.Errorf("%s: want held %v, got %v", tc.reason, tc.elements > 0, ok)
		}
		if !ok {
			continue
		}
		var want yaml.Node
		if err := yaml.Unmarshal([]byte(tc.text), &want); err != nil {
			t.Fatalf("%s: %v", tc.reason, err)
		}
		object, whole := got.Content[0], want.Content[0]
		if object.Kind == yaml.SequenceNode {
			object, whole = object.Content[0], whole.Content[0]
		}
		elements := TextElements(Value(object, "images"))
		if len(elements) != tc.elements {
			t.Errorf("%s: want %d elements, got %d", tc.reason, tc.elements, len(elements))
		}
		for i, element := range elements {
			node, err := element.Node()
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			same(t, tc.reason, Value(whole, "images").Content[i], node)
			if text, ok := element.Text("reference"); !ok || text != Text(node, "reference") {
				t.Errorf("%s: want the reference %q, got %q", tc.reason, Text(node, "reference"), text)
			}
		}
		if err := ParseListAsText(object); err != nil {
			t.Fatalf("%s: %v", tc.reason, err)
		}
		same(t, tc.reason, &want, got)
	}
}

// same compares the values of two trees, and their lines.
func same(t *testing.T, reason string, want, got *yaml.Node) {
	t.Helper()
	lines := func(n *yaml.Node) (out []int) {
		var add func(n *yaml.Node)
		add = func(n *yaml.Node) {
			out = append(out, n.Line)
			for _, child := range n.Content {
				add(child)
			}
		}
		add(n)
		return out
	}
	if diff := cmp.Diff(lines(want), lines(got)); !Same(want, got) || diff != "" {
		t.Errorf("%s: the values are the same: %v; the lines differ (-want +got):\n%s", reason, Same(want, got), diff)
	}
}

// TestHeldElementWithoutEnd: the text of an element that somebody reads is read as YAML.
func TestHeldElementWithoutEnd(t *testing.T) {
	t.Parallel()
	doc, ok := ListAsText("kind: Lock\nimages:\n- reference: a\n  b: c: d\n- reference: e\n", "Lock", "images")
	if !ok {
		t.Fatal("want a list that is kept as text")
	}
	elements := TextElements(Value(doc.Content[0], "images"))
	if _, err := elements[0].Node(); err == nil || !strings.Contains(err.Error(), "line 4") {
		t.Errorf("want an error in line 4, got %v", err)
	}
	if _, err := elements[1].Node(); err != nil {
		t.Errorf("want the other element, got %v", err)
	}
}
