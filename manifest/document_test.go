package manifest

import (
	"errors"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
)

func TestParseKeepsLinesAndComments(t *testing.T) {
	t.Parallel()
	const file = "\ufeff# a word first\n---\n# of a\napiVersion: v1\nkind: A\nmetadata: {name: a}\n--- # of b\napiVersion: v1\nkind: B\nspec:\n  list:\n    - 1\n---\n# nothing\n---\n---\napiVersion: v1\nkind: C\n\n# the end\n"
	items, err := Parse("dir/f.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	if len(items) != 3 {
		t.Fatalf("want 3 items, got %d", len(items))
	}
	lines := strings.Split(file, "\n")
	for i, kind := range []string{"A", "B", "C"} {
		node := items[i]
		if got := node.GetKind(); got != kind {
			t.Errorf("item %d: want kind %s, got %s", i, kind, got)
		}
		if line := node.Field("kind").Key.YNode().Line; lines[line-1] != "kind: "+kind {
			t.Errorf("item %d: line %d is %q, not that of its kind", i, line, lines[line-1])
		}
		notes := node.GetAnnotations()
		if notes[kioutil.PathAnnotation] != "dir/f.yaml" || notes[kioutil.IndexAnnotation] != string(rune('0'+i)) {
			t.Errorf("item %d: wrong place %v", i, notes)
		}
	}
	if got := items[1].GetAnnotations()[kioutil.SeqIndentAnnotation]; got != "wide" {
		t.Errorf("the indentation of lists is kept: want wide, got %q", got)
	}
	var all strings.Builder
	for _, item := range items {
		text, err := item.String()
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString(text)
	}
	for _, comment := range []string{"# a word first", "# of a", "# of b", "# the end"} {
		if !strings.Contains(all.String(), comment) {
			t.Errorf("comment %q is lost in:\n%s", comment, all.String())
		}
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ text, want, reason string }{
		"broken":      {object + "---\nb: [\n", "f.yaml: the document that begins at line 4", "the document is named by its line"},
		"no object":   {"- a\n- b\n", "not an object", "a list is no manifest"},
		"values":      {"# values\nreplicas: 1\n", "f.yaml:2: a document without apiVersion", "a values file is no manifest"},
		"helm":        {"kind: {{ .Values.kind }}\n", "template", "a template is named as one"},
		"jinja":       {"{% if x %}\nkind: A\n{% endif %}\n", "template", "Jinja as well"},
		"only github": {"a: [${{ x }}\n", "not YAML", "an expression of GitHub Actions is no template action"},
	} {
		_, err := Parse("f.yaml", []byte(tc.text))
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s (%s): want an error with %q, got %v", name, tc.reason, tc.want, err)
		}
		if got := errors.Is(err, ErrTemplated); got != (tc.want == "template") {
			t.Errorf("%s (%s): ErrTemplated: %v", name, tc.reason, got)
		}
	}
	if items, err := Parse("f.yaml", []byte("\n# nothing\n---\n")); err != nil || len(items) != 0 {
		t.Errorf("a file of comments has no items: %d, %v", len(items), err)
	}
	if items, err := Parse("f.yaml", []byte("apiVersion: v1\r\nkind: A\r\n")); err != nil || items[0].GetKind() != "A" {
		t.Errorf("Windows line ends are read: %v", err)
	}
}
