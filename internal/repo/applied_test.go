package repo

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/filetest"
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
