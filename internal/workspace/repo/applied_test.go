package repo

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestAppliedNamesFilesBelowTheTree: a message is the same on each machine.
func TestAppliedNamesFilesBelowTheTree(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, text, want string }{
		{
			"an Application", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\nspec: {source: {path: base, repoURL: ''}}\n",
			"apps/a.yaml: Application/a",
		},
		{
			"an ApplicationSet whose directories only Argo CD knows",
			"apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: a}\nspec:\n  generators: [{pullRequest: {}}]\n" +
				"  template: {spec: {source: {path: '{{branch}}', repoURL: ''}}}\n",
			"apps/a.yaml: ApplicationSet/a may apply it",
		},
		{
			"a file that is not valid",
			"apiVersion: argoproj.io/v1alpha1\nkind: Application\n``\n",
			"apps/a.yaml, which goldenarch cannot read, may apply it",
		},
		{
			"a Kustomization of Flux", "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a}\nspec: {path: ./base}\n",
			"apps/a.yaml: Kustomization/a",
		},
		{
			"one whose directory Flux fills in",
			"apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a}\nspec: {path: './${cluster:=lab}'}\n",
			"apps/a.yaml: Kustomization/a may apply it",
		},
	} {
		dir := filetest.New(t, map[string]string{".git/HEAD": "ref: refs/heads/main\n", "base/kustomization.yaml": "resources: []\n", "apps/a.yaml": tc.text})
		var by []string
		for _, one := range Applied(dir) {
			if filepath.Base(one.Dir) == "base" {
				by = append(by, one.By)
			}
		}
		if !slices.Equal(by, []string{tc.want}) {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, strings.Join(by, " | "))
		}
	}
}

// TestBoundsOfAPath: a path that only Argo CD knows may be each directory that fits what is known of it.
func TestBoundsOfAPath(t *testing.T) {
	t.Parallel()
	const clusters = "{clusters: {}}"
	git := func(path string) string { return "{git: {directories: [{path: " + path + "}]}}" }
	for _, tc := range []struct{ reason, generators, path, want string }{
		{"a product of directories and clusters", "{matrix: {generators: [" + git("clusters/*") + ", " + clusters + "]}}", "{{path}}", "clusters/a"},
		{"with Go templates", "{matrix: {generators: [" + clusters + ", " + git("'*/a'") + "]}}", "{{.path.path}}", "clusters/a"},
		{
			"a product with a list, which may have a path",
			"{matrix: {generators: [" + git("clusters/*") + ", {list: {elements: [{path: base}]}}]}}",
			"{{path}}",
			"base clusters/a",
		},
		{"generators that are merged", "{merge: {mergeKeys: [path], generators: [" + git("clusters/*") + "]}}", "{{path}}", "base clusters/a"},
		{"a part of the path", "{matrix: {generators: [" + git("clusters/*") + ", " + clusters + "]}}", "clusters/{{name}}", "clusters/a"},
		{"files", "{git: {files: [{path: '*.json'}]}}", "{{path}}", "base clusters/a"},
		{"a selector", "{git: {directories: [{path: clusters/*}]}, selector: {matchLabels: {a: b}}}", "{{path}}", "base clusters/a"},
	} {
		dir := filetest.New(t, map[string]string{
			".git/HEAD": "ref: refs/heads/main\n", "base/kustomization.yaml": "resources: []\n", "clusters/a/kustomization.yaml": "resources: [../../base]\n",
			"apps/a.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: a}\nspec:\n  generators: [" + tc.generators + "]\n" +
				"  template: {spec: {source: {path: '" + tc.path + "', repoURL: ''}}}\n",
		})
		var got []string
		for _, one := range Applied(dir) {
			below, err := filepath.Rel(dir, one.Dir)
			if err != nil || !one.Maybe {
				t.Fatalf("%s: want what may apply directories, got %v, %v", tc.reason, one, err)
			}
			got = append(got, filepath.ToSlash(below))
		}
		slices.Sort(got)
		if strings.Join(got, " ") != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}
