package yamlnode_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

func TestSafe(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ reason, in, want string }{
		"FoldedIndented": {
			reason: "an indented line in a folded block gains an empty line with each writing",
			in:     "a: >- # why\n  [\n    {}\n  ]\n", want: "a: |- # why\n  [\n    {}\n  ]\n",
		},
		"FoldedTrailing": {
			reason: "so does one that ends with empty lines",
			in:     "a: >+\n  x\n\n\nb: 1\n", want: "a: |+\n  x\n\n\nb: 1\n",
		},
		"Folded":       {reason: "one that is safe keeps its form", in: "a: >-\n  x y\n\n  z\n", want: "a: >-\n  x y\n\n  z\n"},
		"Literal":      {reason: "literal blocks hold what they hold", in: "a: |2+\n    x\n\n   y\n\n", want: "a: |2+\n    x\n\n   y\n\n"},
		"Tab":          {reason: "a block that begins with a tab cannot be read again", in: "a: |2-\n  \tx\n", want: "a: \"\\tx\"\n"},
		"Key":          {reason: "a key of several lines is quoted", in: "? >\n  x\n    y\n: 1\n", want: "? \"x\\n  y\\n\"\n: 1\n"},
		"FoldedInFlow": {reason: "inside brackets there are no blocks", in: "a: [\"x\n\n  y\", 'z']\n", want: "a: [\"x\\ny\", 'z']\n"},
		"NullInFlow": {
			reason: "a null that is written as nothing would become an empty text inside brackets",
			in:     "a: {b: , c, d: [{e: }]}\n",
			want:   "a: {b: null, c: null, d: [{e: null}]}\n",
		},
		"NullKey":      {reason: "or as a key", in: "? \n: 1\n", want: "null: 1\n"},
		"Null":         {reason: "elsewhere it stays", in: "a:\nb: ~\nc: [~, null]\n", want: "a:\nb: ~\nc: [~, null]\n"},
		"AnchorAndTag": {reason: "anchors and tags stay", in: "a: &a !!str >\n  x\n    y\nb: *a\n", want: "a: &a !!str |\n  x\n    y\nb: *a\n"},
		"CommentAtAnchor": {
			reason: "the encoder writes an anchor behind a comment without its indentation, and no reader accepts that",
			in:     "a: &a # why\n  b: &b\n    c: 1\n",
			want:   "a: &a\n  # why\n  b: &b\n    c: 1\n",
		},
		"CommentAtTag": {
			reason: "or a tag", in: "a: !!map # why\n  # here\n  b: !!map\n    c: 1\n", want: "a: !!map\n  # here\n  # why\n  b: !!map\n    c: 1\n",
		},
		"TwoComments": {
			reason: "the encoder writes the second of two comments in a line beside a later key",
			in:     "a: &a # one\n  b: 1 # two\nc: 2\nd: !!map\n  e: 1\n",
			want:   "a: &a\n  # one\n  b: 1 # two\nc: 2\nd: !!map\n  e: 1\n",
		},
		"CommentAtAnchorOfBrackets": {
			reason: "the parser gives the comment of an anchor to the first key, and the encoder takes it from one with brackets to a later key",
			in:     "a: &a # one\n  b: [1]\n  c: 2\n  d: &d\n    e: 1\nf: &f # two\n  g: *a\n  h:\n    i: 1\nj: &j # three\n  k: {}\n  l: 1\n",
			want:   "a: &a\n  # one\n  b: [1]\n  c: 2\n  d: &d\n    e: 1\nf: &f\n  # two\n  g: *a\n  h:\n    i: 1\nj: &j\n  # three\n  k: {}\n  l: 1\n",
		},
		"CommentOfNull": {
			reason: "and that of an empty value", in: "a: # one\n  b: &b # two\nc: &c\n  d: 1\n", want: "# one\n# two\na:\n  b: &b\nc: &c\n  d: 1\n",
		},
		"CommentsAbout": {
			reason: "comments stay where they are",
			in:     "# 1\na: > # 2\n  x\n    y\n# 3\nb: 1 # 4\n",
			want:   "# 1\na: | # 2\n  x\n    y\n# 3\nb: 1 # 4\n",
		},
	} {
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(tc.in), &doc); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		yamlnode.Safe(&doc)
		got := encode(t, &doc)
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", name, tc.reason, diff)
		}
	}
}

// TestSafeSurvives: any text, in any form and at any place, is the same after it
// was encoded and read again, and the second text is the first.
func TestSafeSurvives(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tree := drawTree(t, 3)
		want := texts(tree, nil)
		yamlnode.Safe(tree)
		first := encode(t, tree)
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(first), &doc); err != nil {
			t.Fatalf("%v:\n%s", err, first)
		}
		if diff := cmp.Diff(want, texts(doc.Content[0], nil)); diff != "" {
			t.Fatalf("a value changed (-want +got):\n%s\n%s", diff, first)
		}
		yamlnode.Safe(&doc)
		if diff := cmp.Diff(first, encode(t, &doc)); diff != "" {
			t.Fatalf("the second text differs (-first +second):\n%s", diff)
		}
	})
}

func drawTree(t *rapid.T, depth int) *yaml.Node {
	kinds := []yaml.Kind{yaml.MappingNode, yaml.SequenceNode, yaml.ScalarNode}
	switch kind := rapid.SampledFrom(kinds).Draw(t, "kind"); {
	case depth == 3 || depth > 0 && kind == yaml.MappingNode:
		n := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap, Style: drawFlow(t)}
		for i := range rapid.IntRange(1, 3).Draw(t, "keys") {
			key := drawScalar(t)
			key.Value = string(rune('a'+i)) + key.Value
			n.Content = append(n.Content, key, drawTree(t, depth-1))
		}
		return n
	case depth > 0 && kind == yaml.SequenceNode:
		n := &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq, Style: drawFlow(t)}
		for range rapid.IntRange(1, 3).Draw(t, "elements") {
			n.Content = append(n.Content, drawTree(t, depth-1))
		}
		return n
	}
	return drawScalar(t)
}

func drawFlow(t *rapid.T) yaml.Style {
	return rapid.SampledFrom([]yaml.Style{0, 0, 0, yaml.FlowStyle}).Draw(t, "flow")
}

func drawScalar(t *rapid.T) *yaml.Node {
	styles := []yaml.Style{0, yaml.SingleQuotedStyle, yaml.DoubleQuotedStyle, yaml.LiteralStyle, yaml.FoldedStyle, yaml.FoldedStyle}
	parts := []string{
		"a", "b", " ", " ", "\n", "\n", "\t", "\r", "#", ": ", "- ", "'", `"`, "{", "]", "...", "---", "%", "true", "1",
		"\u0085", "\u2028", "\ufeff", "\x01", "ä", "😀",
	}
	return &yaml.Node{
		Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Style: rapid.SampledFrom(styles).Draw(t, "style"),
		Value: strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 8).Draw(t, "value"), ""),
	}
}

// texts returns the kinds and values of a tree in order.
func texts(n *yaml.Node, list []string) []string {
	list = append(list, n.ShortTag()+" "+n.Value)
	for _, child := range n.Content {
		list = texts(child, list)
	}
	return list
}

type fataler interface{ Fatal(args ...any) }

func encode(t fataler, n *yaml.Node) string {
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	if err := encoder.Encode(n); err != nil {
		t.Fatal(err)
	}
	if err := encoder.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
