package fleet

import (
	"strings"
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

// TestCRPathOfEntries: the first entry that a file matches says where its CR is, and a wrong
// place is an error of the Fleet, with its field.
func TestCRPathOfEntries(t *testing.T) {
	t.Parallel()
	read := func(entries string) (*Fleet, string) {
		text := "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n" + entries
		f, found := parse("repo/goldenarch.yaml", "repo", []*yaml.RNode{yaml.MustParse(text)}, nil)
		var texts []string
		for _, one := range found {
			texts = append(texts, one.Field+": "+one.Text)
		}
		return f, strings.Join(texts, "\n")
	}
	for _, tc := range []struct{ reason, entries, file, want, wrong string }{
		{"a key", "- {paths: [\"a/*.yaml\"], crPath: hco.cr}\n", "repo/a/v.yaml", "repo/a/v.yaml#hco.cr", ""},
		{"a spec", "- {paths: [\"**\"], crPath: /hco/spec@v1}\n", "repo/a/v.yaml", "repo/a/v.yaml#/hco/spec@v1", ""},
		{"an entry without a place comes first", "- {paths: [a/v.yaml]}\n- {paths: [\"**\"], crPath: hco}\n", "repo/a/v.yaml", "", ""},
		{"no entry", "- {paths: [b/v.yaml], crPath: hco}\n", "repo/a/v.yaml", "", ""},
		{"an empty path", "- {paths: [b], crPath: .}\n", "", "", "clusters[0].crPath"},
		{"a path with an empty key", "- {paths: [b]}\n- {paths: [c], crPath: a..b}\n", "", "", "clusters[1].crPath"},
	} {
		f, wrong := read(tc.entries)
		if tc.wrong != "" {
			if f != nil || !strings.Contains(wrong, tc.wrong) {
				t.Errorf("%s: want an error about %q, got %q", tc.reason, tc.wrong, wrong)
			}
			continue
		}
		if f == nil {
			t.Fatalf("%s: %s", tc.reason, wrong)
		}
		place, is := f.CRPathOf(tc.file)
		if is != (tc.want != "") || place.Text != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, place.Text)
		}
	}
}
