package kustomize

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestRefused: what goldenarch does not do, and what kustomize itself refuses, is an error that says
// where, and what to do.
func TestRefused(t *testing.T) {
	t.Parallel()
	const (
		component = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ntransformers: [config.yaml]"
		last      = "list it last under transformers of"
		chart     = "helmCharts: [{name: c, repo: https://example.com}]"
		listed    = "resources: [cr.yaml]\ntransformers: "
	)
	part := map[string]string{"part/kustomization.yaml": component, "part/config.yaml": config}
	base := func(kustomization string) map[string]string {
		out := maps.Clone(part)
		maps.Copy(out, map[string]string{"base/kustomization.yaml": kustomization, "base/config.yaml": config, "base/cr.yaml": cr})
		return out
	}
	for name, tc := range map[string]struct {
		reason string
		top    string            // the kustomization
		files  map[string]string // beside the CR, a label, and a configuration in "top"
		want   string            // part of the error
	}{
		"NotLast":           {"what comes after it would come before it", listed + "[config.yaml, label.yaml]", nil, last},
		"InlineBeforeFiles": {"kustomize runs inline entries first, so the label follows", listed + "\n- label.yaml" + inlineEntry(config), nil, "(an inline configuration)"},
		"ConfigMapFirst": {
			"a ConfigMap configures goldenarch as well", listed + "[options.yaml, label.yaml]", map[string]string{"top/options.yaml": configMap}, last,
		},
		"InABase": {
			"what the overlay changes would be changed before", "resources: [../base]\nnamePrefix: x-",
			base("resources: [cr.yaml]\ntransformers: [config.yaml]"), "base/kustomization.yaml lists goldenarch under transformers",
		},
		"Component": {
			"the overlay changes what the component made", "resources: [cr.yaml]\ncomponents: [../part]\nnamePrefix: x-", part,
			"part/kustomization.yaml lists goldenarch under transformers",
		},
		"ComponentTwice": {
			"the last steps are not also in a base", "resources: [../base]\ncomponents: [../part]", base("resources: [cr.yaml]\ncomponents: [../part]"),
			`part/kustomization.yaml lists goldenarch under transformers (the entry "config.yaml")`,
		},
		"Generator": {
			"what it generates would be transformed", "generators: [config.yaml]", nil,
			`TOP/kustomization.yaml lists goldenarch under generators (the entry "config.yaml"), and goldenarch runs no generators itself; ` +
				`list the files of its spec.inputs under resources of TOP/kustomization.yaml, remove spec.inputs, ` +
				`and list it last under transformers of TOP/kustomization.yaml`,
		},
		"GeneratorOfABase": {
			"kustomize takes no configuration from another directory", "resources: [../base]", base("generators: [config.yaml]"),
			`list the files of its spec.inputs under resources of BASE/kustomization.yaml, remove spec.inputs, ` +
				`move the configuration to TOP, and list it last under transformers of TOP/kustomization.yaml`,
		},
		"InlineGenerator": {
			"it is no file", "generators:" + inlineEntry(config), nil,
			`TOP/kustomization.yaml lists goldenarch under generators (an inline configuration), and goldenarch runs no generators itself`,
		},
		"Validator": {
			"kustomize itself runs none there", "validators: [config.yaml]", nil,
			`TOP/kustomization.yaml lists goldenarch under validators (the entry "config.yaml"), ` +
				`where kustomize runs no function, whatever it does (kustomize#5036); list it last under transformers of TOP/kustomization.yaml instead`,
		},
		"Mixed": {
			"half a file cannot be left out", listed + "[mixed.yaml]", map[string]string{"top/mixed.yaml": config + "---\n" + label}, "list them separately",
		},
		"OneNameTwice": {
			"as kustomize", listed + "[config.yaml, other.yaml]",
			map[string]string{"top/other.yaml": config},
			`lists the GoldenImages "config" twice under transformers`,
		},
		"OtherFunction": {
			"no other program is run", listed + "[other.yaml]", map[string]string{"top/other.yaml": other}, "'Other': goldenarch runs no other functions",
		},
		"OtherFunctionOfAComponent": {
			"nor one of a component", "resources: [cr.yaml]\ncomponents: [../part]",
			map[string]string{"part/kustomization.yaml": strings.Replace(component, "config.yaml", "other.yaml", 1), "part/other.yaml": other},
			"goldenarch runs no other functions",
		},
		"OtherConfigMap": {
			"a ConfigMap of another function is not ours", listed + "[options.yaml]",
			map[string]string{"top/options.yaml": strings.ReplaceAll(configMap, "goldenarch}", "sleep}")},
			"'ConfigMap': goldenarch runs no other functions",
		},
		"Helm": {"no helm is run, and the way round is told", chart, nil, "| goldenarch render -"},
		"HelmGenerator": {
			"as a plugin neither", "generators: [chart.yaml]",
			map[string]string{"top/chart.yaml": "apiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: {name: c}\nname: c\nrepo: https://example.com\n"},
			"| goldenarch render -",
		},
		"HelmAndOwn": {
			"with the flags for what it lists", chart + "\ntransformers: [config.yaml]", nil, "kustomize build --enable-helm --enable-alpha-plugins --enable-exec",
		},
		"MissingAfter":  {"what is missing is told, not that something stands after goldenarch", listed + "[config.yaml, missing.yaml]", nil, "missing.yaml"},
		"MissingBefore": {"the same", listed + "[missing.yaml, config.yaml]", nil, "missing.yaml"},
		"Outside":       {"kustomize's own restriction holds", "resources: [../cr.yaml]", map[string]string{"cr.yaml": cr}, "is not in or below"},
		"OutsideConfig": {"for the configuration as well", listed + "[../config.yaml]", map[string]string{"config.yaml": config}, "is not in or below"},
		"ListsItself":   {"it ends", listed + "[.]", nil, "cycle"},
		"UnknownField":  {"kustomize is strict", "resource: [cr.yaml]", nil, `unknown field "resource"`},
		"TwoFiles": {
			"nor which file counts", "resources: [cr.yaml]", map[string]string{"top/Kustomization": ""}, "multiple kustomization files",
		},
		"Empty":          {"kustomize refuses it", "# nothing\n", nil, "kustomization.yaml is empty"},
		"EmptyWithAKind": {"a kind is no content", "kind: Kustomization\n", nil, "kustomization.yaml is empty"},
		"MissingFile":    {"the file is named", "resources: [none.yaml]", nil, "none.yaml"},
		"EmptyDirectory": {"there has to be one", "", nil, "unable to find one of"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"top/kustomization.yaml": tc.top, "top/cr.yaml": cr, "top/label.yaml": label, "top/config.yaml": config}
			if tc.top == "" {
				delete(files, "top/kustomization.yaml")
			}
			maps.Copy(files, tc.files)
			top := written(t, files)
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
