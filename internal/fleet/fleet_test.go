package fleet

import (
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
)

// TestUnmatchedEntries: a run about a part of what the Fleet is about reports no entry of
// the other clusters.
func TestUnmatchedEntries(t *testing.T) {
	t.Parallel()
	f := &Fleet{
		Fleet: &v1alpha1.Fleet{Clusters: []v1alpha1.FleetCluster{{Paths: []string{"lab"}}}},
		node:  yaml.MustParse("clusters: [{paths: [lab]}]"), dir: "repo", from: "repo",
	}
	for root, want := range map[string]int{"repo": 1, ".": 1, "repo/overlays/prod": 0, "other": 0} {
		if got := f.Unmatched(root); len(got) != want {
			t.Errorf("%s: want %d findings, got %d", root, want, len(got))
		}
	}
}
