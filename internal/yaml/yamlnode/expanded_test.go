package yamlnode

import (
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestCopyKeepsValues: the copy of an item with anchors has all values, and the item itself
// stays as it is.
func TestCopyKeepsValues(t *testing.T) {
	t.Parallel()
	item := yaml.MustParse("a: &a >-\n  [\n    {}\n  ]\nb: *a\n")
	want := "[\n  {}\n]"
	copied, err := Expanded(item)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"a", "b"} {
		if got := Text(copied.YNode(), key); got != want {
			t.Errorf("%s: want the value %q, got %q", key, want, got)
		}
	}
	data, err := JSON(item.YNode())
	if err != nil {
		t.Fatal(err)
	}
	if text := `{"a":"[\n  {}\n]","b":"[\n  {}\n]"}`; string(data) != text {
		t.Errorf("want %s, got %s", text, data)
	}
	if style := Get(item.YNode(), "a").Style; style != yaml.FoldedStyle {
		t.Errorf("reading an item changed its form: %d", style)
	}
}

// TestCopyOfAnchors: comments, forms and lines beside anchors and aliases do not matter, and
// an edit of the copy changes one place, and nothing of the item.
func TestCopyOfAnchors(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, text string }{
		{"a comment after an anchor", "a: &a # why\n  x: 1\nb: *a # too\n"},
		{"of a list", "a: &a # why\n- x\nb: *a\n"},
		{"of an empty value", "a: &a # why\nb: *a\n"},
		{"before a block", "a: &a |- # why\n  x\n  y\nb: *a\n"},
		{"an anchor of a key", "&k a: 1\nb: {*k : 2}\n"},
		{"a merge key", "a: &a {x: 1, y: 2}\nb:\n  <<: *a # all\n  y: 3\n"},
		{"several merge keys", "a: &a {x: 1}\nc: &c {x: 2, z: 3}\nb: {<<: [*a, *c], y: 3}\n"},
		{"an anchor in an anchor", "a: &a {i: &i [1], j: *i}\nb: *a\nc: *i\n"},
		{"an anchor that occurs twice", "a: &a 1\nb: *a\nc: &a 2\nd: *a\n"},
	} {
		item := yaml.MustParse(tc.text)
		before := item.Copy().MustString()
		copied, err := Expanded(item)
		if err != nil {
			t.Errorf("%s: %v", tc.reason, err)
			continue
		}
		if !Same(item.YNode(), copied.YNode()) {
			t.Errorf("%s: the copy has other values:\n%s", tc.reason, copied.MustString())
		}
		if HasAlias(copied.YNode()) || HasMergeKey(copied.YNode()) {
			t.Errorf("%s: the copy has aliases", tc.reason)
		}
		*copied.YNode().Content[1] = yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: "edited"}
		if Text(copied.YNode(), "b") == "edited" {
			t.Errorf("%s: two places of the copy share a node", tc.reason)
		}
		if after := item.MustString(); after != before {
			t.Errorf("%s: the item has changed:\n%s", tc.reason, after)
		}
	}
}
