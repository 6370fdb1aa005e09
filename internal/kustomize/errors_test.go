package kustomize

import (
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// pathWords is a Secret whose values are words of the paths.
const pathWords = `apiVersion: v1
kind: Secret
metadata: {name: c}
stringData: {a: config, b: base, c: overlays, d: manager, e: team, f: prod, g: hunter2-and-a-half}
`

// TestErrorsOfKustomize: directories that kustomize's library cannot build. The error has what
// kustomize says, with the file, and hides no word of a path.
func TestErrorsOfKustomize(t *testing.T) {
	const (
		base  = "resources: [../../config/base]\n"
		other = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\ndata: {a: b}\n"
		noIDs = "no matches for Id ConfigMap.v1.[noGrp]/other.[noNs]"
	)
	for name, tc := range map[string]struct {
		want    string
		overlay string            // the kustomization in overlays/prod, which has the Secret, too
		files   map[string]string // in config
	}{
		"MissingFile": {
			"config/manager/manager.yaml", "resources: [../../config/manager]", map[string]string{"manager/kustomization.yaml": "resources: [manager.yaml]"},
		},
		"MissingFileTop": {"'base/manager.yaml'", "resources: [cm.yaml, base/manager.yaml]", nil},
		"MissingFileDeep": {"config/base/cm2.yaml", "resources: [../../config/x]", map[string]string{
			"x/kustomization.yaml": "resources: [cm.yaml, ../base]", "x/cm.yaml": pathWords, "base/kustomization.yaml": "resources: [cm2.yaml]",
		}},
		"MissingDir": {"'../../config/base'", "resources: [cm.yaml, ../../config/base]", nil},
		"NoKustomization": {
			"unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in directory 'config/base'",
			"resources: [cm.yaml, ../../config/base]",
			map[string]string{"base/x.yaml": pathWords},
		},
		"MissingPatch":   {"failed to get the patch file from path(base/patch.yaml)", "resources: [cm.yaml]\npatches: [{path: base/patch.yaml}]", nil},
		"MissingPatchSM": {"overlays/prod/patch.yaml", "resources: [cm.yaml]\npatchesStrategicMerge: [patch.yaml]", nil},
		"MissingJSON6902": {
			"overlays/prod/patch.yaml", "resources: [cm.yaml]\npatchesJson6902: [{path: patch.yaml, target: {kind: ConfigMap, name: c, version: v1}}]", nil,
		},
		"MissingEnv":         {"overlays/prod/team.env", "configMapGenerator: [{name: a, envs: [team.env]}]", nil},
		"MissingGenFile":     {"overlays/prod/team.env", "configMapGenerator: [{name: a, files: [team.env]}]", nil},
		"MissingComponent":   {"'config/base'", "resources: [cm.yaml]\ncomponents: [../../config/base]", nil},
		"MissingTransformer": {"'overlays/prod/config.yaml'", "resources: [cm.yaml]\ntransformers: [config.yaml]", nil},
		"MissingReplacement": {"'overlays/prod/config.yaml'", "resources: [cm.yaml]\nreplacements: [{path: config.yaml}]", nil},
		"InvalidYAML": {"MalformedYAMLError: yaml: line 4: did not find expected key in File: manager.yaml", base, map[string]string{
			"base/kustomization.yaml": "resources: [manager.yaml]", "base/manager.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n bad: y\n",
		}},
		"InvalidKustomization": {
			"'config/base': invalid Kustomization: yaml: line 3: mapping values are not allowed in this context", base,
			map[string]string{"base/kustomization.yaml": "resources:\n - manager.yaml\n  bad: y\n"},
		},
		"UnknownField": {
			"'config/base': invalid Kustomization: json: unknown field \"resource\"", base, map[string]string{"base/kustomization.yaml": "resource: [a]\n"},
		},
		"Conflict": {
			"merging resources from 'cm.yaml': may not add resource with an already registered id: Secret.v1.[noGrp]/c.[noNs]",
			"resources: [../../config/base, cm.yaml]",
			map[string]string{"base/kustomization.yaml": "resources: [cm.yaml]", "base/cm.yaml": pathWords},
		},
		"PatchTarget": {noIDs, base + "patches: [{path: patch.yaml}]", map[string]string{
			"base/kustomization.yaml": "resources: [cm.yaml]", "base/cm.yaml": pathWords, "../overlays/prod/patch.yaml": other,
		}},
		"PatchTargetSM": {noIDs, base + "patchesStrategicMerge: [patch.yaml]", map[string]string{
			"base/kustomization.yaml": "resources: [cm.yaml]", "base/cm.yaml": pathWords, "../overlays/prod/patch.yaml": other,
		}},
		"Cycle": {
			"cycle detected: candidate root 'overlays/prod' contains visited root", base,
			map[string]string{"base/kustomization.yaml": "resources: [../../overlays/prod]"},
		},
		"NotADirectory": {"overlays/prod/cm.yaml/x", "resources: [cm.yaml/x]", nil},
		"Above": {
			"security; file 'config/cm.yaml' is not in or below 'overlays/prod'", "resources: [../../config/cm.yaml]", map[string]string{"cm.yaml": pathWords},
		},
		"NoKind": {
			"accumulating resources from 'a.yaml': missing Resource metadata", "resources: [a.yaml]", map[string]string{"../overlays/prod/a.yaml": "a: b\n"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			filetest.Write(t, "overlays/prod", map[string]string{"kustomization.yaml": tc.overlay, "cm.yaml": pathWords})
			filetest.Write(t, "config", tc.files)
			_, err := buildDir("overlays/prod")
			if err == nil || !strings.HasPrefix(err.Error(), "build overlays/prod: ") || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("want an error with %q, got\n%v", tc.want, err)
			}
			if strings.Contains(err.Error(), planted) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 1000 {
				t.Errorf("a value is shown, or it is no short line:\n%v", err)
			}
		})
	}
}
