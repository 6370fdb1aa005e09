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
	for name, tc := range map[string]struct {
		want  string
		files map[string]string
	}{
		"MissingFile": {
			want: "config/manager/manager.yaml",
			files: map[string]string{
				"overlays/prod/kustomization.yaml":  "resources: [../../config/manager]",
				"config/manager/kustomization.yaml": "resources: [manager.yaml]",
			},
		},
		"MissingFileTop": {
			want: "'base/manager.yaml'",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [cm.yaml, base/manager.yaml]",
				"overlays/prod/cm.yaml":            pathWords,
			},
		},
		"MissingFileDeep": {
			want: "config/base/cm2.yaml",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [../../config/x]",
				"config/x/kustomization.yaml":      "resources: [cm.yaml, ../base]",
				"config/x/cm.yaml":                 pathWords,
				"config/base/kustomization.yaml":   "resources: [cm2.yaml]",
			},
		},
		"MissingDir": {
			want: "'../../config/base'",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [cm.yaml, ../../config/base]",
				"overlays/prod/cm.yaml":            pathWords,
			},
		},
		"NoKustomization": {
			want: "unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in directory 'config/base'",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [cm.yaml, ../../config/base]",
				"overlays/prod/cm.yaml":            pathWords,
				"config/base/x.yaml":               pathWords,
			},
		},
		"MissingPatch": {
			want: "failed to get the patch file from path(base/patch.yaml)",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [cm.yaml]\npatches: [{path: base/patch.yaml}]",
				"overlays/prod/cm.yaml":            pathWords,
			},
		},
		"MissingPatchSM": {
			want: "overlays/prod/patch.yaml",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [cm.yaml]\npatchesStrategicMerge: [patch.yaml]",
				"overlays/prod/cm.yaml":            pathWords,
			},
		},
		"MissingJSON6902": {
			want: "overlays/prod/patch.yaml",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [cm.yaml]\npatchesJson6902: [{path: patch.yaml, target: {kind: ConfigMap, name: c, version: v1}}]",
				"overlays/prod/cm.yaml":            pathWords,
			},
		},
		"MissingEnv": {
			want: "overlays/prod/team.env",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "configMapGenerator: [{name: a, envs: [team.env]}]",
			},
		},
		"MissingGenFile": {
			want: "overlays/prod/team.env",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "configMapGenerator: [{name: a, files: [team.env]}]",
			},
		},
		"MissingComponent": {
			want: "'config/base'",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [cm.yaml]\ncomponents: [../../config/base]",
				"overlays/prod/cm.yaml":            pathWords,
			},
		},
		"MissingTransformer": {
			want: "'overlays/prod/config.yaml'",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [cm.yaml]\ntransformers: [config.yaml]",
				"overlays/prod/cm.yaml":            pathWords,
			},
		},
		"MissingReplacement": {
			want: "'overlays/prod/config.yaml'",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [cm.yaml]\nreplacements: [{path: config.yaml}]",
				"overlays/prod/cm.yaml":            pathWords,
			},
		},
		"InvalidYAML": {
			want: "MalformedYAMLError: yaml: line 4: did not find expected key in File: manager.yaml",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [../../config/base]",
				"config/base/kustomization.yaml":   "resources: [manager.yaml]",
				"config/base/manager.yaml":         "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n bad: y\n",
			},
		},
		"InvalidKustomization": {
			want: "'config/base': invalid Kustomization: yaml: line 3: mapping values are not allowed in this context",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [../../config/base]",
				"config/base/kustomization.yaml":   "resources:\n - manager.yaml\n  bad: y\n",
			},
		},
		"UnknownField": {
			want: "'config/base': invalid Kustomization: json: unknown field \"resource\"",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [../../config/base]",
				"config/base/kustomization.yaml":   "resource: [a]\n",
			},
		},
		"Conflict": {
			want: "merging resources from 'cm.yaml': may not add resource with an already registered id: Secret.v1.[noGrp]/c.[noNs]",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [../../config/base, cm.yaml]",
				"overlays/prod/cm.yaml":            pathWords,
				"config/base/kustomization.yaml":   "resources: [cm.yaml]",
				"config/base/cm.yaml":              pathWords,
			},
		},
		"PatchTarget": {
			want: "no matches for Id ConfigMap.v1.[noGrp]/other.[noNs]",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [../../config/base]\npatches: [{path: patch.yaml}]",
				"overlays/prod/patch.yaml":         "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\ndata: {a: b}\n",
				"config/base/kustomization.yaml":   "resources: [cm.yaml]",
				"config/base/cm.yaml":              pathWords,
			},
		},
		"PatchTargetSM": {
			want: "no matches for Id ConfigMap.v1.[noGrp]/other.[noNs]",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [../../config/base]\npatchesStrategicMerge: [patch.yaml]",
				"overlays/prod/patch.yaml":         "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\ndata: {a: b}\n",
				"config/base/kustomization.yaml":   "resources: [cm.yaml]",
				"config/base/cm.yaml":              pathWords,
			},
		},
		"Cycle": {
			want: "cycle detected: candidate root 'overlays/prod' contains visited root",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [../../config/base]",
				"config/base/kustomization.yaml":   "resources: [../../overlays/prod]",
			},
		},
		"NotADirectory": {
			want: "overlays/prod/cm.yaml/x",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [cm.yaml/x]",
				"overlays/prod/cm.yaml":            pathWords,
			},
		},
		"Above": {
			want: "security; file 'config/cm.yaml' is not in or below 'overlays/prod'",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [../../config/cm.yaml]",
				"config/cm.yaml":                   pathWords,
			},
		},
		"NoKind": {
			want: "accumulating resources from 'cm.yaml': missing Resource metadata",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [cm.yaml]",
				"overlays/prod/cm.yaml":            "a: b\n",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			t.Chdir(root)
			filetest.Write(t, "", tc.files)
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
