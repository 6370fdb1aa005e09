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

// TestUnmatchedPaths: who names a cluster in a list means it; of several patterns one may match nothing.
func TestUnmatchedPaths(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason   string
		paths    []string
		clusters []string
		want     string
	}{
		{"each has its cluster", []string{"a", "b"}, []string{"a", "b"}, ""},
		{"one of two vanished", []string{"a", "b"}, []string{"a"}, `["b"] match, and other paths`},
		{"a pattern beside a name", []string{"a", "old/*"}, []string{"a"}, ""},
		{"a name beside a pattern", []string{"a", "old/*"}, []string{"old/x"}, `["a"] match, and other paths`},
		{"a name that a pattern has, too", []string{"a", "*"}, []string{"a"}, ""},
		{"a directory of the cluster", []string{"a", "a/deep"}, []string{"a"}, ""},
		{"all", []string{"a", "old/*"}, nil, `["a" "old/*"] match, so the entry has no effect`},
	} {
		text := "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters: [{paths: ['" + strings.Join(tc.paths, "', '") + "']}]\n"
		f, found := parse("repo/goldenarch.yaml", "repo", []*yaml.RNode{yaml.MustParse(text)}, nil)
		if found.Failed() {
			t.Fatal(found)
		}
		for _, path := range tc.clusters {
			f.EntryOf("repo/" + path)
		}
		got := ""
		for _, one := range f.Unmatched("repo") {
			got += one.Text
		}
		if (got == "") != (tc.want == "") || !strings.Contains(got, tc.want) {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
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
		place, ok := f.CRPathOf(tc.file)
		if ok != (tc.want != "") || place.Text != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, place.Text)
		}
	}
}

// TestFileOfAFleet: a file has one Fleet, and an error otherwise.
func TestFileOfAFleet(t *testing.T) {
	t.Parallel()
	const fleet = "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters: [{paths: [a]}]\n"
	const list = "apiVersion: v1\nkind: List\nitems:\n"
	element := "- " + strings.ReplaceAll(strings.TrimSuffix(fleet, "\n"), "\n", "\n  ") + "\n"
	for _, tc := range []struct{ reason, text, want string }{
		{"a Fleet", fleet, ""},
		{"two documents", fleet + "---\n" + fleet, "the file has 2 documents, expected one Fleet"},
		{"a List with one", list + element, ""},
		{"a List without elements has no Fleet", "apiVersion: v1\nkind: List\nitems: []\n", "the file has 0 objects, expected one Fleet"},
		{"the second of a List would have no effect", list + element + element, "the file has 2 objects, expected one Fleet"},
	} {
		f, found := Parse("repo/goldenarch.yaml", []byte(tc.text))
		got := ""
		if len(found) > 0 {
			got = found[0].Text
		}
		if got != tc.want || (f == nil) != (tc.want != "") {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}

// TestStatedDirectories: an entry names a directory also with ./ before it or / behind it, as
// it matches a cluster.
func TestStatedDirectories(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{"m": true, "./m": true, "m/": true, "*": false, "n": false} {
		f := &Fleet{Fleet: &v1alpha1.Fleet{Clusters: []v1alpha1.FleetCluster{{Paths: []string{path}}}}, dir: "repo"}
		if got := f.States("repo/m"); got != want {
			t.Errorf("%q: want %v, got %v", path, want, got)
		}
	}
}

// TestUnreadableFleet: the finding has the line, and names the file once.
func TestUnreadableFleet(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, text, want string
		line               int
	}{
		{"broken YAML", "a: [\n", "the document that begins at line 1 is not YAML: line 1: did not find expected node content. Correct the Fleet", 0},
		{
			"no object, which no .krmignore leaves out", "# a\n\nkind: Fleet\n",
			"a document without apiVersion or kind is no Kubernetes object. Correct the Fleet", 3,
		},
	} {
		_, found := Parse("repo/goldenarch.yaml", []byte(tc.text))
		if len(found) != 1 || found[0].Message() != tc.want || found[0].Line != tc.line || found[0].Object.File != "repo/goldenarch.yaml" {
			t.Errorf("%s: want %q in line %d, got %+v", tc.reason, tc.want, tc.line, found)
		}
	}
}
