package kustomize

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func TestRefused(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reason string
		files  map[string]string
		want   string // part of the error
	}{
		"NotLast": {
			reason: "what comes after it would come before it",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [cr.yaml]\ntransformers: [config.yaml, label.yaml]",
				"top/config.yaml":        config,
				"top/label.yaml":         label,
				"top/cr.yaml":            cr,
			},
			want: "list it last under transformers of",
		},
		"InABase": {
			reason: "what the overlay changes would be changed before",
			files: map[string]string{
				"top/kustomization.yaml":  "resources: [../base]\nnamePrefix: x-",
				"base/kustomization.yaml": "resources: [cr.yaml]\ntransformers: [config.yaml]",
				"base/config.yaml":        config,
				"base/cr.yaml":            cr,
			},
			want: "base/kustomization.yaml lists goldenarch under transformers",
		},
		"Component": {
			reason: "the overlay changes what the component made",
			files: map[string]string{
				"top/kustomization.yaml":  "resources: [cr.yaml]\ncomponents: [../part]\nnamePrefix: x-",
				"top/cr.yaml":             cr,
				"part/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ntransformers: [config.yaml]",
				"part/config.yaml":        config,
			},
			want: "part/kustomization.yaml lists goldenarch under transformers",
		},
		"Generator": {
			reason: "what it generates would be transformed",
			files:  map[string]string{"top/kustomization.yaml": "generators: [config.yaml]", "top/config.yaml": config},
			want: `TOP/kustomization.yaml lists goldenarch under generators (the entry "config.yaml"), and goldenarch runs no generators itself; ` +
				`list the files of its spec.inputs under resources of TOP/kustomization.yaml, remove spec.inputs, ` +
				`and list it last under transformers of TOP/kustomization.yaml`,
		},
		"GeneratorOfABase": {
			reason: "kustomize takes no configuration from another directory",
			files: map[string]string{
				"base/kustomization.yaml": "generators: [config.yaml]", "base/config.yaml": config,
				"top/kustomization.yaml": "resources: [../base]",
			},
			want: `list the files of its spec.inputs under resources of BASE/kustomization.yaml, remove spec.inputs, ` +
				`move the configuration to TOP, and list it last under transformers of TOP/kustomization.yaml`,
		},
		"InlineGenerator": {
			reason: "it is no file",
			files:  map[string]string{"top/kustomization.yaml": "generators:\n- |\n  " + strings.ReplaceAll(config, "\n", "\n  ")},
			want:   `TOP/kustomization.yaml lists goldenarch under generators (an inline configuration), and goldenarch runs no generators itself`,
		},
		"Validator": {
			reason: "kustomize itself runs none there",
			files:  map[string]string{"top/kustomization.yaml": "validators: [config.yaml]", "top/config.yaml": config},
			want: `TOP/kustomization.yaml lists goldenarch under validators (the entry "config.yaml"), ` +
				`where kustomize runs no function, whatever it does (kustomize#5036); list it last under transformers of TOP/kustomization.yaml instead`,
		},
		"Mixed": {
			reason: "half a file cannot be left out",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [cr.yaml]\ntransformers: [config.yaml]",
				"top/config.yaml":        config + "---\n" + label,
				"top/cr.yaml":            cr,
			},
			want: "list them separately",
		},
		"OtherFunction": {
			reason: "no other program is run",
			files:  map[string]string{"top/kustomization.yaml": "resources: [cr.yaml]\ntransformers: [other.yaml]", "top/other.yaml": other, "top/cr.yaml": cr},
			want:   "'Other': goldenarch runs no other functions",
		},
		"Helm": {
			reason: "no helm is run, and the way round is told",
			files:  map[string]string{"top/kustomization.yaml": "helmCharts: [{name: c, repo: https://example.com}]"},
			want:   "| goldenarch render -",
		},
		"HelmGenerator": {
			reason: "as a plugin neither",
			files: map[string]string{
				"top/kustomization.yaml": "generators: [chart.yaml]",
				"top/chart.yaml":         "apiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: {name: c}\nname: c\nrepo: https://example.com\n",
			},
			want: "| goldenarch render -",
		},
		"HelmAndOwn": {
			reason: "with the flags for what it lists",
			files: map[string]string{
				"top/kustomization.yaml": "helmCharts: [{name: c, repo: https://example.com}]\ntransformers: [config.yaml]",
				"top/config.yaml":        config,
			},
			want: "kustomize build --enable-helm --enable-alpha-plugins --enable-exec",
		},
		"MissingAfter": {
			reason: "what is missing is told, not that something stands after goldenarch",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [cr.yaml]\ntransformers: [config.yaml, missing.yaml]",
				"top/config.yaml":        config,
				"top/cr.yaml":            cr,
			},
			want: "missing.yaml",
		},
		"MissingBefore": {
			reason: "the same",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [cr.yaml]\ntransformers: [missing.yaml, config.yaml]",
				"top/config.yaml":        config,
				"top/cr.yaml":            cr,
			},
			want: "missing.yaml",
		},
		"ConfigMapFirst": {
			reason: "a ConfigMap configures goldenarch as well",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [cr.yaml]\ntransformers: [config.yaml, label.yaml]",
				"top/config.yaml":        configMap,
				"top/label.yaml":         label,
				"top/cr.yaml":            cr,
			},
			want: "list it last under transformers of",
		},
		"OneNameTwice": {
			reason: "as kustomize",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [cr.yaml]\ntransformers: [config.yaml, other.yaml]",
				"top/config.yaml":        config,
				"top/other.yaml":         config,
				"top/cr.yaml":            cr,
			},
			want: `lists the GoldenImages "config" twice under transformers`,
		},
		"InlineBeforeFiles": {
			reason: "kustomize runs inline entries first, so the label follows",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [cr.yaml]\ntransformers:\n- label.yaml\n- |\n  " + strings.ReplaceAll(config, "\n", "\n  "),
				"top/label.yaml":         label, "top/cr.yaml": cr,
			},
			want: "top/kustomization.yaml lists goldenarch under transformers (an inline configuration)",
		},
		"ComponentTwice": {
			reason: "the last steps are not also in a base",
			files: map[string]string{
				"top/kustomization.yaml":  "resources: [../base]\ncomponents: [../part]",
				"base/kustomization.yaml": "resources: [cr.yaml]\ncomponents: [../part]", "base/cr.yaml": cr,
				"part/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ntransformers: [config.yaml]",
				"part/config.yaml":        config,
			},
			want: `part/kustomization.yaml lists goldenarch under transformers (the entry "config.yaml")`,
		},
		"OtherConfigMap": {
			reason: "a ConfigMap of another function is not ours",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [cr.yaml]\ntransformers: [config.yaml]",
				"top/config.yaml":        strings.ReplaceAll(configMap, "goldenarch}", "sleep}"),
				"top/cr.yaml":            cr,
			},
			want: "'ConfigMap': goldenarch runs no other functions",
		},
		"Outside": {
			reason: "kustomize's own restriction holds",
			files:  map[string]string{"top/kustomization.yaml": "resources: [../cr.yaml]", "cr.yaml": cr},
			want:   "is not in or below",
		},
		"OutsideConfig": {
			reason: "for the configuration as well",
			files:  map[string]string{"top/kustomization.yaml": "resources: [cr.yaml]\ntransformers: [../config.yaml]", "config.yaml": config, "top/cr.yaml": cr},
			want:   "is not in or below",
		},
		"ListsItself":  {"it ends", map[string]string{"top/kustomization.yaml": "resources: [cr.yaml]\ntransformers: [.]", "top/cr.yaml": cr}, "cycle"},
		"UnknownField": {"kustomize is strict", map[string]string{"top/kustomization.yaml": "resource: [cr.yaml]"}, `unknown field "resource"`},
		"TwoFiles": {
			reason: "nor which file counts",
			files:  map[string]string{"top/kustomization.yaml": "resources: [cr.yaml]", "top/Kustomization": "", "top/cr.yaml": cr},
			want:   "multiple kustomization files",
		},
		"Empty":          {"kustomize refuses it", map[string]string{"top/kustomization.yaml": "# nothing\n"}, "kustomization.yaml is empty"},
		"EmptyWithAKind": {"a kind is no content", map[string]string{"top/kustomization.yaml": "kind: Kustomization\n"}, "kustomization.yaml is empty"},
		"MissingFile":    {"the file is named", map[string]string{"top/kustomization.yaml": "resources: [none.yaml]"}, "none.yaml"},
		"EmptyDirectory": {"there has to be one", map[string]string{"top/cr.yaml": cr}, "unable to find one of"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			top := written(t, tc.files)
			tc.want = strings.NewReplacer("TOP", top, "BASE", filepath.Join(filepath.Dir(top), "base")).Replace(tc.want)
			built, err := buildDir(top)
			if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), top) {
				t.Errorf("%s: want an error that names %s and %q, got %v", tc.reason, top, tc.want, err)
			}
			if tc.want == "missing.yaml" && strings.Contains(err.Error(), "list it last") {
				t.Errorf("%s: %v", tc.reason, err)
			}
			if built.Items != nil {
				t.Errorf("%s: half a result", tc.reason)
			}
		})
	}
}

// TestLinkedKustomization: a link to a file of another name is a kustomization
// all the same, and looked at.
func TestLinkedKustomization(t *testing.T) {
	t.Parallel()
	top := written(t, map[string]string{"top/real.txt": "resources: ['git@example.com:org/repo']"})
	if err := os.Symlink("real.txt", filepath.Join(top, "kustomization.yaml")); err != nil {
		t.Fatal(err)
	}
	if _, err := buildDir(top); err == nil || !strings.Contains(err.Error(), "goldenarch fetches nothing") {
		t.Errorf("want a refusal, got %v", err)
	}
}

// TestLocalNames: what only looks like a host is read. So is a file whose path looks like a
// repository: kustomize looks for a file first.
func TestLocalNames(t *testing.T) {
	t.Parallel()
	top := written(t, map[string]string{
		"top/kustomization.yaml": "resources: [fedora@2.yaml, example.com, github.com/org/repo/a.yaml]\n" +
			"patches: [{path: github.com/org/repo/p.yaml}]\ncommonAnnotations: {path: 'https://example.com'}",
		"top/fedora@2.yaml": cr, "top/example.com/kustomization.yaml": "resources: [map.yaml]",
		"top/example.com/map.yaml":       "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n",
		"top/github.com/org/repo/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
		"top/github.com/org/repo/p.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: b\n",
	})
	built, err := buildDir(top)
	if err != nil || len(built.Items) != 3 {
		t.Fatalf("want three items, got %d, %v", len(built.Items), err)
	}
	if refs := ReferencesOf(top); refs.Remote != "" || len(refs.Local) != 4 {
		t.Errorf("want four local files and directories, got %q and remote %q", refs.Local, refs.Remote)
	}
	found, err := Find(top, func(item *yaml.RNode) bool { return item.GetName() == "a" })
	if err != nil || found == nil {
		t.Errorf("want the object to be found, got %v, %v", found, err)
	}
}
