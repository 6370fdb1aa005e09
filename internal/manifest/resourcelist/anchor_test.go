package resourcelist_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/manifest/resourcelist"
	limits "github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// TestRefused: what kyaml would lose or misread, or what has no end, is an error.
func TestRefused(t *testing.T) {
	t.Parallel()
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
		"AboveTheItems": {head + "x: &a {k: v}\nitems:\n- kind: A\n  data: *a\n", resourcelist.ErrAnchors},
		"OfTheConfig":   {head + "x: &a {kind: F}\nfunctionConfig: *a\nitems:\n- kind: A\n", resourcelist.ErrAnchors},
		"InTheConfig":   {head + "functionConfig: {kind: &a F}\nitems:\n- kind: *a\n", resourcelist.ErrAnchors},
		"OfTheResults":  {head + "items:\n- kind: A\nresults: [{message: &a m}]\nfunctionConfig: {kind: *a}\n", resourcelist.ErrAnchors},
		"AnItem":        {head + "items:\n- &c {metadata: {name: edited}}\n- *c\n", resourcelist.ErrAnchors},
		"Neighbour":     {head + "items:\n- metadata: {name: a, labels: &l {a: b}}\n- metadata: {name: b, labels: *l}\n", resourcelist.ErrAnchors},
		"DefinedAgain":  {head + "items:\n- a: &a 1\n- {a: &a 2, b: *a}\n- b: *a\n", resourcelist.ErrAnchors},
		"MergeKey":      {head + "x: &a {k: v}\nitems:\n- kind: A\n  <<: *a\n", resourcelist.ErrAnchors},
		"HoldsItself":   {head + "x: &a {k: *a}\nitems:\n- kind: A\n  a: *a\n", resourcelist.ErrAnchors},
		"Deep":          {head + "items:\n- kind: A\n  x: " + deep + "\n", limits.ErrDepth},
		"DeepNotCut":    {head + "items: [{kind: A, x: " + deep + "}]\n", limits.ErrDepth},
		"DeepConfig":    {head + "functionConfig: {kind: A, x: " + deep + "}\nitems:\n- kind: A\n", limits.ErrDepth},
		"DeepResults":   {head + "results: " + deep + "\nitems:\n- kind: A\n", limits.ErrDepth},
		"ItemsObject":   {head + "items: {kind: A}\n", resourcelist.ErrShape},
		"ItemsText":     {head + "items: A\n", resourcelist.ErrShape},
		"ItemIsText":    {head + "items:\n- kind: A\n- A\n", resourcelist.ErrShape},
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
