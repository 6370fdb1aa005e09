package check

import (
	"errors"
	"slices"
	"strings"
	"testing"

	k8syaml "sigs.k8s.io/yaml"
)

func TestChangedFields(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, before, after, want string }{
		{"the same", "{a: {b: [1, {c: d}]}}", "{a: {b: [1, {c: d}]}}", ""},
		{"a value", "{a: {b: 1, c: 2}}", "{a: {b: 1, c: 3}}", "a.c"},
		{"another type", "{a: 1}", "{a: '1'}", "a"},
		{"a key comes, with all below it", "{a: {}}", "{a: {b: {c: 1, d: 2}}}", "a.b"},
		{"a key goes", "{a: {b: {c: 1}}}", "{a: {}}", "a.b"},
		{"a key that is no identifier", "{m: {x.y/z: 1}}", "{m: {x.y/z: 2}}", "m[x.y/z]"},
		{"null is a value", "{a: null}", "{}", "a"},
		{"an element by its place", "{l: [1, 2]}", "{l: [1, 3, 4]}", "l[1] l[2]"},
		{"an element goes", "{l: [1, 2]}", "{l: [1]}", "l[1]"},
		{"a list for an object", "{l: [1]}", "{l: {a: 1}}", "l"},
		{
			reason: "elements with names by their names",
			before: "{l: [{metadata: {name: a}}, {metadata: {name: b}, x: 1}]}",
			after:  "{l: [{metadata: {name: b}, x: 2}, {metadata: {name: c}}]}",
			want:   "l[0] l[1].x l[1]",
		},
		{
			reason: "a name twice is not a name",
			before: "{l: [{metadata: {name: a}}, {metadata: {name: a}, x: 1}]}",
			after:  "{l: [{metadata: {name: a}}, {metadata: {name: a}, x: 2}]}",
			want:   "l[1].x",
		},
		{"the first elements", "{l: []}", "{l: [{metadata: {name: a}}]}", "l[0]"},
	} {
		var before, after map[string]any
		if err := errors.Join(k8syaml.Unmarshal([]byte(tc.before), &before), k8syaml.Unmarshal([]byte(tc.after), &after)); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, one := range changedFields(before, after, "") {
			got = append(got, one.path)
		}
		if !slices.Equal(got, strings.Fields(tc.want)) {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}

// TestChangesAreShown: a change is the value before and after, not a description.
func TestChangesAreShown(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		change change
		want   string
	}{
		{change{"a", "amd64, arm64", "amd64,arm64"}, `a ("amd64, arm64" -> "amd64,arm64")`},
		{change{"a", absent{}, true}, "a (not set -> true)"},
		{change{"a", map[string]any{"b": 1}, absent{}}, `a ({"b":1} -> not set)`},
		{change{"a", "<a> & b", []any{"c"}}, `a ("<a> & b" -> ["c"])`},
		{change{"a", nil, strings.Repeat("x", 200)}, `a (null -> "` + strings.Repeat("x", 79) + "…)"},
	} {
		if got := tc.change.String(); got != tc.want {
			t.Errorf("want %s, got %s", tc.want, got)
		}
	}
}
