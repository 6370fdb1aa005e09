package resourcelist

import (
	"bytes"
	"iter"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestOthersAreWrittenAsNewItems: the output is the same whether a processor adds items, or
// an item that represents them, in a list that lines can cut and in one that they cannot.
func TestOthersAreWrittenAsNewItems(t *testing.T) {
	t.Parallel()
	const head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"
	added := func() []*yaml.RNode {
		var out []*yaml.RNode
		for _, name := range []string{"a", "b"} {
			out = append(out, yaml.MustParse("# "+name+"\napiVersion: v1\nkind: ConfigMap\nmetadata:\n    name: "+name+
				"\n    annotations: {internal.config.kubernetes.io/path: in.yaml, internal.config.kubernetes.io/index: \"0\"}\n"))
		}
		return out
	}
	for _, list := range []string{
		head + "- apiVersion: v1\n  kind: Secret\n  metadata: {name: s}\n",
		head + "  - apiVersion: v1\n    kind: Secret\n    metadata: {name: s, annotations: {config.kubernetes.io/path: a.yaml}}\n",
		"{apiVersion: config.kubernetes.io/v1, kind: ResourceList, items: [{apiVersion: v1, kind: Secret, metadata: {name: s}}]}\n",
		"apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n",
	} {
		all := yaml.NewMapRNode(nil) // represents the items
		lazy := Lazy{Others: func(item *yaml.RNode) iter.Seq[*yaml.RNode] {
			if item != all {
				return nil
			}
			return slices.Values(added())
		}}
		run := func(l *Lazy, more ...*yaml.RNode) string {
			var out bytes.Buffer
			p := func(rl *List) error {
				rl.Items = append(rl.Items, more...)
				return nil
			}
			if err := l.Execute(p, strings.NewReader(list), &out); err != nil {
				t.Fatalf("%s: %v", list, err)
			}
			return out.String()
		}
		want, got := run(new(Lazy), added()...), run(&lazy, all)
		if got != want || strings.Count(want, "kind: ConfigMap") != 2 {
			t.Errorf("of\n%s\nwant\n%s\ngot\n%s", list, want, got)
		}
	}
}
