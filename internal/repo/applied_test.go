package repo

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
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
		{"a file that is not valid", "apiVersion: argoproj.io/v1alpha1\nkind: Application\n``\n", "apps/a.yaml, which goldenarch cannot read, may apply it"},
		{
			"a Kustomization of Flux", "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a}\nspec: {path: ./base}\n",
			"apps/a.yaml: Kustomization/a",
		},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{".git/HEAD": "ref: refs/heads/main\n", "base/kustomization.yaml": "resources: []\n", "apps/a.yaml": tc.text} {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
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
