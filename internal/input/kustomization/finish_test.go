package kustomization

import (
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
