package kustomize

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/test/filetest"
)

const (
	cr    = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: cr, namespace: ns}\n"
	facts = `apiVersion: goldenarch.dev/v1alpha1
kind: ClusterArchitectures
metadata: {name: nodes, annotations: {config.kubernetes.io/local-config: "true"}}
`
	config = "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: config}\n"
	// configMap is a configuration as well, by what it has run.
	configMap = `apiVersion: v1
kind: ConfigMap
metadata: {name: options, annotations: {config.kubernetes.io/function: 'exec: {path: ./bin/goldenarch}'}}
data: {predefined: none}
`
	other = "apiVersion: example.com/v1\nkind: Other\nmetadata: {name: other, annotations: {config.kubernetes.io/function: 'exec: {path: ./other}'}}\n"
	label = "apiVersion: builtin\nkind: LabelTransformer\nmetadata: {name: label}\nlabels: {a: b}\nfieldSpecs: [{path: metadata/labels, create: true}]\n"
)

// written makes a directory of files and returns the one named "top" in it.
func written(t *testing.T, files map[string]string) string {
	t.Helper()
	return filepath.Join(filetest.New(t, files), "top")
}

// inlineEntry returns a text as an entry of a list.
func inlineEntry(text string) string {
	return "\n- |\n  " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ") + "\n"
}

// TestBuild: the files of the resources are known, and what is local is kept.
func TestBuild(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reason string
		files  map[string]string
		want   []string // file: kind/name, in order
	}{
		"Plain": {
			reason: "a base and a file of its own",
			files: map[string]string{
				"base/kustomization.yaml": "resources: [cr.yaml]", "base/cr.yaml": cr,
				"top/Kustomization": "resources: [../base, nodes.yaml]\nnamePrefix: x-\n", "top/nodes.yaml": facts,
			},
			want: []string{"top/nodes.yaml: ClusterArchitectures/x-nodes", "base/cr.yaml: HyperConverged/x-cr"},
		},
		"LocalInABase": {
			reason: "a transformer of the overlay would see it as well",
			files: map[string]string{
				"base/kustomization.yml": "resources: [cr.yaml, nodes.yaml]", "base/cr.yaml": cr, "base/nodes.yaml": facts,
				"top/kustomization.yaml": "resources: [../base]",
			},
			want: []string{"base/nodes.yaml: ClusterArchitectures/nodes", "base/cr.yaml: HyperConverged/cr"},
		},
		"Generated": {
			reason: "what a generator makes comes from the kustomization",
			files:  map[string]string{"top/kustomization.yaml": "configMapGenerator: [{name: m, literals: [a=https://example.com]}]"},
			want:   []string{"top/kustomization.yaml: ConfigMap/m-hf78t5kc6b"},
		},
		"ListedAndAResource": {
			reason: "one that is listed and a resource, too",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [cr.yaml, config.yaml]\ntransformers: [config.yaml]", "top/cr.yaml": cr, "top/config.yaml": config,
			},
			want: []string{"top/config.yaml: GoldenImages/config", "top/cr.yaml: HyperConverged/cr"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			top := written(t, tc.files)
			built, err := buildDir(top)
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			var got []string
			for _, item := range built.Items {
				file, _ := object.Place(item)
				got = append(got, below(t, filepath.Dir(top), file)+": "+item.GetKind()+"/"+item.GetName())
				if notes := item.GetAnnotations(); notes[wasLocal] != "" || (item.GetKind() == "ClusterArchitectures") != (notes[localConfig] == "true") {
					t.Errorf("%s: local configuration is to be as it was: %v", tc.reason, notes)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestSteps: goldenarch as the last transformer is the configuration, and no item.
func TestSteps(t *testing.T) {
	t.Parallel()
	const component = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"
	named := func(name string) string { return strings.ReplaceAll(config, "config}", name+"}") }
	aliased := func(name string) string {
		return "metadata: {labels: {a: &k GoldenImages, b: &n " + name + "}, name: *n}\napiVersion: goldenarch.dev/v1alpha1\nkind: *k\n"
	}
	for name, tc := range map[string]struct {
		reason string
		top    string            // the kustomization, beside its resources
		files  map[string]string // beside a label and a configuration in "top"
		want   []string          // directory, file: kind/name
	}{
		"LastTransformer": {"in a file", "transformers: [label.yaml, config.yaml]", nil, []string{"top top/config.yaml: GoldenImages/config"}},
		"ConfigMap": {
			"a ConfigMap that has goldenarch run", "transformers: [options.yaml]",
			map[string]string{"top/options.yaml": configMap},
			[]string{"top top/options.yaml: ConfigMap/options"},
		},
		"ConfigMapOfTheImage": {
			"or its image", "transformers: [options.yaml]",
			map[string]string{"top/options.yaml": strings.Replace(configMap,
				"exec: {path: ./bin/goldenarch}", "container: {image: \"example.com:5000/x/goldenarch:v0.1.0@sha256:0\"}", 1)},
			[]string{"top top/options.yaml: ConfigMap/options"},
		},
		"Alias": {
			"kustomize expands aliases before it reads the kind and the name", "transformers: [a.yaml, b.yaml]",
			map[string]string{"top/a.yaml": aliased("a"), "top/b.yaml": aliased("b")},
			[]string{"top top/a.yaml: GoldenImages/a", "top top/b.yaml: GoldenImages/b"},
		},
		"AliasInAConfigMap": {
			"and those in annotations, too", "transformers: [options.yaml]",
			map[string]string{"top/options.yaml": "data: {predefined: none, note: &function 'exec: {path: ./bin/goldenarch}'}\napiVersion: v1\nkind: ConfigMap\n" +
				"metadata: {name: options, annotations: {config.kubernetes.io/function: *function}}\n"},
			[]string{"top top/options.yaml: ConfigMap/options"},
		},
		"Inline": {"in the kustomization", "transformers:" + inlineEntry(config), nil, []string{"top top: GoldenImages/config"}},
		"Directory": {
			"built, so that overlays of it can be made", "transformers: [../config]",
			map[string]string{"config/kustomization.yaml": "resources: [config.yaml]\nnameSuffix: -x", "config/config.yaml": config},
			[]string{"top config: GoldenImages/config-x"},
		},
		"Several": {
			"kustomize runs each: inline ones first, those of a directory in its order", "transformers: [label.yaml, options.yaml, ../config]",
			map[string]string{
				"top/options.yaml": configMap, "config/kustomization.yaml": "resources: [pods.yaml, config.yaml]\nnameSuffix: -x", "config/config.yaml": config,
				"config/pods.yaml": strings.Replace(named("pods"), "GoldenImages", "WorkloadArchitectures", 1),
			},
			[]string{"top top/options.yaml: ConfigMap/options", "top config: WorkloadArchitectures/pods-x", "top config: GoldenImages/config-x"},
		},
		"Component": {
			"the last component runs last where the overlay changes nothing", "components: [../part]",
			map[string]string{"part/kustomization.yaml": component + "transformers: [config.yaml]", "part/config.yaml": config},
			[]string{"part part/config.yaml: GoldenImages/config"},
		},
		"ComponentByALink": {
			"kustomize builds the directory that a link leads to", "components: [../LINK]",
			map[string]string{
				"parts/part/kustomization.yaml": component + "components: [../more]\ntransformers: [config.yaml]", "parts/part/config.yaml": config,
				"parts/more/kustomization.yaml": component + "transformers: [more.yaml]", "parts/more/more.yaml": named("more"),
			},
			[]string{"parts/more parts/more/more.yaml: GoldenImages/more", "parts/part parts/part/config.yaml: GoldenImages/config"},
		},
		"Components": {
			"the steps of components come before those of the kustomization", "components: [../a, ../b]\ntransformers: [config.yaml]",
			map[string]string{
				"a/kustomization.yaml": component + "transformers: [a.yaml]", "a/a.yaml": named("a"),
				"b/kustomization.yaml": component + "transformers: [b.yaml]", "b/b.yaml": named("b"),
			},
			[]string{"a a/a.yaml: GoldenImages/a", "b b/b.yaml: GoldenImages/b", "top top/config.yaml: GoldenImages/config"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{
				"top/kustomization.yaml": "resources: [cr.yaml]\n" + tc.top, "top/cr.yaml": cr, "top/label.yaml": label, "top/config.yaml": config,
			}
			maps.Copy(files, tc.files)
			top := written(t, files)
			above := filepath.Dir(top)
			if err := os.Symlink("parts/part", filepath.Join(above, "LINK")); err != nil {
				t.Fatal(err)
			}
			built, err := buildDir(top)
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if len(built.Items) != 1 {
				t.Errorf("%s: want the CR, got %d items", tc.reason, len(built.Items))
			}
			var got []string
			for _, step := range built.Steps {
				config, err := step.Config()
				if err != nil {
					t.Fatal(err)
				}
				of := object.Ref(config)
				got = append(got, fmt.Sprintf("%s %s: %s/%s", below(t, above, step.Dir), below(t, above, step.File), of.Kind, of.Name))
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func below(t *testing.T, dir, path string) string {
	t.Helper()
	out, err := filepath.Rel(dir, path)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestNamedByALink: the files of a directory that the user names by a link are those that
// kustomize reads, and not others beside the link.
func TestNamedByALink(t *testing.T) {
	t.Parallel()
	top := written(t, map[string]string{
		"shared/overlay/kustomization.yaml": "resources: [../base]", "shared/base/kustomization.yaml": "resources: [cr.yaml]", "shared/base/cr.yaml": cr,
		"top/base/cr.yaml": cr,
	})
	link := filepath.Join(top, "link")
	if err := os.Symlink("../shared/overlay", link); err != nil {
		t.Fatal(err)
	}
	built, err := buildDir(link)
	if err != nil {
		t.Fatal(err)
	}
	const want = "shared/base/cr.yaml"
	if file, _ := object.Place(built.Items[0]); below(t, filepath.Dir(top), file) != want {
		t.Errorf("the file of the object: want %s, got %s", want, file)
	}
	target, err := files.Real(filepath.Join(top, "../shared/base/cr.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if edits := built.Shown([]files.Change{{Name: target}}); below(t, filepath.Dir(top), edits[0].Name) != want {
		t.Errorf("the file of an edit: want %s, got %s", want, edits[0].Name)
	}
}

func TestIn(t *testing.T) {
	t.Parallel()
	top := written(t, map[string]string{"top/kustomization.yml": "", "plain/cr.yaml": cr, "odd/kustomization.yaml/cr.yaml": cr})
	for dir, want := range map[string]bool{"top": true, "plain": false, "odd": false, "none": false, "plain/cr.yaml": false} {
		if got := In(filepath.Join(filepath.Dir(top), dir)); got != want {
			t.Errorf("%s has a kustomization: want %v, got %v", dir, want, got)
		}
	}
}
