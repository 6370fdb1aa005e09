package manifest

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// TestEmptyStays: what a user has written empty is written so again, and what
// was not there does not appear.
func TestEmptyStays(t *testing.T) {
	t.Parallel()
	for reason, metadata := range map[string]string{
		"no annotations":                   "metadata:\n  name: a\n",
		"no metadata":                      "",
		"empty annotations":                "metadata:\n  name: a\n  annotations: {} # none\n  labels: {}\n",
		"nothing but empty annotations":    "metadata:\n  annotations: {} # none\n",
		"null annotations":                 "metadata:\n  name: a\n  annotations:\n  labels: {}\n",
		"null annotations that are said":   "metadata:\n  annotations: ~ # null\n  name: a\n",
		"nothing but null annotations":     "metadata:\n  annotations: null\n",
		"empty metadata":                   "metadata: {} # none\n",
		"null metadata":                    "metadata:\n",
		"null metadata that is said":       "metadata: Null # none\n",
		"all in one line":                  "metadata: {annotations: {}, name: a}\n",
		"annotations with something in it": "metadata:\n  annotations: {a: b} # one\n",
	} {
		text := "apiVersion: v1\nkind: ConfigMap\n" + metadata + "data: {a: b}\n"
		items, err := Parse("f.yaml", []byte(text+"---\n"+text))
		if err != nil {
			t.Fatalf("%s: %v", reason, err)
		}
		if items[1].GetAnnotations()["internal.config.kubernetes.io/index"] != "1" {
			t.Errorf("%s: the item knows its place: %v", reason, items[1].GetAnnotations())
		}
		var out bytes.Buffer
		if err := Write(&out, items); err != nil {
			t.Fatalf("%s: %v", reason, err)
		}
		if diff := cmp.Diff(text+"---\n"+text, out.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", reason, diff)
		}
	}
}

// TestEmptiedGoes: annotations that only tools have used are no user's.
func TestEmptiedGoes(t *testing.T) {
	t.Parallel()
	const text = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  annotations:\n    config.kubernetes.io/path: x.yaml\n"
	items, err := Parse("f.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Write(&out, items); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("apiVersion: v1\nkind: ConfigMap\n", out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMetadataIsNoObject: the text names the field and says what it is.
func TestMetadataIsNoObject(t *testing.T) {
	t.Parallel()
	for metadata, want := range map[string]string{
		"[]":                          "f.yaml:3: metadata is a list, expected an object: correct it",
		"[a]":                         "f.yaml:3: metadata is a list, expected an object: correct it",
		"x":                           `f.yaml:3: metadata is the value "x", expected an object: correct it`,
		`""`:                          `f.yaml:3: metadata is the value "", expected an object: correct it`,
		"{annotations: []}":           "f.yaml:3: metadata.annotations is a list, expected an object: correct it",
		"{annotations: 1}":            `f.yaml:3: metadata.annotations is the value "1", expected an object: correct it`,
		"{l: &l [], annotations: *l}": "f.yaml:3: metadata.annotations is a list, expected an object: correct it",
	} {
		_, err := Parse("f.yaml", []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: "+metadata+"\n"))
		if err == nil || strings.TrimSpace(err.Error()) != want {
			t.Errorf("%s: want %q, got %v", metadata, want, err)
		}
	}
}

// TestElementsOfAList: those that are aliases lose the annotations of tools too.
func TestElementsOfAList(t *testing.T) {
	t.Parallel()
	const note = "internal.config.kubernetes.io/path: x, a: b"
	items, err := Parse("f.yaml",
		[]byte("apiVersion: v1\nkind: List\nx: &x {metadata: {annotations: {"+note+"}}}\ny: &y {annotations: {"+note+"}}\nitems: [*x, {metadata: *y}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Write(&out, items); err != nil {
		t.Fatal(err)
	}
	want := "apiVersion: v1\nkind: List\nx: &x {metadata: {annotations: {a: b}}}\ny: &y {annotations: {a: b}}\nitems: [*x, {metadata: *y}]\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestAnnotationsAreShared: what an alias stands for does not get the annotations of tools.
func TestAnnotationsAreShared(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"Labels":      "metadata: {name: a, annotations: &x {a: b}, labels: *x}\n",
		"Annotations": "metadata: {name: a, labels: &x {a: b}, annotations: *x}\n",
		"Metadata":    "metadata: &x {name: a, labels: {a: b}, annotations: {a: b}}\nspec: {template: {metadata: *x}}\n",
		"Both":        "metadata: &x {name: a, labels: {a: b}, annotations: &y {a: b}}\nspec: {template: {metadata: *x, labels: *y}}\n",
	} {
		items, err := Parse("f.yaml", []byte("apiVersion: v1\nkind: ConfigMap\n"+text))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range [][]string{{"metadata", "labels"}, {"spec", "template", "metadata", "annotations"}, {"spec", "template", "labels"}} {
			node := items[0].YNode()
			for _, key := range path {
				node = yamlnode.Dealias(yamlnode.Value(node, key))
			}
			if node != nil && len(node.Content) != 2 {
				t.Errorf("%s: %v has %d entries, want one", name, path, len(node.Content)/2)
			}
		}
		if len(items[0].GetAnnotations()) < 3 {
			t.Errorf("%s: the item does not know where it comes from", name)
		}
	}
}

// TestMetadataIsAlias: it is expanded, for the annotations of tools are not to be
// in what it stands for; all else stays.
func TestMetadataIsAlias(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ reason, in, want string }{
		"Annotations": {
			"comments stay, and aliases in it", "metadata:\n  labels: &x\n    a: &y b # 1\n    c: *y\n  # 2\n  annotations: *x # 3\n  z: *x\n",
			"metadata:\n  labels: &x\n    a: &y b # 1\n    c: *y\n  # 2\n  annotations:\n    # 3\n    a: b # 1\n    c: *y\n  z: *x\n",
		},
		"Metadata": {
			reason: "it may have annotations",
			in:     "a: &m\n  name: a\n  annotations: &n {a: b}\nmetadata: *m\nz: *n\n",
			want:   "a: &m\n  name: a\n  annotations: &n {a: b}\nmetadata:\n  name: a\n  annotations: {a: b}\nz: *n\n",
		},
		"Null":   {"or be nothing", "a: &n ~\nmetadata: {annotations: *n}\n", "a: &n ~\nmetadata: {annotations: ~}\n"},
		"Empty":  {"or nothing in it", "a: &n {}\nmetadata:\n  annotations: *n\n", "a: &n {}\nmetadata:\n  annotations: {}\n"},
		"Anchor": {"what others stand for is theirs as well", "metadata: &m\n  annotations: &n {a: b}\na: *n\n", "metadata: &m\n  annotations: &n {a: b}\na: *n\n"},
	} {
		const head = "apiVersion: v1\nkind: ConfigMap\n"
		text := head + tc.in
		for range 2 {
			items, err := Parse("f.yaml", []byte(text))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			var out bytes.Buffer
			if err := Write(&out, items); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if text = out.String(); text != head+tc.want {
				t.Errorf("%s: %s (-want +got):\n%s", name, tc.reason, cmp.Diff(head+tc.want, text))
			}
		}
	}
}
