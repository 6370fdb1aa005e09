package kustomize

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestFinish: what is new gets its place among what was built, and what
// buildMetadata asks for; what was read beside the build stays where it is.
func TestFinish(t *testing.T) {
	t.Parallel()
	const beside = "apiVersion: v1\nkind: Secret\nmetadata: {name: beside}\n"
	const fresh = "apiVersion: v1\nkind: Namespace\nmetadata: {name: fresh}\n"
	for name, tc := range map[string]struct {
		reason, more string // of the kustomization
		want         []string
	}{
		"Listed": {"a Namespace comes first", "transformers: [config.yaml]\n", []string{"Secret/beside", "Namespace/fresh", "HyperConverged/cr"}},
		"InOrder": {
			reason: "new ones come last",
			more:   "transformers: [config.yaml]\nsortOptions: {order: fifo}\n",
			want:   []string{"Secret/beside", "HyperConverged/cr", "Namespace/fresh"},
		},
		"Unlisted": {"kustomize was done before goldenarch began", "", []string{"Secret/beside", "HyperConverged/cr", "Namespace/fresh"}},
	} {
		built, err := buildDir(written(t, map[string]string{
			"top/kustomization.yaml": "resources: [cr.yaml]\nbuildMetadata: [managedByLabel, originAnnotations, transformerAnnotations]\n" + tc.more,
			"top/cr.yaml":            cr, "top/config.yaml": config,
		}))
		if err != nil {
			t.Fatal(err)
		}
		other := yaml.MustParse(beside)
		items := []*yaml.RNode{other, built.Items[0], yaml.MustParse(fresh)}
		items, err = built.Finish(items, append([]*yaml.RNode{other}, built.Items...), nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, item := range items {
			got = append(got, item.GetKind()+"/"+item.GetName())
			text := item.MustString()
			switch item.GetName() {
			case "beside":
				if text != beside {
					t.Errorf("%s: what is beside the build is to stay as it is, got\n%s", name, text)
				}
			case "fresh":
				if described := strings.Contains(text, "configuredIn: config.yaml") && strings.Contains(text, "managed-by: kustomize-v5"); described != (tc.more != "") {
					t.Errorf("%s: described: %v\n%s", name, described, text)
				}
			case "cr":
				if reported := strings.Contains(text, "transformations: |\n      - configuredIn: config.yaml"); reported != (tc.more != "") ||
					!strings.Contains(text, "path: cr.yaml") {
					t.Errorf("%s: transformation told: %v\n%s", name, reported, text)
				}
			}
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", name, tc.reason, diff)
		}
	}
}

// TestSorted: goldenarch sorts as kustomize does, whatever the kustomization says of the order.
func TestSorted(t *testing.T) {
	t.Parallel()
	kinds := []string{"example.com/v1 Namespace", "example.com/v1 Role", "a.b/v2 Thing", "a.b/v1 Thing", "v1 Thing"}
	for _, kind := range slices.Concat(orderFirst, orderLast) {
		kinds = append(kinds, "v1 "+kind)
	}
	var files strings.Builder
	for _, kind := range kinds {
		version, kind, _ := strings.Cut(kind, " ")
		for _, place := range []string{"name: b", "name: a", "name: b, namespace: n", "name: a-b, namespace: n-a"} {
			if slices.Contains([]string{"Role", "Thing", "Service", "ConfigMap"}, kind) || !strings.Contains(place, "namespace") {
				fmt.Fprintf(&files, "---\napiVersion: %s\nkind: %s\nmetadata: {%s}\n", version, kind, place)
			}
		}
	}
	for reason, more := range map[string]string{
		"nothing said": "", "as always": "sortOptions: {order: legacy}\n",
		"kinds of the user":                        "sortOptions: {order: legacy, legacySortOptions: {orderFirst: [Thing, Service], orderLast: [Namespace]}}\n",
		"no Namespace among the kinds of the user": "sortOptions: {order: legacy, legacySortOptions: {orderFirst: [Thing]}}\n",
		"no kinds": "sortOptions: {order: legacy, legacySortOptions: {}}\n",
	} {
		text := files.String()
		if strings.HasPrefix(reason, "no ") { // kustomize has no order of Namespaces of two groups then
			text = strings.ReplaceAll(text, "example.com/v1\nkind: Namespace", "example.com/v1\nkind: Other")
		}
		built, err := buildDir(written(t, map[string]string{"top/kustomization.yaml": "resources: [all.yaml]\n" + more, "top/all.yaml": text}))
		if err != nil {
			t.Fatal(err)
		}
		mixed := slices.Clone(built.Items)
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		names := func(items []*yaml.RNode) []string {
			var out []string
			for _, item := range items {
				out = append(out, strings.Join([]string{item.GetApiVersion(), item.GetKind(), item.GetNamespace(), item.GetName()}, " "))
			}
			return out
		}
		if diff := cmp.Diff(names(built.Items), names(built.sorted(mixed))); diff != "" {
			t.Errorf("%s (-kustomize +goldenarch):\n%s", reason, diff)
		}
	}
}
