package kustomization

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/filetest"
)

// pathWords is a Secret whose values are words of the paths.
const pathWords = `apiVersion: v1
kind: Secret
metadata: {name: c}
stringData: {a: config, b: base, c: overlays, d: manager, e: team, f: prod, g: hunter2-and-a-half}
`

// TestCauseComesFirst: directories that kustomize's library cannot build. The error begins
// with the cause, with paths as the user would write them, and hides no word of a path.
func TestCauseComesFirst(t *testing.T) {
	for name, tc := range map[string]struct {
		want  string
		files map[string]string
	}{
		"MissingFile": {
			want: "manager.yaml, listed in config/manager, does not exist",
			files: map[string]string{
				"overlays/prod/kustomization.yaml":  "resources: [../../config/manager]",
				"config/manager/kustomization.yaml": "resources: [manager.yaml]",
			},
		},
		"MissingFileTop": {
			want: "base/manager.yaml, listed in overlays/prod, does not exist",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [cm.yaml, base/manager.yaml]",
				"overlays/prod/cm.yaml":            pathWords,
			},
		},
		"MissingFileDeep": {
			want: "cm2.yaml, listed in config/base, does not exist",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [../../config/x]",
				"config/x/kustomization.yaml":      "resources: [cm.yaml, ../base]",
				"config/x/cm.yaml":                 pathWords,
				"config/base/kustomization.yaml":   "resources: [cm2.yaml]",
			},
		},
		"MissingDir": {
			want: "../../config/base, listed in overlays/prod, does not exist",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [cm.yaml, ../../config/base]",
				"overlays/prod/cm.yaml":            pathWords,
			},
		},
		"NoKustomization": {
			want: "../../config/base, listed in overlays/prod, is a directory without a kustomization.yaml",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [cm.yaml, ../../config/base]",
				"overlays/prod/cm.yaml":            pathWords,
				"config/base/x.yaml":               pathWords,
			},
		},
		"MissingPatch": {
			want: "base/patch.yaml, listed in overlays/prod, does not exist",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [cm.yaml]\npatches: [{path: base/patch.yaml}]",
				"overlays/prod/cm.yaml":            pathWords,
			},
		},
		"MissingPatchSM": {
			want: "patch.yaml, listed in overlays/prod, does not exist",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [cm.yaml]\npatchesStrategicMerge: [patch.yaml]",
				"overlays/prod/cm.yaml":            pathWords,
			},
		},
		"MissingJSON6902": {
			want: "patch.yaml, listed in overlays/prod, does not exist",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [cm.yaml]\npatchesJson6902: [{path: patch.yaml, target: {kind: ConfigMap, name: c, version: v1}}]",
				"overlays/prod/cm.yaml":            pathWords,
			},
		},
		"MissingEnv": {
			want: "team.env, listed in overlays/prod, does not exist",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "configMapGenerator: [{name: a, envs: [team.env]}]",
			},
		},
		"MissingGenFile": {
			want: "team.env, listed in overlays/prod, does not exist",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "configMapGenerator: [{name: a, files: [team.env]}]",
			},
		},
		"MissingComponent": {
			want: "../../config/base, listed in overlays/prod, does not exist",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [cm.yaml]\ncomponents: [../../config/base]",
				"overlays/prod/cm.yaml":            pathWords,
			},
		},
		"MissingTransformer": {
			want: "config.yaml, listed in overlays/prod, does not exist",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [cm.yaml]\ntransformers: [config.yaml]",
				"overlays/prod/cm.yaml":            pathWords,
			},
		},
		"MissingReplacement": {
			want: "config.yaml, listed in overlays/prod, does not exist",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [cm.yaml]\nreplacements: [{path: config.yaml}]",
				"overlays/prod/cm.yaml":            pathWords,
			},
		},
		"InvalidYAML": {
			want: "config/base/manager.yaml is not valid YAML: line 4: did not find expected key",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [../../config/base]",
				"config/base/kustomization.yaml":   "resources: [manager.yaml]",
				"config/base/manager.yaml":         "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n bad: y\n",
			},
		},
		"InvalidKustomization": {
			want: "the kustomization in config/base is not valid YAML: line 3: mapping values are not allowed in this context",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [../../config/base]",
				"config/base/kustomization.yaml":   "resources:\n - manager.yaml\n  bad: y\n",
			},
		},
		"UnknownField": {
			want: "the kustomization in config/base has the unknown field \"resource\"",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [../../config/base]",
				"config/base/kustomization.yaml":   "resource: [a]\n",
			},
		},
		"Conflict": {
			want: "cm.yaml, listed in overlays/prod, has Secret \"c\", which another entry has, too",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [../../config/base, cm.yaml]",
				"overlays/prod/cm.yaml":            pathWords,
				"config/base/kustomization.yaml":   "resources: [cm.yaml]",
				"config/base/cm.yaml":              pathWords,
			},
		},
		"PatchTarget": {
			want: "a patch in overlays/prod is for ConfigMap \"other\", which is not among its resources",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [../../config/base]\npatches: [{path: patch.yaml}]",
				"overlays/prod/patch.yaml":         "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\ndata: {a: b}\n",
				"config/base/kustomization.yaml":   "resources: [cm.yaml]",
				"config/base/cm.yaml":              pathWords,
			},
		},
		"PatchTargetSM": {
			want: "a patch in overlays/prod is for ConfigMap \"other\", which is not among its resources",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [../../config/base]\npatchesStrategicMerge: [patch.yaml]",
				"overlays/prod/patch.yaml":         "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\ndata: {a: b}\n",
				"config/base/kustomization.yaml":   "resources: [cm.yaml]",
				"config/base/cm.yaml":              pathWords,
			},
		},
		"Cycle": {
			want: "overlays/prod refers to itself through the directories that it lists",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [../../config/base]",
				"config/base/kustomization.yaml":   "resources: [../../overlays/prod]",
			},
		},
		"NotADirectory": {
			want: "cm.yaml/x, listed in overlays/prod, leads through a file, expected a directory",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [cm.yaml/x]",
				"overlays/prod/cm.yaml":            pathWords,
			},
		},
		"Above": {
			want: "../../config/cm.yaml, listed in overlays/prod, is outside overlays/prod, " +
				"and kustomize reads files only in or below the directory of the kustomization",
			files: map[string]string{
				"overlays/prod/kustomization.yaml": "resources: [../../config/cm.yaml]",
				"config/cm.yaml":                   pathWords,
			},
		},
		"NoKind": {
			want: "cm.yaml, listed in overlays/prod, has an object without metadata",
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
			if err == nil || !strings.HasPrefix(err.Error(), "build overlays/prod: "+tc.want+"; kustomize says: ") {
				t.Fatalf("want it to begin with %q, got\n%v", tc.want, err)
			}
			if strings.Contains(err.Error(), notShown) || strings.Contains(err.Error(), planted) {
				t.Errorf("a word of a path is hidden, or a value is shown:\n%v", err)
			}
			t.Chdir("overlays")
			if _, below := buildDir("prod"); below == nil || !strings.HasPrefix(below.Error(), "build prod: ") ||
				strings.Contains(strings.SplitN(below.Error(), "; kustomize says: ", 2)[0], "overlays/prod") {
				t.Errorf("want paths from the working directory, got\n%v", below)
			}
		})
	}
}

// TestWordsOfCausesStay: a file with the words of kustomize's messages, such as a script, hides no
// cause.
func TestWordsOfCausesStay(t *testing.T) {
	t.Parallel()
	classes, words := regexp.MustCompile(`\[[^]]*\]|\\.`), regexp.MustCompile(`[A-Za-z]+`)
	for _, c := range causes {
		for _, word := range words.FindAllString(classes.ReplaceAllString(c.at().String(), ""), -1) {
			if len(word) >= shortest && !common().MatchString(word) {
				t.Errorf("%q of %q is taken for a value", word, c.at())
			}
		}
	}
	d := &disk{read: map[string][]byte{"run.sh": []byte("source /dev/stdin\nls directory sources\n")}}
	const said = "loading KV pairs: env source files: [./a.env]: evalsymlink failure on '/srv/a.env' : lstat /srv/a.env: no such file or directory"
	if got, want := d.plain(".", errors.New(said)).Error(), "/srv/a.env does not exist; kustomize says: "+said; !strings.HasSuffix(got, want) {
		t.Errorf("want it to end with %q\ngot  %q", want, got)
	}
}

// TestPathsStay: a word that is a path stays where kustomize names a path, and the same
// word is hidden where it may be a value.
func TestPathsStay(t *testing.T) {
	t.Parallel()
	p := &buildPaths{given: ".", root: "/srv/app"}
	p.known = map[string]bool{"config": true, "base/x.yaml": true, "/srv/config": true}
	for _, tc := range []struct{ text, want string }{
		{"accumulating resources from 'config': x", "accumulating resources from 'config': x"},
		{"sources: [config]: x", "sources: [config]: x"},
		{"the value config is wrong", "the value (not shown) is wrong"},
		{`the value "config"`, `the value "(not shown)"`},
		{"path '/srv/config' and /srv/config: x", "path '/srv/config' and /srv/config: x"},
		{"/srv/config-map/config", "/srv/(not shown)-map/(not shown)"},
		{"from base/x.yaml: base", "from base/x.yaml: (not shown)"},
		{"database/x.yaml base", "database/x.yaml (not shown)"},
	} {
		p.limit(tc.text)
		if got := withoutValues(tc.text, []string{"config", "base"}, p); got != tc.want {
			t.Errorf("%q: want %q, got %q", tc.text, tc.want, got)
		}
	}
}
