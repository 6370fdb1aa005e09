package yamledit_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamledit"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

func TestEdit(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, before string
		edit           string // the tree that is wanted, in any style
		want           string
	}{
		{
			reason: "a new field goes behind the others, before what follows",
			before: "a:\n  b: 1 # one\n\n# next\nc: 2\n",
			edit:   "a: {b: 1, new: x}\nc: 2",
			want:   "a:\n  b: 1 # one\n  new: x\n\n# next\nc: 2\n",
		},
		{"a line keeps its break where the lines behind it go", "a: 1\nb:\n  c: 2", "a: 1", "a: 1\n"},
		{"the break after a literal block is a part of its text", "a: |\n  x\nb: 1", "{a: \"x\\n\"}", "a: |\n  x\n"},
		{"a new field stands where the tree has it", "a: 1\n# about c\nc: 2\n", "{a: 1, b: x, c: 2}", "a: 1\nb: x\n# about c\nc: 2\n"},
		{"a new first field of an element takes the dash", "- b: 1\n  c: 2\n", "[{a: x, b: 1, c: 2}]", "- a: x\n  b: 1\n  c: 2\n"},
		{
			reason: "a comment that is indented further belongs to what is above",
			before: "a:\n  b: 1\n    # deep\n  # b: 2\nc: 1\n",
			edit:   "{a: {b: 1}, new: x, c: 1}",
			want:   "a:\n  b: 1\n    # deep\n  # b: 2\nnew: x\nc: 1\n",
		},
		{
			reason: "four blanks stay four blanks",
			before: "a:\n    b:\n        c: 1\n",
			edit:   "a:\n  b: {c: 1}\n  d:\n    e:\n      f: 1\n",
			want:   "a:\n    b:\n        c: 1\n    d:\n        e:\n            f: 1\n",
		},
		{"lists are indented as the others", "a:\n  b:\n    - 1\n", "a:\n  b: [1]\n  c:\n  - x\n", "a:\n  b:\n    - 1\n  c:\n    - x\n"},
		{
			reason: "the quotes of a host's annotations are not those of the file",
			before: "a:\n  config.kubernetes.io/index: '0'\n  internal.config.kubernetes.io/path: 'x'\n",
			edit:   "{a: {config.kubernetes.io/index: '0', internal.config.kubernetes.io/path: x, b: unset}}",
			want:   "a:\n  config.kubernetes.io/index: '0'\n  internal.config.kubernetes.io/path: 'x'\n  b: unset\n",
		},
		{"texts have the quotes of their neighbours", "a:\n  b: 'x'\n  c: 'y'\n", "{a: {b: x, c: y, d: z}}", "a:\n  b: 'x'\n  c: 'y'\n  d: 'z'\n"},
		{
			reason: "a text that needs quotes has those of its neighbours",
			before: "a:\n  b: 'true'\n  c: y\n",
			edit:   "{a: {b: 'true', c: y, d: 'false'}}",
			want:   "a:\n  b: 'true'\n  c: y\n  d: 'false'\n",
		},
		{"the newline of a text that becomes the last one is its value", "a: |\n  x\nb: 2", "a: |\n  x\n", "a: |\n  x\n"},
		{"the last elements of a list go", "a:\n- 1\n- 2\n- 3", "a: [1]", "a:\n- 1\n"},
		{
			reason: "comments between a key and what replaces its value stay",
			before: "a: # one\n\n  # two\n  {} # three\nb: 1\n",
			edit:   "a:\n  c:\n    d: x\nb: 1\n",
			want:   "a: # one\n\n  # two\n  c:\n    d: x # three\nb: 1\n",
		},
		{"also of an element", "- # one\n  {}\n- 1\n", "- a:\n    b: x\n- 1\n", "- # one\n  a:\n    b: x\n- 1\n"},
		{"the comment of a folded text stays", "a: >- # why\n  x\n  y\nb: 1\n", "{a: z, b: 1}", "a: z # why\nb: 1\n"},
		{"and its lines go with it where nothing follows", "a: >- # why\n  x", "a: z", "a: z # why"},
		{"a text keeps its quotes and its comment", "a: \"x\"   # why\n", "a: y", "a: \"y\"   # why\n"},
		{"a word that YAML 1.1 reads as a truth value gets quotes", "a: 1\n", "{a: 1, b: 'off'}", "a: 1\nb: 'off'\n"},
		{"a text with a comma needs quotes in brackets alone", "a: {b: 1}\nc: 2\n", "a: {b: 1, d: \"x,y\"}\nc: 2\ne: x,y", "a: {b: 1, d: \"x,y\"}\nc: 2\ne: x,y\n"},
		{"brackets stay brackets", "a: {b: 1}\n", "a: {b: 1, c: x}", "a: {b: 1, c: x}\n"},
		{"brackets of several lines get a line", "a: {\n  b: 1,\n  c: 2, # two\n}\n", "a: {b: 1, c: 2, d: x}", "a: {\n  b: 1,\n  c: 2, # two\n  d: x,\n}\n"},
		{"the last line may have no comma", "a: [\n  b,\n  c # two\n]\n", "a: [b, c, d]", "a: [\n  b,\n  c, # two\n  d\n]\n"},
		{
			reason: "nor a comma behind the comment, if several come", before: "a: {\n  b: 1,\n  c: 2 # two\n}\n", edit: "a: {b: 1, c: 2, d: x, e: z}",
			want: "a: {\n  b: 1,\n  c: 2, # two\n  d: x,\n  e: z\n}\n",
		},
		{
			reason: "a row goes with its comment, and not with that of the row before", before: "a: {\n  b: 1, # one\n  c: 2 # two\n}\n", edit: "a: {b: 1}",
			want: "a: {\n  b: 1 # one\n}\n",
		},
		{"a row in between goes as well", "a: [\n  b, # one\n  c, # two\n  d # three\n]\n", "a: [b, d]", "a: [\n  b, # one\n  d # three\n]\n"},
		{"JSON gets no comma at the end", "{\n  \"a\": 1,\n  \"b\": 2\n}\n", "{a: 1}", "{\n  \"a\": 1\n}\n"},
		{"comments stay in what becomes null", "a: # why\n  b: 1\nc: 2\n", "{a: , c: 2}", "a: # why\nc: 2\n"},
		{"a null is written as it is wanted", "a: # why\n  b: 1\n  # about b\nc: 2\n", "{a: ~, c: 2}", "a: ~ # why\n  # about b\nc: 2\n"},
		{"comments stay in what becomes empty", "a: # why\n  # about b\n  b: 1\nc: 2\n", "{a: {}, c: 2}", "a: {} # why\n  # about b\nc: 2\n"},
		{
			reason: "a comment may follow an anchor or a tag", before: "a: &x # why\n  b: !!map # tag\n    c: 1\n", edit: "a: {b: {c: 1, d: z}}",
			want: "a: &x # why\n  b: !!map # tag\n    c: 1\n    d: z\n",
		},
		{
			reason: "the comment of a block's header is no part of it", before: "- a: |\t# + 2\n    x\n\n- b: |2+ \t# - 1\n    x\n\n- c: >- # |+\n    x\n",
			edit: "- {a: \"x\\n\", d: z}\n- {b: \"x\\n\\n\", d: z}\n- {c: x, d: z}\n",
			want: "- a: |\t# + 2\n    x\n  d: z\n\n- b: |2+ \t# - 1\n    x\n\n  d: z\n- c: >- # |+\n    x\n  d: z\n",
		},
		{
			reason: "an object whose kind is an alias is still the same object",
			before: "- kind: &k A\n  metadata: {name:  x}\n- kind: *k \n  metadata: {name:  y}\n  a: [ 2 ]\n",
			edit:   "- {kind: A, metadata: {name: x}}\n- {kind: A, metadata: {name: y}, a: [2], b: c}",
			want:   "- kind: &k A\n  metadata: {name:  x}\n- kind: *k \n  metadata: {name:  y}\n  a: [ 2 ]\n  b: c\n",
		},
		{"lines may end with a carriage return alone", "%YAML 1.2\r---\ra:\r  b: 1\r", "a: {b: 1, c: x}", "%YAML 1.2\r---\ra:\r  b: 1\r  c: x\r"},
		{
			reason: "JSON stays JSON",
			before: "{\n  \"a\": {\n    \"b\": \"x\"\n  }\n}\n",
			edit:   "a: {b: x, c: {d: y}}",
			want:   "{\n  \"a\": {\n    \"b\": \"x\",\n    \"c\": {\n      \"d\": \"y\"\n    }\n  }\n}\n",
		},
		{"JSON without blanks stays so", `{"a":{"b":"x"}}`, "a: {b: x, c: [y, true]}", `{"a":{"b":"x","c":["y",true]}}`},
		{"an empty object gets lines below it", "a: {} # none\nb: 1\n", "a:\n  c:\n    d: x\nb: 1", "a: # none\n  c:\n    d: x\nb: 1\n"},
		{"so does nothing", "a:\n# why\nb: 1\n", "a:\n  c: x\nb: 1", "a:\n  c: x\n# why\nb: 1\n"},
		{"null becomes a text", "a: null # later\n", "a: x", "a: x # later\n"},
		{
			reason: "a field goes with its lines, comments beside them stay",
			before: "a: 1\n# about b\nb:\n  c: 2\n# about d\nd: 3\n",
			edit:   "{a: 1, d: 3}",
			want:   "a: 1\n# about b\n# about d\nd: 3\n",
		},
		{
			reason: "comments in what goes stay",
			before: "a: 1\nb: # gone\n  # about c\n  c: 2\n  # about d\n  d:\n  - e\n# about f\nf: 3\n",
			edit:   "{a: 1, f: 3}",
			want:   "a: 1\n  # about c\n  # about d\n# about f\nf: 3\n",
		},
		{
			reason: "comments between fields that are all replaced stay",
			before: "a:\n  # about b\n  b: 1\n  # about c\n  c: 2\nd: 3\n",
			edit:   "{a: {e: 4}, d: 3}",
			want:   "a:\n  # about b\n  e: 4\n  # about c\nd: 3\n",
		},
		{"the next field takes the dash", "- a: 1 # gone\n  b: 2\n", "[{b: 2}]", "- b: 2\n"},
		{"unless a comment is between them", "- a: 1\n  # about b\n  b: 2\n", "[{b: 2}]", "-\n  # about b\n  b: 2\n"},
		{"an element goes", "a:\n- b: 1\n- c: 2 # two\n- d: 3\n", "a: [{b: 1}, {d: 3}]", "a:\n- b: 1\n- d: 3\n"},
		{
			reason: "an element comes, as wide as the others",
			before: "-   name: a\n-   name: b\n",
			edit:   "- name: a\n- name: x\n  k: z\n- name: b\n",
			want:   "-   name: a\n-   name: x\n    k: z\n-   name: b\n",
		},
		{"a pair in brackets goes with its comma", "{a: 1, b: 2, c: 3}\n", "{a: 1, b: 2}", "{a: 1, b: 2}\n"},
		{"the first one, too", "{a: 1, b: 2}\n", "{b: 2}", "{b: 2}\n"},
		{"lines end as they do", "\ufeffa:\r\n  b: 1\r\nc: 2", "{a: {b: 1, k: x}, c: 2, d: z}", "\ufeffa:\r\n  b: 1\r\n  k: x\r\nc: 2\r\nd: z"},
		{
			reason: "a text of several lines ends where its lines end",
			before: "a:\n  b: |\n    one\n\n    two\n\nc: 1\n",
			edit:   "a: {b: \"one\\n\\ntwo\\n\", d: x}\nc: 1",
			want:   "a:\n  b: |\n    one\n\n    two\n  d: x\n\nc: 1\n",
		},
		{
			reason: "one that keeps its last line breaks has the empty lines",
			before: "a:\n  b: |+\n    one\n\nc: 1\n",
			edit:   "a: {b: \"one\\n\\n\", d: x}\nc: 1",
			want:   "a:\n  b: |+\n    one\n\n  d: x\nc: 1\n",
		},
		{"lines of a text change one by one", "a: |\n    one\n    two\nb: 1\n", "a: \"one\\n2\\n\"\nb: 1", "a: |\n    one\n    2\nb: 1\n"},
		{"anchors elsewhere stay", "a: &x\n  b: 1\nc: *x\nd:\n  e: &y z\n", "a: {b: 1}\nc: {b: 1}\nd: {e: z, f: z}", "a: &x\n  b: 1\nc: *x\nd:\n  e: &y z\n  f: z\n"},
		{"a merge key stays", "a: &x {b: 1}\nc:\n  <<: *x\n  d: 2\n", "a: {b: 1}\nc: {b: 1, d: 2, e: x}", "a: &x {b: 1}\nc:\n  <<: *x\n  d: 2\n  e: x\n"},
		{
			reason: "letters of several bytes, and U+2028 in quotes, move nothing",
			before: "é: \"a\u2028b\" # ü\nspec: {ß: ø} # ✓\n",
			edit:   "é: \"a\u2028b\"\nspec: {ß: ø, a: x}",
			want:   "é: \"a\u2028b\" # ü\nspec: {ß: ø, a: x} # ✓\n",
		},
		{"a directive and a marker stay", "%YAML 1.2\n---\na: 1\n...\n# end\n", "{a: 1, b: x}", "%YAML 1.2\n---\na: 1\nb: x\n...\n# end\n"},
	} {
		want := wanted(t, tc.edit)
		got, err := rewritten([]byte(tc.before), want)
		if err != nil {
			t.Errorf("%s: %v", tc.reason, err)
			continue
		}
		if diff := cmp.Diff(tc.want, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// rewritten writes the values of a tree that may come from anywhere into a text.
func rewritten(text []byte, tree *yaml.Node) ([]byte, error) {
	return yamledit.Update(text, yamlnode.Unplaced(tree))
}

// wanted reads a tree; an alias without an anchor in it is the text of its name.
func wanted(t *testing.T, text string) *yaml.Node {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	return &doc
}

func TestEditRefuses(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, before, edit string
		line                 int
	}{
		{"an alias is where the edit goes", "a: &x\n  b: 1\nc: *x\n", "a: {b: 1}\nc: {b: 1, d: x}", 3},
		{"an alias shares what the edit changes", "a: &x\n  b: 1\nc: *x\n", "a: {b: 1, d: x}\nc: {b: 1}", 1},
		{"an alias needs the anchor that would go", "a: 1\nb: &x 2\nc: *x\n", "a: 1\nc: 2", 2},
		{"a merge key brings what would change", "a: &x {b: 1}\nc:\n  <<: *x\n", "a: {b: 1}\nc: {b: 2}", 3},
		{"a key is there twice", "a: 1\nspec:\n  b: 1\n  b: 1\n", "a: 1\nspec: {b: 1, c: x}", 4},
		{"a pair in brackets has no braces", "a: [b: c]\n", "a: [{b: c, d: x}]", 1},
		{"it is not YAML", "a: [\n", "a: x", 1},
		{"it is not UTF-8", "a: \xff\n", "a: x", 1},
		{"there are two documents", "a: 1\n---\nb: 1\n", "a: x", 2},
		{"an anchor contains itself", "a: &x [*x]\n", "a: x", 1},
		{"there is nothing", "# nothing\n", "a: x", 1},
	} {
		got, err := rewritten([]byte(tc.before), wanted(t, tc.edit))
		refused := &yamledit.Error{}
		if !errors.As(err, &refused) || refused.Line != tc.line || got != nil {
			t.Errorf("%s: got %q and %v, want an error in line %d", tc.reason, got, err, tc.line)
		}
	}
}

// TestNothingToEdit: what says the same is the same text, in whatever form.
func TestNothingToEdit(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"a: 1\n", "\ufeffa: &x [1, {b: 2}]\r\nc: *x", "a: 1\na: 1\n", "? a\n: b\n", "- - a\n  -   b\n", "a: !!str 1\n", "{a, b: [c: d]}", "a: \"\\u2028\"\r\n",
	} {
		if got, err := rewritten([]byte(text), wanted(t, text)); err != nil || string(got) != text {
			t.Errorf("%q: got %q and %v", text, got, err)
		}
	}
}

// TestAnchorOfWhatGoes: the comments between the entries of a mapping with an anchor stay when
// all entries go.
func TestAnchorOfWhatGoes(t *testing.T) {
	t.Parallel()
	for reason, tc := range map[string]struct{ before, after string }{
		"an anchor":               {"a:\n  b: &x\n    # one\n    # two\n    c: d # beside\n  e: f\n", "a:\n  b: &x {}\n    # one\n    # two\n  e: f\n"},
		"a comment behind it":     {"a:\n  b: &x # why\n    # one\n    c: d\n  e: f\n", "a:\n  b: &x {} # why\n    # one\n  e: f\n"},
		"no anchor":               {"a:\n  b: # why\n    # one\n    c: d\n  e: f\n", "a:\n  b: {} # why\n    # one\n  e: f\n"},
		"an anchor and its alias": {"a:\n  b: &x\n    # one\n    c: d\ng: *x\n", ""},
	} {
		got, err := apply([]byte(tc.before), []change{{Path: []string{"a", "b", "c"}}})
		if tc.after == "" {
			if err == nil {
				t.Errorf("%s: want an error, got\n%s", reason, got)
			}
			continue
		}
		if err != nil || string(got) != tc.after {
			t.Errorf("%s: %v\n%s", reason, err, got)
		}
	}
}

// TestAliasBesideItsAnchor: a tree that was read from the text has the value of an anchor where
// an alias is, at the position of the anchor. The alias stays.
func TestAliasBesideItsAnchor(t *testing.T) {
	t.Parallel()
	for _, list := range []string{"- &x one\n- *x # again\n", "- &x {b: 1}\n- two\n- *x\n- *x\n- three\n", "- &x\n  - b\n- *x\n"} {
		before := "list:\n" + list
		want := yaml.CopyYNode(parsed(t, before))
		expand(want)
		want.Content = append(want.Content, parsed(t, "new"), parsed(t, "z"))
		got, err := yamledit.Update([]byte(before), want)
		if err != nil || string(got) != before+"new: z\n" {
			t.Errorf("%v\n%s", err, got)
		}
	}
}
