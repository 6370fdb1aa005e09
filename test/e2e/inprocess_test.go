package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// TestInProcess holds what goldenarch builds with kustomize's library against
// the real kustomize.
func TestInProcess(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	kustomize := build(t, filepath.Join(repository(t), "tools"), "sigs.k8s.io/kustomize/kustomize/v5", "kustomize")

	for _, example := range []string{kustomizeProduction, "examples/kustomize/edge"} {
		t.Run(example, func(t *testing.T) {
			t.Parallel()
			asTransformer(t, r, kustomize, filepath.Join(repository(t), example))
		})
	}
	dirs, err := filepath.Glob(filepath.Join(repository(t), "fn/testdata/golden/expand-*"))
	if err != nil || len(dirs) < 20 {
		t.Fatalf("want at least 20 golden directories, got %d (%v)", len(dirs), err)
	}
	const exec = "  annotations:\n    config.kubernetes.io/function: |\n      exec: {path: goldenarch}\n"
	for _, dir := range dirs {
		situation := goldenOf(t, dir)
		if strings.Contains(situation.input, "config.kubernetes.io/path: golden-images/") {
			continue // an emitted object is known by its file, which kustomize does not tell
		}
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			asTransformer(t, r, kustomize, written(t, map[string]string{
				"kustomization.yaml": "resources: [input.yaml]\ntransformers: [config.yaml]\n",
				"input.yaml":         withoutPlaces(situation.input),
				"config.yaml":        strings.Replace(situation.config, "metadata:\n", "metadata:\n"+exec, 1),
			}))
		})
	}
	for name, files := range finished(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(laid(t, files), "top")
			if got := r.run(t, own(t, r), "render", dir); got.status != 0 {
				t.Fatalf("status %d\n%s", got.status, got.stderr)
			}
			asTransformer(t, r, kustomize, dir)
		})
	}
	for name, files := range overlays {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asPipe(t, r, kustomize, filepath.Join(laid(t, files), "top"))
		})
	}
}

// asTransformer compares with kustomize running goldenarch as a function: the
// objects and their order. The fields that goldenarch writes kustomize sorts
// afterwards. Objects that are not for the cluster render leaves out.
func asTransformer(t *testing.T, r runner, kustomize, dir string) {
	t.Helper()
	want := r.run(t, kustomize, "build", "--enable-alpha-plugins", "--enable-exec", dir)
	got := r.run(t, own(t, r), "render", dir)
	if (want.status != 0) != (got.status != 0) {
		t.Fatalf("kustomize: status %d, in process: %d\n%s\n%s", want.status, got.status, want.stderr, got.stderr)
	}
	wanted := slices.DeleteFunc(inOrder(t, want.stdout), func(object string) bool {
		return strings.Contains(object, `"apiVersion":"goldenarch.dev/v1alpha1","kind"`) || strings.Contains(object, `"kind":"Node"`)
	})
	if want.status == 0 && len(wanted) == 0 {
		t.Fatal("nothing is compared")
	}
	if diff := cmp.Diff(wanted, inOrder(t, got.stdout)); diff != "" {
		t.Errorf("-kustomize +in process:\n%s", diff)
	}
}

// inOrder returns the objects of a stream as JSON.
func inOrder(t *testing.T, stream string) []string {
	t.Helper()
	var out []string
	for document := range strings.SplitSeq(stream, "---\n") {
		data, err := yaml.YAMLToJSON([]byte(document))
		if err != nil {
			t.Fatal(err)
		}
		if string(data) != "null" {
			out = append(out, string(data))
		}
	}
	return out
}

// asPipe compares, byte by byte, with kustomize building what goldenarch then
// reads.
func asPipe(t *testing.T, r runner, kustomize, dir string) {
	t.Helper()
	flags := []string{"--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64", "--set", "predefined=none"}
	built := r.run(t, kustomize, "build", dir)
	if built.status != 0 {
		t.Fatalf("kustomize: status %d\n%s", built.status, built.stderr)
	}
	file := filepath.Join(t.TempDir(), "built.yaml")
	write(t, file, built.stdout)
	want := r.run(t, own(t, r), append([]string{"render", file}, flags...)...)
	got := r.run(t, own(t, r), append([]string{"render", dir}, flags...)...)
	if want.status != 0 || got.status != 0 {
		t.Fatalf("built first: status %d, in process: %d\n%s\n%s", want.status, got.status, want.stderr, got.stderr)
	}
	// A file that is there keeps its order; kustomize sorts the keys of what it builds.
	if diff := cmp.Diff(documents(t, want.stdout), documents(t, got.stdout)); diff != "" {
		t.Errorf("-built first +in process:\n%s", diff)
	}
}

// documents returns the values of YAML documents.
func documents(t *testing.T, text string) []any {
	t.Helper()
	var out []any
	for document := range strings.SplitSeq("\n"+text, "\n---\n") {
		var value any
		if err := yaml.Unmarshal([]byte(document), &value); err != nil {
			t.Fatalf("%v:\n%s", err, document)
		}
		out = append(out, value)
	}
	return out
}

// own returns the goldenarch that the runner's programs find.
func own(t *testing.T, r runner) string {
	t.Helper()
	for _, variable := range r.env {
		if path, ok := strings.CutPrefix(variable, "PATH="); ok {
			file := filepath.Join(filepath.SplitList(path)[0], "goldenarch")
			if _, err := os.Stat(file); err == nil {
				return file
			}
		}
	}
	t.Fatal("the runner has no goldenarch")
	return ""
}

// laid writes files in directories of their own.
func laid(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), content)
	}
	return dir
}

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, image: nginx, envFrom: [{configMapRef: {name: settings}}]}
`

// overlays are ways to write a kustomization.
var overlays = map[string]map[string]string{
	"Base": {"top/kustomization.yaml": "resources: [hco.yaml]", "top/hco.yaml": emptyCR},
	"Everything": {
		"base/kustomization.yml": "resources: [hco.yaml, web.yaml]\n", "base/web.yaml": deployment,
		"base/hco.yaml": strings.Replace(emptyCR, "name: kubevirt-hyperconverged", "name: hyperconverged", 1),
		"top/Kustomization": `resources: [../base, namespace.yaml]
components: [../part]
namePrefix: kubevirt-
namespace: prod
labels: [{pairs: {env: prod}, includeTemplates: true}]
commonAnnotations: {owner: me}
images: [{name: nginx, newTag: "1.25"}]
replicas: [{name: web, count: 3}]
configMapGenerator: [{name: settings, literals: [a=b, "path=https://example.com/x"]}]
patches:
- {path: patch.yaml}
- target: {kind: Deployment}
  patch: |-
    - {op: add, path: /metadata/annotations/patched, value: "yes"}
replacements:
- source: {kind: Deployment, name: web, fieldPath: spec.replicas}
  targets: [{select: {kind: ConfigMap, name: extra}, fieldPaths: [data.replicas], options: {create: true}}]
buildMetadata: [originAnnotations, transformerAnnotations, managedByLabel]
`,
		"top/namespace.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: prod}\n",
		"top/patch.yaml": `apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata: {name: hyperconverged, namespace: kubevirt-hyperconverged}
spec: {tuningPolicy: annotation}
`,
		"part/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [extra.yaml]\n",
		"part/extra.yaml":         "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: extra}\ndata: {a: 'on', b: \"0123\", c: \"x\\ny\"}\n",
	},
	"Unsorted": {
		"top/kustomization.yaml": "resources: [hco.yaml, namespace.yaml]\nsortOptions: {order: fifo}\n", "top/hco.yaml": emptyCR,
		"top/namespace.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: n}\n",
	},
	"Plugins": {
		"top/kustomization.yaml": "resources: [hco.yaml]\ntransformers: [label.yaml]\ngenerators: [map.yaml]\n", "top/hco.yaml": emptyCR,
		"top/label.yaml": "apiVersion: builtin\nkind: LabelTransformer\nmetadata: {name: l}\nlabels: {a: b}\nfieldSpecs: [{path: metadata/labels, create: true}]\n",
		"top/map.yaml":   "apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: m}\nliterals: [a=b]\n",
	},
}
