package edit

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestConsumersOfAFile: a file is shared with each kustomization that names it, in whatever field.
func TestConsumersOfAFile(t *testing.T) {
	t.Parallel()
	const policies = "apiVersion: policy.open-cluster-management.io/v1\nkind: PolicyGenerator\nmetadata: {name: p}\n" +
		"policies:\n- {name: one, manifests: [{path: PATH}]}\n"
	for name, entry := range map[string]string{
		"Resources": "resources: [FILE]", "Components": "components: [FILE]", "Patches": "patches: [{path: FILE}]", "StrategicMerge": "patchesStrategicMerge: [FILE]",
		"JSON6902": "patchesJson6902: [{path: FILE}]", "Generators": "generators: [FILE]", "Transformers": "transformers: [FILE]", "Validators": "validators: [FILE]",
		"Replacements": "replacements: [{path: FILE}]", "OpenAPI": "openapi: {path: FILE}", "CRDs": "crds: [FILE]", "Configurations": "configurations: [FILE]",
		"ConfigMapFile": "configMapGenerator: [{name: c, files: [FILE]}]", "ConfigMapKey": "configMapGenerator: [{name: c, files: [key=FILE]}]",
		"SecretEnv": "secretGenerator: [{name: c, envs: [FILE]}]", "OldEnv": "configMapGenerator: [{name: c, env: FILE}]",
		"HelmValues": "helmCharts: [{name: c, valuesFile: FILE}]", "MoreHelmValues": "helmCharts: [{name: c, additionalValuesFiles: [FILE]}]",
		"OldHelmValues":              "helmChartInflationGenerator: [{chartName: c, values: FILE}]",
		"InlineGenerator":            "generators:\n- |\n  apiVersion: builtin\n  kind: ConfigMapGenerator\n  metadata: {name: c}\n  files: [key=FILE]",
		"GeneratorWithFiles":         "generators: [files.yaml]",
		"DirectoryOfGenerators":      "generators: [generators]",
		"DirectoryOfTransformers":    "transformers: [generators]",
		"PolicyGenerator":            "generators: [policies.yaml]",
		"PolicyGeneratorOfDirectory": "generators: [directory.yaml]",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			generator := func(path string) string {
				return "apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: c}\nfiles: [all=" + path + "]\n"
			}
			top := written(t, map[string]string{
				"top/kustomization.yaml": "resources: [../all/all.yaml]\n", "all/all.yaml": patchedPods,
				"other/kustomization.yaml": strings.ReplaceAll(entry, "FILE", "../all/all.yaml") + "\n", "third/kustomization.yaml": "resources: []\n",
				"other/files.yaml": generator("../all/all.yaml"), "other/policies.yaml": strings.ReplaceAll(policies, "PATH", "../all/all.yaml"),
				"other/directory.yaml":                strings.ReplaceAll(policies, "PATH", "../all"),
				"other/generators/kustomization.yaml": "resources: [files.yaml]\n", "other/generators/files.yaml": generator("../all/all.yaml"),
			})
			got := othersOf(t, filepath.Dir(top), "top", "all/all.yaml", nil)
			if diff := cmp.Diff(&SharedError{File: "all/all.yaml", Of: "top", By: []string{"other"}}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// othersOf returns who else builds a file of a tree.
func othersOf(t *testing.T, tree, dir, file string, applied []Applied, covered ...string) *SharedError {
	t.Helper()
	root, err := filepath.EvalSymlinks(tree)
	if err != nil {
		t.Fatal(err)
	}
	for i := range applied {
		applied[i].Dir = filepath.Join(root, applied[i].Dir)
		for j := range applied[i].Files {
			applied[i].Files[j] = filepath.Join(root, applied[i].Files[j])
		}
	}
	for i := range covered {
		covered[i] = filepath.Join(root, covered[i])
	}
	all := ConsumersIn(tree, func(string) []Applied { return applied }).Covering(covered)
	return all.Others(filepath.Join(root, dir), filepath.Join(root, file))
}

// TestConsumers: who else builds a file, and of whom nobody knows.
func TestConsumers(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reason  string
		tree    map[string]string
		dir     string // "" is a
		file    string // "" is base/all.yaml
		applied []Applied
		covered []string
		want    *SharedError
	}{
		"Alone": {reason: "a kustomization inside of another is no cluster of its own"},
		"Chart": {
			reason: "helm renders a chart of the directory",
			tree:   map[string]string{"b/kustomization.yaml": "helmCharts: [{name: hco}]", "b/charts/hco/templates/cr.yaml": ""},
			file:   "b/charts/hco/templates/cr.yaml",
			want:   &SharedError{By: []string{"b"}},
		},
		"ChartOfAHome": {
			reason: "or of the home of the charts",
			tree:   map[string]string{"b/kustomization.yaml": "helmGlobals: {chartHome: ../homes}\nhelmCharts: [{name: hco}]", "homes/hco/values.yaml": ""},
			file:   "homes/hco/values.yaml",
			want:   &SharedError{By: []string{"b"}},
		},
		"OldChart": {
			reason: "as older kustomizations name it",
			tree:   map[string]string{"b/kustomization.yaml": "helmChartInflationGenerator: [{chartHome: ../homes, chartName: hco}]", "homes/hco/values.yaml": ""},
			file:   "homes/hco/values.yaml",
			want:   &SharedError{By: []string{"b"}},
		},
		"EqualsSign": {
			reason: "a file of variables has no key before it",
			tree:   map[string]string{"b/kustomization.yaml": "configMapGenerator: [{name: c, envs: [a=b.env]}]", "b/a=b.env": ""},
			file:   "b/a=b.env",
			want:   &SharedError{By: []string{"b"}},
		},
		"Other": {
			reason: "another overlay",
			tree:   map[string]string{"b/kustomization.yaml": "resources: [../base]"},
			want:   &SharedError{By: []string{"b"}},
		},
		"Covered": {
			reason:  "the run decides on the other, too",
			tree:    map[string]string{"b/kustomization.yaml": "resources: [../base]"},
			covered: []string{"a", "b"},
		},
		"Hidden": {
			reason: "a hidden directory",
			tree:   map[string]string{".ci/b/kustomization.yaml": "resources: [../../base]"},
			want:   &SharedError{By: []string{".ci/b"}},
		},
		"OneNotCovered": {
			reason:  "one of three is not in the run",
			tree:    map[string]string{"b/kustomization.yaml": "resources: [../base]", ".c/kustomization.yaml": "resources: [../base]"},
			covered: []string{"a", "b"},
			want:    &SharedError{By: []string{".c"}},
		},
		"Above": {
			reason: "who builds only the overlay gets what the overlay gives",
			tree:   map[string]string{"all/kustomization.yaml": "resources: [../a]"},
		},
		"AboveAndBeside": {
			reason: "who builds the overlay and the base is another",
			tree:   map[string]string{"all/kustomization.yaml": "resources: [../a, ../base]"},
			want:   &SharedError{By: []string{"all"}},
		},
		"OfTheBase": {
			reason: "to edit the base is to edit it for its overlays",
			tree:   map[string]string{"b/kustomization.yaml": "resources: [../base]"},
			dir:    "base",
		},
		"Component": {
			reason: "nobody builds a component by itself",
			tree:   map[string]string{"c/kustomization.yaml": "kind: Component\nresources: [../base]"},
		},
		"BaseIsApplied": {
			reason:  "Argo CD or Flux applies the base itself",
			applied: []Applied{{Dir: "base", By: "apps.yaml: Application/x"}},
			want:    &SharedError{By: []string{"base (apps.yaml: Application/x)"}},
		},
		"OverlayIsApplied": {reason: "what is built may be applied", applied: []Applied{{Dir: "a", By: "apps.yaml: Application/x"}}},
		"FilesAreApplied": {
			reason:  "a directory of Argo CD without a kustomization",
			applied: []Applied{{Dir: "apps", Files: []string{"base/all.yaml"}, By: "x"}},
			want:    &SharedError{By: []string{"apps (x)"}},
		},
		"MayBeApplied": {
			reason:  "an ApplicationSet may apply the base",
			applied: []Applied{{Dir: "base", By: "x may apply it", Maybe: true}},
			want:    &SharedError{Unknown: []string{"x may apply it"}},
		},
		"OverlayMayApply": {reason: "an ApplicationSet may apply what is built", applied: []Applied{{Dir: "a", By: "x", Maybe: true}}},
		"Broken": {
			reason: "a kustomization that cannot be read may build the base",
			tree:   map[string]string{"b/kustomization.yaml": "resources: [../base"},
			want:   &SharedError{Unknown: []string{"b (its kustomization cannot be read)"}},
		},
		"BrokenElsewhere": {
			reason: "no word of a kustomization that cannot be read names the base",
			tree:   map[string]string{"b/kustomization.yaml": "resources: [../other/base, base", "other/base/kustomization.yaml": "resources: []\n# base"},
		},
		"BrokenWithEscape": {
			reason: "an escape may hide the name",
			tree:   map[string]string{"b/kustomization.yaml": `resources: ["../b\x61se"`},
			want:   &SharedError{Unknown: []string{"b (its kustomization cannot be read)"}},
		},
		"BrokenAndCovered": {
			reason:  "the same if the run covers the others",
			tree:    map[string]string{"b/kustomization.yaml": "resources: [../base]", "c/kustomization.yaml": "{{ x }}"},
			covered: []string{"a", "b"},
			want:    &SharedError{Unknown: []string{"c (its kustomization cannot be read)"}},
		},
		"BrokenAndOwnFile": {
			reason: "kustomize lets nobody name a file in the directory of another kustomization",
			tree:   map[string]string{"b/kustomization.yaml": "resources: [", "a/own.yaml": patchedPods},
			file:   "a/own.yaml",
		},
		"BrokenAbove": {
			reason: "a file below the broken one",
			tree:   map[string]string{"kustomization.yaml": "resources: [a/own.yaml", "a/own.yaml": patchedPods},
			file:   "a/own.yaml",
			want:   &SharedError{Unknown: []string{". (its kustomization cannot be read)"}},
		},
		"TwoKustomizations": {
			reason: "kustomize refuses two, and somebody will remove one",
			tree:   map[string]string{"b/kustomization.yaml": "resources: [../base]", "b/kustomization.yml": "resources: []"},
			want:   &SharedError{Unknown: []string{"b (its kustomization cannot be read)"}},
		},
		"GitItself": {
			reason: "Git's own directory builds nothing",
			tree:   map[string]string{".git/b/kustomization.yaml": "resources: [../../base]"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{
				"top/x.yaml": "", "base/kustomization.yaml": "resources: [all.yaml]", "base/all.yaml": patchedPods,
				"a/kustomization.yaml": "resources: [../base, own.yaml]", "a/own.yaml": "",
			}
			maps.Copy(files, tc.tree)
			tree := filepath.Dir(written(t, files))
			dir, file := tc.dir, tc.file
			if dir == "" {
				dir = "a"
			}
			if file == "" {
				file = "base/all.yaml"
			}
			got := othersOf(t, tree, dir, file, tc.applied, tc.covered...)
			if diff := cmp.Diff(tc.want, got, cmpopts.IgnoreFields(SharedError{}, "File", "Of")); diff != "" {
				t.Errorf("%s\n%s", tc.reason, diff)
			}
		})
	}
}

// TestConsumersOnManyWays: each of 40 levels builds both directories of the next one, so there are more ways
// to the file than anybody could follow.
func TestConsumersOnManyWays(t *testing.T) {
	t.Parallel()
	const levels = 40
	tree := map[string]string{"top/kustomization.yaml": "resources: [../a0, ../b0]", "other/kustomization.yaml": "resources: [../a0]", "all.yaml": ""}
	for i := range levels {
		for _, name := range []string{"a", "b"} {
			tree[fmt.Sprintf("%s%d/kustomization.yaml", name, i)] = fmt.Sprintf("resources: [../a%d, ../b%d]", i+1, i+1)
		}
	}
	tree[fmt.Sprintf("a%d/kustomization.yaml", levels)], tree[fmt.Sprintf("b%d/kustomization.yaml", levels)] = "resources: [../all.yaml]", "resources: []"
	got := othersOf(t, filepath.Dir(written(t, tree)), "top", "all.yaml", nil)
	if diff := cmp.Diff(&SharedError{File: "all.yaml", Of: "top", By: []string{"other"}}, got); diff != "" {
		t.Error(diff)
	}
}

// TestConsumersStayInTheTree: the name of a chart may lead out of the tree, to all files of the
// disk.
func TestConsumersStayInTheTree(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(filepath.Dir(written(t, map[string]string{
		"tree/a/kustomization.yaml": "helmCharts: [{name: ../../../outside}, {name: inside}]\n",
		"tree/a/charts/inside/x":    "",
		"outside/x":                 "",
	})))
	if err != nil {
		t.Fatal(err)
	}
	g := graphOf(filepath.Join(dir, "tree"))
	for file, want := range map[string]bool{"tree/a/charts/inside/x": true, "outside/x": false} {
		if ok := g.by[filepath.Join(dir, file)] != nil; ok != want {
			t.Errorf("%s is among the files that are read: %v, want %v", file, ok, want)
		}
	}
}
