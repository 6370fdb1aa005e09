package resourcelist_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/manifest/resourcelist"
	limits "github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// TestAnchors: an alias never goes out without the value that it has.
func TestAnchors(t *testing.T) {
	t.Parallel()
	const top = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"
	for name, tc := range map[string]struct {
		reason, in, want string
	}{
		"AboveTheItems": {
			reason: "a key that is not of a ResourceList does not go out, and its anchor with it",
			in:     top + "x: &a {k: v}\nitems:\n- kind: A\n  data: *a\n",
			want:   head + "items:\n- kind: A\n  data: {k: v}\n",
		},
		"InTheConfiguration": {
			reason: "the configuration goes out behind the items",
			in:     top + "functionConfig: {kind: &a F}\nitems:\n- kind: *a\n",
			want:   head + "items:\n- kind: F\nfunctionConfig: {kind: &a F}\n",
		},
		"OfTheConfiguration": {
			reason: "the function reads the configuration that is meant",
			in:     top + "x: &a {kind: F}\nfunctionConfig: *a\nitems:\n- kind: A\n",
			want:   head + "items:\n- kind: A\nfunctionConfig: {kind: F}\n",
		},
		"OfTheResults": {
			reason: "results of a function before stay whole",
			in:     top + "items:\n- kind: A\nresults: [{message: &a m}]\nfunctionConfig: {kind: *a}\n",
			want:   head + "items:\n- kind: A\nfunctionConfig: {kind: m}\nresults: [{message: &a m}]\n",
		},
		"AnItem": {
			reason: "two items are two, also if one was written as an alias of the other",
			in:     top + "items:\n- &c {metadata: {name: edited}}\n- *c\n",
			want:   head + "items:\n- &c {metadata: {name: edited, labels: {x: 'z'}}}\n- {metadata: {name: edited, labels: {x: 'z'}}}\n",
		},
		"SharedMetadata": {
			reason: "an edit of one item is none of the other",
			in:     top + "items:\n- metadata: {name: edited, labels: &l {a: b}}\n- metadata: {name: other, labels: *l}\n",
			want:   head + "items:\n- metadata: {name: edited, labels: &l {a: b, x: 'z'}}\n- metadata: {name: other, labels: {a: b}}\n",
		},
		"OfARemovedItem": {
			reason: "the anchor goes with its item, and the value stays",
			in:     top + "items:\n- metadata: {name: removed}\n  a: &a [1, &b 2]\n- kind: B\n  a: *a\n  b: *b\n",
			want:   head + "items:\n- kind: B\n  a: [1, 2]\n  b: 2\n",
		},
		"DefinedAgain": {
			reason: "the last anchor of a name counts, and that one is not written",
			in:     top + "x: 0\nitems:\n- a: &a 1\n- metadata: {name: removed}\n  a: &a 2\n- b: *a\n",
			want:   head + "items:\n- a: &a 1\n- b: 2\n",
		},
		"MergeKey": {
			reason: "a merge key is an alias like any other",
			in:     top + "x: &a {k: v}\nitems:\n- kind: A\n  <<: *a\n",
			want:   head + "items:\n- kind: A\n  !!merge <<: {k: v}\n",
		},
		"AKey": {
			reason: "an alias may be a key",
			in:     top + "x: &a k\nitems:\n- kind: A\n  *a : v\n",
			want:   head + "items:\n- kind: A\n  k: v\n",
		},
		"Block": {
			reason: "a value of several lines stands where the alias stood",
			in:     top + "x: &a\n  k: v # why\nitems:\n- kind: A\n  b: *a # here\n  c: [*a]\n",
			want:   head + "items:\n- kind: A\n  b:\n    k: v\n  c: [{k: v}]\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out, again bytes.Buffer
			if err := new(resourcelist.Lazy).Execute(edit(nil), strings.NewReader(tc.in), &out); err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.want, out.String()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if err := new(resourcelist.Lazy).Execute(edit(nil), bytes.NewReader(out.Bytes()), &again); err != nil || again.String() != out.String() {
				t.Errorf("%s: a second run changes it (error %v):\n%s", tc.reason, err, cmp.Diff(out.String(), again.String()))
			}
		})
	}
}

// TestRefused: what kyaml would lose or misread, or what has no end, is an error.
func TestRefused(t *testing.T) {
	t.Parallel()
	bomb := "x0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
	for i := range 8 {
		from, to := string(rune('0'+i)), string(rune('1'+i))
		bomb += "x" + to + ": &a" + to + " [" + strings.Repeat("*a"+from+",", 10) + "]\n"
	}
	deep := strings.Repeat("[", 600) + strings.Repeat("]", 600)
	for name, tc := range map[string]struct {
		in   string
		want error
	}{
		"ItemsTwice":    {head + "items:\n- kind: A\nitems:\n- kind: B\n", resourcelist.ErrShape},
		"ConfigTwice":   {head + "functionConfig: {a: 1}\nfunctionConfig: {a: 2}\nitems:\n- kind: A\n", resourcelist.ErrShape},
		"ItemsAlias":    {head + "x: &a [{kind: A}]\nitems: *a\n", resourcelist.ErrShape},
		"KindAlias":     {"apiVersion: config.kubernetes.io/v1\nx: &ResourceList List\nkind: *ResourceList\nitems:\n- kind: A\n", resourcelist.ErrShape},
		"ItemsMerged":   {head + "x: &a {items: [{kind: A}]}\n<<: *a\nitems:\n- kind: A\n", resourcelist.ErrShape},
		"KeyAlias":      {head + "x: &a functionConfig\n*a : {a: 1}\nitems:\n- kind: A\n", resourcelist.ErrShape},
		"Bomb":          {head + bomb + "items:\n- kind: A\n  a: *a8\n", resourcelist.ErrAnchors},
		"BombInConfig":  {head + bomb + "functionConfig: *a8\nitems:\n- kind: A\n", resourcelist.ErrAnchors},
		"HoldsItself":   {head + "x: &a {k: *a}\nitems:\n- kind: A\n  a: *a\n", resourcelist.ErrAnchors},
		"Deep":          {head + "items:\n- kind: A\n  x: " + deep + "\n", limits.ErrDepth},
		"DeepNotCut":    {head + "items: [{kind: A, x: " + deep + "}]\n", limits.ErrDepth},
		"DeepConfig":    {head + "functionConfig: {kind: A, x: " + deep + "}\nitems:\n- kind: A\n", limits.ErrDepth},
		"DeepResults":   {head + "results: " + deep + "\nitems:\n- kind: A\n", limits.ErrDepth},
		"ItemsObject":   {head + "items: {kind: A}\n", resourcelist.ErrShape},
		"ItemsText":     {head + "items: A\n", resourcelist.ErrShape},
		"ItemIsText":    {head + "items:\n- kind: A\n- A\n", resourcelist.ErrShape},
		"ItselfInItems": {head + "items:\n- metadata: {name: removed}\n  x: &a {k: *a}\n- kind: A\n  a: *a\n", resourcelist.ErrAnchors},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			if err := new(resourcelist.Lazy).Execute(edit(nil), strings.NewReader(tc.in), &out); !errors.Is(err, tc.want) {
				t.Errorf("want %v, got %v", tc.want, err)
			}
			if out.Len() > 0 {
				t.Errorf("an error comes with output:\n%s", out.String())
			}
		})
	}
}
