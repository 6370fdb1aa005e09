package kustomize

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"

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

func TestBuild(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reason string
		files  map[string]string
		want   []string // file: kind/name, in order
		steps  []string // directory, list, file: kind/name
	}{
		"Plain": {
			reason: "the files of the resources are known, and what is local is kept",
			files: map[string]string{
				"base/kustomization.yaml": "resources: [cr.yaml]",
				"base/cr.yaml":            cr,
				"top/Kustomization":       "resources: [../base, nodes.yaml]\nnamePrefix: x-\n",
				"top/nodes.yaml":          facts,
			},
			want: []string{"top/nodes.yaml: ClusterArchitectures/x-nodes", "base/cr.yaml: HyperConverged/x-cr"},
		},
		"LocalInABase": {
			reason: "a transformer of the overlay would see it as well",
			files: map[string]string{
				"base/kustomization.yml": "resources: [cr.yaml, nodes.yaml]",
				"base/cr.yaml":           cr,
				"base/nodes.yaml":        facts,
				"top/kustomization.yaml": "resources: [../base]",
			},
			want: []string{"base/nodes.yaml: ClusterArchitectures/nodes", "base/cr.yaml: HyperConverged/cr"},
		},
		"Generated": {
			reason: "what a generator makes comes from the kustomization",
			files:  map[string]string{"top/kustomization.yaml": "configMapGenerator: [{name: m, literals: [a=https://example.com]}]"},
			want:   []string{"top/kustomization.yaml: ConfigMap/m-hf78t5kc6b"},
		},
		"LastTransformer": {
			reason: "goldenarch as the last transformer is the configuration",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [cr.yaml]\ntransformers: [label.yaml, config.yaml]",
				"top/cr.yaml":            cr,
				"top/label.yaml":         label,
				"top/config.yaml":        config,
			},
			want: []string{"top/cr.yaml: HyperConverged/cr"}, steps: []string{"top transformers top/config.yaml: GoldenImages/config"},
		},
		"ListedAndAResource": {
			reason: "what is listed counts, and it is one",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [cr.yaml, config.yaml]\ntransformers: [config.yaml]",
				"top/cr.yaml":            cr,
				"top/config.yaml":        config,
			},
			want:  []string{"top/config.yaml: GoldenImages/config", "top/cr.yaml: HyperConverged/cr"},
			steps: []string{"top transformers top/config.yaml: GoldenImages/config"},
		},
		"AnotherResource": {
			reason: "one of another name is another one; that there are two is told later",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [cr.yaml, other.yaml]\ntransformers: [config.yaml]",
				"top/cr.yaml":            cr,
				"top/config.yaml":        config,
				"top/other.yaml":         strings.ReplaceAll(config, "config}", "other}"),
			},
			want:  []string{"top/other.yaml: GoldenImages/other", "top/cr.yaml: HyperConverged/cr"},
			steps: []string{"top transformers top/config.yaml: GoldenImages/config"},
		},
		"ConfigMap": {
			reason: "a ConfigMap that has goldenarch run is the configuration, and no item",
			files:  map[string]string{"top/kustomization.yaml": "resources: [cr.yaml]\ntransformers: [options.yaml]", "top/cr.yaml": cr, "top/options.yaml": configMap},
			want:   []string{"top/cr.yaml: HyperConverged/cr"}, steps: []string{"top transformers top/options.yaml: ConfigMap/options"},
		},
		"Alias": {
			reason: "kustomize expands aliases before it reads the kind and the name",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [cr.yaml]\ntransformers: [a.yaml, b.yaml]",
				"top/cr.yaml":            cr,
				"top/a.yaml":             "metadata: {labels: {a: &k GoldenImages, b: &n a}, name: *n}\napiVersion: goldenarch.dev/v1alpha1\nkind: *k\n",
				"top/b.yaml":             "metadata: {labels: {a: &k GoldenImages, b: &n b}, name: *n}\napiVersion: goldenarch.dev/v1alpha1\nkind: *k\n",
			},
			want:  []string{"top/cr.yaml: HyperConverged/cr"},
			steps: []string{"top transformers top/a.yaml: GoldenImages/a", "top transformers top/b.yaml: GoldenImages/b"},
		},
		"ConfigMapOfTheImage": {
			reason: "or its image",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [cr.yaml]\ntransformers: [options.yaml]",
				"top/cr.yaml":            cr,
				"top/options.yaml": strings.Replace(configMap, "exec: {path: ./bin/goldenarch}",
					"container: {image: \"example.com:5000/x/goldenarch:v0.1.0@sha256:0\"}", 1),
			},
			want: []string{"top/cr.yaml: HyperConverged/cr"}, steps: []string{"top transformers top/options.yaml: ConfigMap/options"},
		},
		"Inline": {
			reason: "a configuration may stand in the kustomization",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [cr.yaml]\ntransformers:\n- |\n  " + strings.ReplaceAll(config, "\n", "\n  "),
				"top/cr.yaml":            cr,
			},
			want: []string{"top/cr.yaml: HyperConverged/cr"}, steps: []string{"top transformers top: GoldenImages/config"},
		},
		"Directory": {
			reason: "a configuration may be built, so that overlays of it can be made",
			files: map[string]string{
				"top/kustomization.yaml":    "resources: [cr.yaml]\ntransformers: [../config]",
				"top/cr.yaml":               cr,
				"config/kustomization.yaml": "resources: [config.yaml]\nnameSuffix: -x",
				"config/config.yaml":        config,
			},
			want: []string{"top/cr.yaml: HyperConverged/cr"}, steps: []string{"top transformers config: GoldenImages/config-x"},
		},
		"Component": {
			reason: "the last component runs last where the overlay changes nothing",
			files: map[string]string{
				"top/kustomization.yaml":  "resources: [cr.yaml]\ncomponents: [../part]",
				"top/cr.yaml":             cr,
				"part/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ntransformers: [config.yaml]",
				"part/config.yaml":        config,
			},
			want: []string{"top/cr.yaml: HyperConverged/cr"}, steps: []string{"part transformers part/config.yaml: GoldenImages/config"},
		},
		"AliasInAConfigMap": {
			reason: "kustomize expands the aliases in annotations, too",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [cr.yaml]\ntransformers: [options.yaml]",
				"top/cr.yaml":            cr,
				"top/options.yaml": "data: {predefined: none, note: &function 'exec: {path: ./bin/goldenarch}'}\napiVersion: v1\nkind: ConfigMap\n" +
					"metadata: {name: options, annotations: {config.kubernetes.io/function: *function}}\n",
			},
			want: []string{"top/cr.yaml: HyperConverged/cr"}, steps: []string{"top transformers top/options.yaml: ConfigMap/options"},
		},
		"Several": {
			reason: "kustomize runs each: inline ones first, those of a directory in its order",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [cr.yaml]\ntransformers:\n- label.yaml\n- options.yaml\n- ../config\n",
				"top/cr.yaml":            cr, "top/label.yaml": label, "top/options.yaml": configMap,
				"config/kustomization.yaml": "resources: [pods.yaml, config.yaml]\nnameSuffix: -x", "config/config.yaml": config,
				"config/pods.yaml": strings.NewReplacer("GoldenImages", "WorkloadArchitectures", "config}", "pods}").Replace(config),
			},
			want: []string{"top/cr.yaml: HyperConverged/cr"},
			steps: []string{
				"top transformers top/options.yaml: ConfigMap/options", "top transformers config: WorkloadArchitectures/pods-x",
				"top transformers config: GoldenImages/config-x",
			},
		},
		"ComponentByALink": {
			reason: "kustomize builds the directory that a link leads to",
			files: map[string]string{
				"top/kustomization.yaml":        "resources: [cr.yaml]\ncomponents: [../LINK]",
				"top/cr.yaml":                   cr,
				"parts/part/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ncomponents: [../more]\ntransformers: [config.yaml]",
				"parts/part/config.yaml":        config,
				"parts/more/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ntransformers: [more.yaml]",
				"parts/more/more.yaml":          strings.ReplaceAll(config, "config}", "more}"),
			},
			want: []string{"top/cr.yaml: HyperConverged/cr"},
			steps: []string{
				"parts/more transformers parts/more/more.yaml: GoldenImages/more", "parts/part transformers parts/part/config.yaml: GoldenImages/config",
			},
		},
		"Components": {
			reason: "the steps of components come before those of the kustomization",
			files: map[string]string{
				"top/kustomization.yaml": "resources: [cr.yaml]\ncomponents: [../a, ../b]\ntransformers: [config.yaml]",
				"top/cr.yaml":            cr, "top/config.yaml": config,
				"a/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ntransformers: [a.yaml]",
				"a/a.yaml":             strings.ReplaceAll(config, "config}", "a}"),
				"b/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ntransformers: [b.yaml]",
				"b/b.yaml":             strings.ReplaceAll(config, "config}", "b}"),
			},
			want: []string{"top/cr.yaml: HyperConverged/cr"},
			steps: []string{
				"a transformers a/a.yaml: GoldenImages/a", "b transformers b/b.yaml: GoldenImages/b", "top transformers top/config.yaml: GoldenImages/config",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			top := written(t, tc.files)
			above := filepath.Dir(top)
			if err := os.Symlink("parts/part", filepath.Join(above, "LINK")); err != nil {
				t.Fatal(err)
			}
			built, err := buildDir(top)
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			var got []string
			for _, item := range built.Items {
				got = append(got, below(t, above, item.GetAnnotations()[kioutil.PathAnnotation])+": "+item.GetKind()+"/"+item.GetName())
				if notes := item.GetAnnotations(); notes[wasLocal] != "" || (item.GetKind() == "ClusterArchitectures") != (notes[localConfig] == "true") {
					t.Errorf("%s: local configuration is to be as it was: %v", tc.reason, notes)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			var steps []string
			for _, step := range built.Steps {
				config, err := step.Config()
				if err != nil {
					t.Fatal(err)
				}
				steps = append(steps, fmt.Sprintf("%s transformers %s: %s/%s",
					below(t, above, step.Dir), below(t, above, step.File), object.Ref(config).Kind, object.Ref(config).Name))
			}
			if diff := cmp.Diff(tc.steps, steps); diff != "" {
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

// TestOrigins: the annotations that kustomize is asked for stay, those that
// goldenarch asked for go.
func TestOrigins(t *testing.T) {
	t.Parallel()
	for _, asked := range []bool{true, false} {
		text := "resources: [cr.yaml]\n"
		if asked {
			text += "buildMetadata: [originAnnotations]\n"
		}
		built, err := buildDir(written(t, map[string]string{"top/kustomization.yaml": text, "top/cr.yaml": cr}))
		if err != nil {
			t.Fatal(err)
		}
		notes := slices.Sorted(maps.Keys(built.Items[0].GetAnnotations()))
		if got := slices.Contains(notes, "config.kubernetes.io/origin"); got != asked {
			t.Errorf("asked for by the user: %v, there: %v", asked, got)
		}
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
