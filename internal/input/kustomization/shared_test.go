package kustomization

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSharers: a file is shared with each kustomization that names it, in whatever field.
func TestSharers(t *testing.T) {
	t.Parallel()
	for name, entry := range map[string]string{
		"Resources": "resources: [FILE]", "Components": "components: [FILE]", "Patches": "patches: [{path: FILE}]", "StrategicMerge": "patchesStrategicMerge: [FILE]",
		"JSON6902": "patchesJson6902: [{path: FILE}]", "Generators": "generators: [FILE]", "Transformers": "transformers: [FILE]", "Validators": "validators: [FILE]",
		"Replacements": "replacements: [{path: FILE}]", "OpenAPI": "openapi: {path: FILE}", "CRDs": "crds: [FILE]", "Configurations": "configurations: [FILE]",
		"ConfigMapFile": "configMapGenerator: [{name: c, files: [FILE]}]", "ConfigMapKey": "configMapGenerator: [{name: c, files: [key=FILE]}]",
		"SecretEnv": "secretGenerator: [{name: c, envs: [FILE]}]", "OldEnv": "configMapGenerator: [{name: c, env: FILE}]",
		"HelmValues": "helmCharts: [{name: c, valuesFile: FILE}]", "MoreHelmValues": "helmCharts: [{name: c, additionalValuesFiles: [FILE]}]",
		"OldHelmValues": "helmChartInflationGenerator: [{chartName: c, values: FILE}]",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			top := written(t, map[string]string{
				"top/kustomization.yaml": "resources: [../all.yaml]\n", "all.yaml": patchedPods,
				"other/kustomization.yaml": strings.ReplaceAll(entry, "FILE", "../all.yaml") + "\n", "third/kustomization.yaml": "resources: []\n",
			})
			root, err := filepath.EvalSymlinks(filepath.Dir(top))
			if err != nil {
				t.Fatal(err)
			}
			got := graphOf(root).sharers(filepath.Join(root, "top"), filepath.Join(root, "all.yaml"))
			if diff := cmp.Diff([]string{filepath.Join(root, "other")}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
