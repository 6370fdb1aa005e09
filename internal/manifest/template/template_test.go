package template_test

import (
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/manifest/template"
)

func TestIsCause(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, text string
		want         bool
	}{
		{"a value without quotes", "a: {{ x }}:{{ y }}\n", true},
		{"a row of Helm", "a: b\n{{- if .Values.x }}\nc: d\n{{- end }}\n", true},
		{"a row of Jinja", "a: b\n{% for x in y %}\nc: d\n{% endfor %}\n", true},
		{"an action over several rows", "a: {{ x\n  | y }}\n", true},
		{"a template of which nothing else is YAML either", "a: b\n{{- include \"x\" . | nindent 4 }} c: [\n", true},
		{"a comment has an action", "# {{ x }}\na: [\n", false},
		{"a comment beside a value", "a: b # {{ x }}\nc: [\n", false},
		{"a string has one, far from the mistake", "a: '{{ x }}'\nb: c\nd: e\nf: g\nh: i\nspec:\n  bad: [\n", false},
		{"an expression of GitHub Actions", "a: [${{ x }}\n", false},
		{"no action", "a: [\n", false},
	} {
		if got := template.IsCause(tc.text); got != tc.want {
			t.Errorf("%s: got %v", tc.reason, got)
		}
	}
}

func TestDecided(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, text string
		line         int
	}{
		{"a note", "metadata:\n  annotations:\n    a: '{{ x }}'\n", 0},
		{"a description over several rows", "spec:\n  description: |\n    {{ x }}\n", 0},
		{"a name", "kind: Pod\nmetadata: {name: '{{ x }}'}\n", 0},
		{"a comment", "image: a # {{ x }}\n", 0},
		{"an image", "spec:\n  containers:\n  - image: 'a:{{ x }}'\n", 3},
		{"a node selector", "spec:\n  nodeSelector:\n    a: '{% x %}'\n", 3},
		{"a value of an affinity", "affinity:\n  nodeAffinity:\n    a: [{values: ['{{ x }}']}]\n", 3},
		{"our annotation", "metadata:\n  annotations:\n    goldenarch.dev/claim: '{{ x }}'\n", 3},
		{"the kind", "kind: '{{ x }}'\n", 1},
		{"the URL of an image", "registry:\n  url: docker://{{ x }}\n", 2},
		{"a value without quotes", "a:\n  name: {{ x }}\n", 2},
		{"an alias of a value", "a: &a '{{ x }}'\nimage: *a\n", 1},
		{"an alias of a value that counts nowhere", "a: &a '{{ x }}'\nb: *a\n", 0},
		{"an alias of a mapping", "a: &a\n  b: ['{{ x }}']\nnodeSelector: *a\n", 2},
		{"a merge key", "a: &a\n  b: '{{ x }}'\nnodeSelector:\n  <<: *a\n", 2},
		{"an alias as the key", "a: &a image\nb:\n  *a : '{{ x }}'\n", 3},
		{"an anchor that contains itself", "image: &a\n- *a\n- '{{ x }}'\n", 3},
	} {
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(tc.text), &doc); err != nil {
			t.Fatal(err)
		}
		line := 0
		if by := template.Decided(&doc); by != nil {
			line = by.Line
		}
		if line != tc.line {
			t.Errorf("%s: got line %d, want %d", tc.reason, line, tc.line)
		}
	}
}
