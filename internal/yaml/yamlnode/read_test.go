package yamlnode

import (
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

const anchored = `base: &base # shared
  x: 1
  name: &n here
  "null": ~
list:
- *n
- {key: *base}
over: {<<: *base, x: 2}
both:
  <<: [{x: 3}, *base]
*n : found
`

// TestReading: all accessors follow aliases and merge keys, and a null is nothing to those
// that return a value.
func TestReading(t *testing.T) {
	t.Parallel()
	root := yaml.MustParse(anchored).YNode()
	for path, want := range map[string]string{
		"base.x": "1", "list[0]": "here", "list[1].key.x": "1", "over.x": "2", "over.name": "here", "both.x": "3", "both.name": "here",
		"here": "found", "list[2]": "", "list.x": "", "base.x.y": "", "no": "",
	} {
		got := ""
		if n := At(root, path); n != nil {
			got = n.Value
		}
		if got != want {
			t.Errorf("%s: want %q, got %q", path, want, got)
		}
	}
	for path, want := range map[string]string{"base": "", "over.name": "here", "base.null": "", "here": "found"} {
		if got := Text(root, fieldpath.Steps(path)...); got != want {
			t.Errorf("the text at %s: want %q, got %q", path, want, got)
		}
	}
	for path, want := range map[string]int{"base": 1, "over.name": 3, "both.x": 10, "list[1].key.x": 2, "list[1].no": 7, "no": 1} {
		if got := Line(root, path); got != want {
			t.Errorf("the line of %s: want %d, got %d", path, want, got)
		}
	}
	if Get(root, "list").Kind != yaml.SequenceNode || Value(Get(root, "list").Content[1], "key").Kind != yaml.AliasNode {
		t.Error("Value follows an alias")
	}
	if Get(nil, "x") != nil || Value(nil, "x") != nil || Root(&yaml.Node{Kind: yaml.DocumentNode}) != nil {
		t.Error("nothing has values")
	}
}

// TestFields: a mapping has the fields that the API server reads, each once.
func TestFields(t *testing.T) {
	t.Parallel()
	root := yaml.MustParse(anchored + "quoted: {\"<<\": text, x: 5}\ntwice: &twice {<<: {x: 6, y: 7}, <<: {z: 8, y: 9}}\nall: {<<: [*base, *twice]}\n").YNode()
	for path, want := range map[string]string{
		"base": "x=1 name=here null=~ ", "over": "x=2 name=here null=~ ", "both": "x=3 name=here null=~ ", "quoted": "<<=text x=5 ",
		"twice": "x=6 y=7 z=8 ", "all": "x=1 name=here null=~ y=7 z=8 ", "list": "", "base.x": "",
	} {
		got, first := "", ""
		for key, value := range Fields(At(root, path)) {
			got += key + "=" + value.Value + " "
		}
		for key, value := range Fields(At(root, path)) {
			first = key + "=" + value.Value + " "
			break
		}
		if got != want || !strings.HasPrefix(want, first) {
			t.Errorf("%s: want %q, got %q, and %q alone", path, want, got, first)
		}
	}
	for _, text := range []string{"a: &a {<<: *a, x: 1}\n", "a: &a {x: 1, <<: [*a, *a]}\n"} {
		n := 0
		for range Fields(Get(yaml.MustParse(text).YNode(), "a")) {
			n++
		}
		if n != 1 {
			t.Errorf("%s: want one field, got %d", text, n)
		}
	}
}

// TestReadError: the message names the lines of the file, and not the reader.
func TestReadError(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a: [": "line 11: did not find expected node content",
		"a: 1\na: 2\na: 3": `line 12: mapping key "a" already defined at line 11; line 13: mapping key "a" already defined at line 11; ` +
			`line 13: mapping key "a" already defined at line 12`,
		"a: *b": "unknown anchor 'b' referenced",
	} {
		var tree map[string]any
		err := yaml.Unmarshal([]byte(text), &tree)
		if err == nil {
			t.Fatalf("%q is read", text)
		}
		if got := ReadError(err, 10).Error(); got != want {
			t.Errorf("%q: want %q, got %q", text, want, got)
		}
	}
}

// TestEndless: an anchor that contains itself ends no reader.
func TestEndless(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"a: &a\n  <<: *a\n  x: 1\n", "a: &a\n  <<: [*a, *a, *a]\n", "a: &a {b: *a}\n"} {
		var doc, other yaml.Node
		if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
			t.Fatal(err)
		}
		if err := yaml.Unmarshal([]byte(text), &other); err != nil {
			t.Fatal(err)
		}
		a := Get(&doc, "a")
		if Get(a, "no") != nil {
			t.Errorf("%q: a key that is not there was found", text)
		}
		if Same(&doc, &other) {
			t.Errorf("%q: a value without an end is the same as another one", text)
		}
		if copied := Copy(&doc); Get(copied, "a") == a || !HasAlias(copied) {
			t.Errorf("%q: the copy shares nodes", text)
		}
	}
}

// TestCopy: the aliases of a copy refer to the copy.
func TestCopy(t *testing.T) {
	t.Parallel()
	root := yaml.MustParse(anchored).YNode()
	before := yaml.NewRNode(root).MustString()
	copied := Copy(root)
	if got := yaml.NewRNode(copied).MustString(); got != before {
		t.Errorf("the copy has another text:\n%s", got)
	}
	Get(copied, "base").Content[1].Value = "9"
	if got := Text(copied, "both", "name") + At(copied, "list[1].key.x").Value; got != "here9" {
		t.Errorf("an alias of the copy refers to the original: %s", got)
	}
	if got := yaml.NewRNode(root).MustString(); got != before {
		t.Errorf("an edit of the copy changes the original:\n%s", got)
	}
	element := Copy(Get(root, "list").Content[0]) // its anchor is outside
	if element.Alias == nil || element.Alias.Value != "here" || element.Alias == Get(root, "list").Content[0].Alias {
		t.Error("the alias of an anchor outside the tree refers to nothing")
	}
}
