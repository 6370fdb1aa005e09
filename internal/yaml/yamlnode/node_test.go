package yamlnode

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/test/yamlnodetest"
)

func TestEdits(t *testing.T) {
	t.Parallel()
	str := func(value string, style yaml.Style) func(*yaml.RNode) {
		return func(n *yaml.RNode) { SetString(n.YNode(), "a", value, style) }
	}
	boolean := func(value bool) func(*yaml.RNode) { return func(n *yaml.RNode) { SetBool(n.YNode(), "a", value) } }
	below := func(n *yaml.RNode) { SetString(Mapping(n.YNode(), "x", "y"), "a", "1", 0) }
	element := func(n *yaml.RNode) {
		if list := Sequence(n.YNode(), "a"); len(list.Content) == 0 {
			list.Content = append(list.Content, NewScalar("b", yaml.NodeTagString, 0))
		}
	}
	for _, tc := range []struct {
		reason string
		before string
		edit   func(*yaml.RNode)
		want   string
	}{
		{"a new key goes to the end", "b: 1 # one\n", str("x", 0), "b: 1 # one\na: x\n"},
		{"an empty mapping is no longer written as one line", "{}\n", str("x", 0), "a: x\n"},
		{"a mapping in one line stays one", "{b: 1}\n", str("x", 0), "{b: 1, a: x}\n"},
		{"the same string keeps its quotes", "a: 'x' # why\n", str("x", yaml.DoubleQuotedStyle), "a: 'x' # why\n"},
		{"another string keeps quotes and comments", "# head\na: 'x' # why\n", str("y", yaml.DoubleQuotedStyle), "# head\na: 'y' # why\n"},
		{"a string that would be read as a bool gets quotes", "a: x\n", str("false", yaml.DoubleQuotedStyle), "a: \"false\"\n"},
		{"a bool that should be a string becomes one", "a: false\n", str("false", yaml.DoubleQuotedStyle), "a: \"false\"\n"},
		{"quotes come by themselves where nobody asks", "b: 1\n", str("false", 0), "b: 1\na: \"false\"\n"},
		{"null is nothing, its comment stays", "a: null # later\n", str("x", 0), "a: x # later\n"},
		{"nothing at all is nothing", "a:\nb: 1\n", str("x", 0), "a: x\nb: 1\n"},
		{"a mapping in the place of a string is replaced", "a: {b: c}\n", str("x", 0), "a: x\n"},
		{"a bool that is right keeps its comment", "a: true # on\n", boolean(true), "a: true # on\n"},
		{"another bool keeps the comment", "# head\na: true # on\n", boolean(false), "# head\na: false # on\n"},
		{"a string that looks like a bool is none", "a: \"true\"\n", boolean(true), "a: true\n"},
		{"null becomes a bool", "a: ~\n", boolean(true), "a: true\n"},
		{"what is missing on the way is made", "b: 1\n", below, "b: 1\nx:\n  y:\n    a: \"1\"\n"},
		{"null on the way is filled", "x: # here\n", below, "x: # here\n  y:\n    a: \"1\"\n"},
		{"an empty list is no longer written as one line", "a: []\n", element, "a:\n- b\n"},
		{"a list that has elements stays", "a: [c] # all\n", element, "a: [c] # all\n"},
		{"a missing list is made", "b: 1\n", element, "b: 1\na:\n- b\n"},
		{"a key goes with its value", "b: 1\na: 2 # two\nc: 3\n", func(n *yaml.RNode) { Remove(n.YNode(), "a") }, "b: 1\nc: 3\n"},
		{"a key that is not there goes as well", "b: 1\n", func(n *yaml.RNode) { Remove(n.YNode(), "a") }, "b: 1\n"},
	} {
		if diff := cmp.Diff(tc.want, yamlnodetest.Edited(t, tc.before, tc.edit)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

func TestGet(t *testing.T) {
	t.Parallel()
	root := yamlnodetest.Read(t, "a: {b: {c: x}, n: null, l: [1]}\n").YNode()
	for _, tc := range []struct {
		path  []string
		found bool
	}{
		{[]string{"a", "b", "c"}, true},
		{[]string{"a", "b"}, true},
		{nil, true},
		{[]string{"a", "n"}, false},
		{[]string{"a", "n", "x"}, false},
		{[]string{"a", "l", "0"}, false},
		{[]string{"a", "b", "c", "d"}, false},
		{[]string{"x"}, false},
	} {
		if found := Get(root, tc.path...) != nil; found != tc.found {
			t.Errorf("%q: found %v, want %v", tc.path, found, tc.found)
		}
	}
	if Field(nil, "a") != -1 || Get(nil, "a") != nil {
		t.Error("nothing has no fields")
	}
}
