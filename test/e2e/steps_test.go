package e2e

import (
	"cmp"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

const (
	stepCR = `apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata:
  name: kubevirt-hyperconverged
  namespace: kubevirt-hyperconverged
spec:
  dataImportCronTemplates:
  - metadata:
      name: fedora-image-cron
    spec:
      garbageCollect: Outdated
      managedDataSource: fedora
      schedule: "0 */12 * * *"
      template:
        spec:
          source:
            registry:
              url: docker://mirror.example.com/containerdisks/fedora:latest
          storage:
            resources:
              requests:
                storage: 30Gi
`
	stepLock = `apiVersion: goldenarch.dev/v1alpha1
kind: ArchitectureLock
metadata:
  name: golden-images
  annotations:
    config.kubernetes.io/local-config: "true"
images:
- reference: mirror.example.com/containerdisks/fedora:latest
  digest: sha256:2b19d996945b44eccc02b66f56d8c14d42e6f006ee98920980670c8f2952495b
  mediaType: application/vnd.oci.image.index.v1+json
  size: 1839
  platforms:
  - {os: linux, architecture: amd64, digest: 'sha256:7625f9f5f4433a17983c69120f05100ba3e50a41e2afaea21b78e07eb49b651c'}
  - {os: linux, architecture: arm64, variant: v8, digest: 'sha256:be461cce0d248718f5334cc5688f1b337727c91a6d8f2f91fc63eebf87d35b93'}
- reference: registry.example.com/shop/web:2.3
  digest: sha256:3b19d996945b44eccc02b66f56d8c14d42e6f006ee98920980670c8f2952495b
  mediaType: application/vnd.oci.image.index.v1+json
  size: 1839
  platforms:
  - {os: linux, architecture: amd64, digest: 'sha256:7625f9f5f4433a17983c69120f05100ba3e50a41e2afaea21b78e07eb49b651c'}
  - {os: linux, architecture: arm64, variant: v8, digest: 'sha256:be461cce0d248718f5334cc5688f1b337727c91a6d8f2f91fc63eebf87d35b93'}
`
	stepNodes = `apiVersion: goldenarch.dev/v1alpha1
kind: ClusterArchitectures
metadata:
  name: production
  annotations:
    config.kubernetes.io/local-config: "true"
spec:
  workload: [amd64, arm64]
  controlPlane: [amd64]
`
	stepShop = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: web
        image: registry.example.com/shop/web:2.3
`
	stepRuns      = "  annotations:\n    config.kubernetes.io/function: |\n      exec: {path: goldenarch}\n"
	stepSpec      = "spec:\n  release: \"1.19\"\n  predefined: none\n  lock: {mode: Require}\n"
	stepResources = "resources: [hco.yaml, lock.yaml, nodes.yaml, shop.yaml]\n"
	stepComponent = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"
	stepLabel     = "apiVersion: builtin\nkind: LabelTransformer\nmetadata: {name: l}\nlabels: {a: b}\nfieldSpecs: [{path: metadata/labels, create: true}]\n"
	stepPods      = "apiVersion: goldenarch.dev/v1alpha1\nkind: WorkloadArchitectures\nmetadata:\n  name: pods\n" + stepRuns +
		"spec:\n  mode: Affinity\n  lock: {mode: Require}\n"
	stepInputs  = "  inputs: [hco.yaml, lock.yaml, nodes.yaml]\n"
	stepEmits   = "  platform: kubernetes\n  expand: {mode: Emit}\n"
	stepOptions = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: options\n" + stepRuns + "data:\n  release: \"1.19\"\n  predefined: none\n  lock: Require\n"
)

// images returns a GoldenImages.
func images(name, more string) string {
	return "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata:\n  name: " + name + "\n" + stepRuns + stepSpec + more
}

// noGenerators is what goldenarch says of itself as a generator.
const noGenerators = "goldenarch runs no generators itself"

// stepLayout is where a kustomization lists goldenarch.
type stepLayout struct {
	reason string
	files  map[string]string
	// refused is what goldenarch says where kustomize runs goldenarch and goldenarch cannot.
	refused string
	// kustomize is what kustomize says where it refuses the layout itself.
	kustomize string
}

// rightCR is the CR as the operators need it: a check of the commit finds nothing to change.
var rightCR = strings.Replace(stepCR, "      name: fedora-image-cron\n",
	"      name: fedora-image-cron\n      annotations: {ssp.kubevirt.io/dict.architectures: 'amd64,arm64'}\n", 1) +
	"  featureGates: {enableMultiArchBootImageImport: true}\n"

// layouts are all places where kustomize lets a function stand.
func layouts() map[string]stepLayout {
	transform, check := images("transform", ""), images("verify", "  mode: Check\n")
	generator := images("generate", stepInputs+stepEmits)
	indented := "- |\n  " + strings.ReplaceAll(strings.TrimSuffix(transform, "\n"), "\n", "\n  ") + "\n"
	return map[string]stepLayout{
		"Transformer": {reason: "the usual one", files: map[string]string{
			"top/kustomization.yaml": stepResources + "transformers: [t.yaml]\n", "top/t.yaml": transform,
		}},
		"CheckAfter": {reason: "a check receives what the transformer made", files: map[string]string{
			"top/kustomization.yaml": stepResources + "transformers: [t.yaml, c.yaml]\n", "top/t.yaml": transform, "top/c.yaml": check,
		}},
		"CheckBefore": {reason: "or what it is going to change", files: map[string]string{
			"top/kustomization.yaml": stepResources + "transformers: [c.yaml, t.yaml]\n", "top/t.yaml": transform, "top/c.yaml": check,
			"top/hco.yaml": rightCR,
		}},
		"CheckAlone": {reason: "it changes nothing", files: map[string]string{
			"top/kustomization.yaml": stepResources + "transformers: [c.yaml]\n", "top/c.yaml": check, "top/hco.yaml": rightCR,
		}},
		"Validator": {
			reason: "kustomize refuses every function there (kustomize#5036)", kustomize: "validator shouldn't modify the resource map",
			refused: `kustomization.yaml lists goldenarch under validators (the entry "c.yaml"), where kustomize runs no function`,
			files: map[string]string{
				"top/kustomization.yaml": stepResources + "transformers: [t.yaml]\nvalidators: [c.yaml]\n", "top/t.yaml": transform, "top/c.yaml": check,
			},
		},
		"PodsAfter": {reason: "each has a lock of its own", files: map[string]string{
			"top/kustomization.yaml": stepResources + "transformers: [t.yaml, w.yaml]\n", "top/t.yaml": transform, "top/w.yaml": stepPods,
		}},
		"PodsBefore": {reason: "in the other order", files: map[string]string{
			"top/kustomization.yaml": stepResources + "transformers: [w.yaml, t.yaml]\n", "top/t.yaml": transform, "top/w.yaml": stepPods,
		}},
		"TwoTransformers": {reason: "the second emits what the first one only wrote", files: map[string]string{
			"top/kustomization.yaml": stepResources + "transformers: [t.yaml, u.yaml]\nbuildMetadata: [originAnnotations, transformerAnnotations, managedByLabel]\n",
			"top/t.yaml":             transform, "top/u.yaml": images("second", "  platform: kubernetes\n  expand: {mode: Emit}\n"),
		}},
		"EmittedByTheFirst": {reason: "the second one transforms what the first one emits", files: map[string]string{
			"top/kustomization.yaml": stepResources + "transformers: [u.yaml, w.yaml]\n" +
				"buildMetadata: [originAnnotations, transformerAnnotations]\nsortOptions: {order: fifo}\n",
			"top/w.yaml": stepPods, "top/u.yaml": images("second", "  platform: kubernetes\n  expand: {mode: Emit}\n"),
		}},
		"ConfigMap": {reason: "of the options", files: map[string]string{
			"top/kustomization.yaml": stepResources + "transformers: [o.yaml, c.yaml]\n", "top/o.yaml": stepOptions, "top/c.yaml": check,
		}},
		"Directory": {reason: "it builds to several", files: map[string]string{
			"top/kustomization.yaml": stepResources + "transformers: [../config]\n", "config/kustomization.yaml": "resources: [w.yaml, t.yaml]\n",
			"config/t.yaml": transform, "config/w.yaml": stepPods,
		}},
		"OneFile": {reason: "it has several", files: map[string]string{
			"top/kustomization.yaml": stepResources + "transformers: [both.yaml]\n", "top/both.yaml": transform + "---\n" + stepPods,
		}},
		"InlineLast": {reason: "kustomize runs inline ones first", files: map[string]string{
			"top/kustomization.yaml": stepResources + "transformers:\n- w.yaml\n" + indented, "top/w.yaml": stepPods,
		}},
		"ComponentLast": {reason: "the kustomization changes nothing", files: map[string]string{
			"top/kustomization.yaml":  stepResources + "components: [../part]\n",
			"part/kustomization.yaml": stepComponent + "transformers: [t.yaml]\n", "part/t.yaml": transform,
		}},
		"ComponentAndOwn": {reason: "the component comes first", files: map[string]string{
			"top/kustomization.yaml": stepResources + "components: [../part]\ntransformers: [w.yaml]\n", "top/w.yaml": stepPods,
			"part/kustomization.yaml": stepComponent + "transformers: [t.yaml]\n", "part/t.yaml": transform,
		}},
		"TwoComponents": {reason: "each has a step", files: map[string]string{
			"top/kustomization.yaml": stepResources + "components: [../a, ../b]\n",
			"a/kustomization.yaml":   stepComponent + "transformers: [t.yaml]\n", "a/t.yaml": transform,
			"b/kustomization.yaml": stepComponent + "transformers: [w.yaml]\n", "b/w.yaml": stepPods,
		}},
		"ComponentBeforePatches": {
			reason: "the kustomization changes what the component made", refused: `part/kustomization.yaml lists goldenarch under transformers (the entry "t.yaml")`,
			files: map[string]string{
				"top/kustomization.yaml":  stepResources + "components: [../part]\ncommonAnnotations: {a: b}\n",
				"part/kustomization.yaml": stepComponent + "transformers: [t.yaml]\n", "part/t.yaml": transform,
			},
		},
		"Base": {
			reason: "the overlay builds on it", refused: `base/kustomization.yaml lists goldenarch under transformers (the entry "t.yaml")`,
			files: map[string]string{
				"top/kustomization.yaml": "resources: [../base]\n", "base/kustomization.yaml": stepResources + "transformers: [t.yaml]\n", "base/t.yaml": transform,
				"base/hco.yaml": stepCR, "base/lock.yaml": stepLock, "base/nodes.yaml": stepNodes, "base/shop.yaml": stepShop,
			},
		},
		"Generator": {reason: "the documented one", refused: noGenerators, files: map[string]string{
			"top/kustomization.yaml": "generators: [g.yaml]\n", "top/g.yaml": generator,
		}},
		"GeneratorAndTransformer": {reason: "beside a step that goldenarch runs", refused: noGenerators, files: map[string]string{
			"top/kustomization.yaml": "resources: [lock.yaml, nodes.yaml, shop.yaml]\ngenerators: [g.yaml]\ntransformers: [w.yaml]\n",
			"top/g.yaml":             generator, "top/w.yaml": stepPods,
		}},
		"GeneratorInBase": {reason: "of a base", refused: noGenerators, files: map[string]string{
			"top/kustomization.yaml": "resources: [../base]\n", "base/kustomization.yaml": "generators: [g.yaml]\n", "base/g.yaml": generator,
			"base/hco.yaml": stepCR, "base/lock.yaml": stepLock, "base/nodes.yaml": stepNodes,
		}},
		"GeneratorInline": {reason: "in the kustomization itself", refused: noGenerators, files: map[string]string{
			"top/kustomization.yaml": "generators:\n- |\n  " + strings.ReplaceAll(strings.TrimSuffix(generator, "\n"), "\n", "\n  ") + "\n",
		}},
		"GeneratorDirectory": {reason: "kustomize builds the configuration", refused: noGenerators, files: map[string]string{
			"top/kustomization.yaml": "generators: [../config]\n", "config/kustomization.yaml": "resources: [g.yaml]\n", "config/g.yaml": generator,
		}},
		"GeneratorInComponent": {reason: "of a component", refused: noGenerators, files: map[string]string{
			"top/kustomization.yaml":  "resources: [shop.yaml]\ncomponents: [../part]\n",
			"part/kustomization.yaml": stepComponent + "generators: [g.yaml]\n", "part/g.yaml": generator,
			"part/hco.yaml": stepCR, "part/lock.yaml": stepLock, "part/nodes.yaml": stepNodes,
		}},
		"Middle": {
			reason: "a transformer follows", refused: `kustomization.yaml lists goldenarch under transformers (the entry "t.yaml")`,
			files: map[string]string{
				"top/kustomization.yaml": stepResources + "transformers: [t.yaml, label.yaml, w.yaml]\n",
				"top/t.yaml":             transform, "top/w.yaml": stepPods, "top/label.yaml": stepLabel,
			},
		},
	}
}

// withStepFiles returns the files of a layout, and in the directory top those that they name and do not have: a
// check reports a CR that nothing reads.
func withStepFiles(layout map[string]string) map[string]string {
	out := maps.Clone(layout)
	for name, text := range map[string]string{"hco.yaml": stepCR, "lock.yaml": stepLock, "nodes.yaml": stepNodes, "shop.yaml": stepShop} {
		elsewhere := slices.ContainsFunc(slices.Collect(maps.Keys(layout)), func(file string) bool { return path.Base(file) == name })
		for file, content := range layout {
			if strings.Contains(content, name) && (path.Dir(file) == "top" || !elsewhere) {
				out["top/"+name] = cmp.Or(layout["top/"+name], text)
			}
		}
	}
	return out
}

// TestSteps: every host runs the configurations of a kustomization as the real kustomize
// does, or says which layout works.
func TestSteps(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	kustomize := build(t, filepath.Join(repository(t), "tools"), "sigs.k8s.io/kustomize/kustomize/v5", "kustomize")
	for name, tc := range layouts() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := withStepFiles(tc.files)
			dir := filepath.Join(laid(t, files), "top")
			before := tree(t, filepath.Dir(dir))
			want := r.run(t, kustomize, "build", "--enable-alpha-plugins", "--enable-exec", dir)
			if (want.status != 0) != (tc.kustomize != "") || !strings.Contains(want.stderr, tc.kustomize) {
				t.Fatalf("%s: kustomize: status %d\n%s", tc.reason, want.status, want.stderr)
			}
			rendered := r.run(t, own(t, r), "render", dir)
			argocd := argoRender(t, r, dir)
			checked := r.run(t, own(t, r), "check", dir, "--as", "rendered")
			foretold := r.run(t, own(t, r), "forecast", dir)
			if tc.refused != "" {
				for verb, got := range map[string]outcome{"render": rendered, "argocd": argocd, "check": checked, "forecast": foretold} {
					said := got.stderr + got.stdout
					const advice = "list it last under transformers of "
					if got.status != 1 || !strings.Contains(said, tc.refused) || !strings.Contains(said, advice) {
						t.Errorf("%s: %s: status %d, want 1 and %q\n%s", tc.reason, verb, got.status, tc.refused, said)
					}
				}
				return
			}
			if checked.status != 0 || foretold.status != 0 || !strings.Contains(checked.stdout, "passed: Right") ||
				!strings.Contains(checked.stdout, ", 1 HyperConverged CR,") {
				t.Errorf("%s: check: status %d, forecast: %d\n%s%s", tc.reason, checked.status, foretold.status, checked.stdout, foretold.stderr)
			}
			if tc.kustomize == "" {
				if diff := gocmp.Diff(want.stdout, rendered.stdout); diff != "" || want.stdout == "" {
					t.Errorf("%s: -kustomize +render:\n%s\n%s", tc.reason, diff, rendered.stderr)
				}
			}
			if diff := gocmp.Diff(rendered.stdout, argocd.stdout); diff != "" || rendered.status != 0 {
				t.Errorf("%s: status %d, -render +argocd:\n%s\n%s", tc.reason, rendered.status, diff, rendered.stderr)
			}
			for line := range strings.SplitSeq(strings.TrimSpace(rendered.stderr), "\n") {
				if strings.Count(rendered.stderr, line) != 1 {
					t.Errorf("%s: a finding of two steps is reported once: %s", tc.reason, line)
				}
			}
			if diff := gocmp.Diff(before, tree(t, filepath.Dir(dir))); diff != "" {
				t.Errorf("%s: a file has changed:\n%s", tc.reason, diff)
			}
		})
	}
}

// TestInsteadOfGenerator: with the layout that goldenarch names in place of a generator, every
// host makes what kustomize makes with the generator.
func TestInsteadOfGenerator(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	kustomize := build(t, filepath.Join(repository(t), "tools"), "sigs.k8s.io/kustomize/kustomize/v5", "kustomize")
	const inputs = "resources: [hco.yaml, lock.yaml, nodes.yaml]\n"
	for name, tc := range map[string]struct{ generates, transforms map[string]string }{
		"Alone": {
			generates:  map[string]string{"top/kustomization.yaml": "generators: [g.yaml]\n", "top/g.yaml": images("images", stepInputs+stepEmits)},
			transforms: map[string]string{"top/kustomization.yaml": inputs + "transformers: [g.yaml]\n", "top/g.yaml": images("images", stepEmits)},
		},
		"InBase": {
			generates: map[string]string{
				"top/kustomization.yaml": "resources: [base]\n", "top/base/kustomization.yaml": "generators: [g.yaml]\n",
				"top/base/g.yaml":   images("images", stepInputs+stepEmits),
				"top/base/hco.yaml": stepCR, "top/base/lock.yaml": stepLock, "top/base/nodes.yaml": stepNodes,
			},
			transforms: map[string]string{
				"top/kustomization.yaml": "resources: [base]\ntransformers: [g.yaml]\n", "top/base/kustomization.yaml": inputs,
				"top/g.yaml":        images("images", stepEmits),
				"top/base/hco.yaml": stepCR, "top/base/lock.yaml": stepLock, "top/base/nodes.yaml": stepNodes,
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := func(files map[string]string) string {
				return filepath.Join(laid(t, withStepFiles(files)), "top")
			}
			generating := in(tc.generates)
			want := r.run(t, kustomize, "build", "--enable-alpha-plugins", "--enable-exec", generating)
			if want.status != 0 || !strings.Contains(want.stdout, "kind: DataImportCron") {
				t.Fatalf("kustomize: status %d\n%s%s", want.status, want.stdout, want.stderr)
			}
			dir := in(tc.transforms)
			for host, got := range map[string]outcome{
				"kustomize": r.run(t, kustomize, "build", "--enable-alpha-plugins", "--enable-exec", dir),
				"render":    r.run(t, own(t, r), "render", dir), "argocd": argoRender(t, r, dir),
			} {
				if diff := gocmp.Diff(want.stdout, got.stdout); diff != "" || got.status != 0 {
					t.Errorf("%s: status %d, -generator +transformer:\n%s\n%s", host, got.status, diff, got.stderr)
				}
			}
			if name == "Alone" {
				// docs/kustomize.md checks a generator by its configuration.
				got := runner{env: r.env, dir: generating}.run(t, own(t, r), "check", "g.yaml", "--as", "rendered")
				if got.status != 0 || !strings.Contains(got.stdout, "passed: RightOnceRendered, 1 HyperConverged CR") {
					t.Errorf("check of the configuration: status %d\n%s%s", got.status, got.stdout, got.stderr)
				}
			}
			for _, args := range [][]string{{"check", dir, "--as", "rendered"}, {"forecast", dir}} {
				if got := r.run(t, own(t, r), args...); got.status != 0 {
					t.Errorf("%s: status %d\n%s%s", args[0], got.status, got.stdout, got.stderr)
				}
			}
		})
	}
}

// argoRender runs what the plugin of Argo CD runs, in the directory.
func argoRender(t *testing.T, r runner, dir string) outcome {
	t.Helper()
	argo := runner{env: append(r.env, "ARGOCD_APP_NAME=app", "GOLDENARCH_MAX_CALLS=8"), dir: dir}
	return argo.run(t, own(t, r), "render", ".")
}

// TestStepsOfKpt: a mutator for each kind and a validator in one package. The function sees
// the configurations of all as items, and uses its own.
func TestStepsOfKpt(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	const kptfile = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: shop
pipeline:
  mutators:
  - exec: goldenarch
    configPath: t.yaml
  - exec: goldenarch
    configPath: w.yaml
  validators:
  - exec: goldenarch
    configPath: c.yaml
`
	for name, kpt := range kpts(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, results := laid(t, map[string]string{
				"Kptfile": kptfile, "hco.yaml": stepCR, "lock.yaml": stepLock, "nodes.yaml": stepNodes, "shop.yaml": stepShop,
				"t.yaml": images("transform", ""), "w.yaml": stepPods, "c.yaml": images("verify", "  mode: Check\n"),
			}), t.TempDir()
			got := r.run(t, kpt, "fn", "render", dir, "--allow-exec", "--truncate-output=false", "--results-dir", results)
			after := tree(t, dir)
			if got.status != 0 || strings.Contains(got.stderr+got.stdout, "GA119") || strings.Contains(tree(t, results)["results.yaml"], "severity: error") {
				t.Errorf("status %d\n%s%s", got.status, got.stdout, got.stderr)
			}
			if !strings.Contains(after["hco.yaml"], "dict.architectures: amd64,arm64") || !strings.Contains(after["shop.yaml"], "goldenarch.dev/node-affinity") {
				t.Errorf("both mutators have to run:\n%s\n%s", after["hco.yaml"], after["shop.yaml"])
			}
			// Without the mutators the validator finds what they would change.
			if err := os.WriteFile(filepath.Join(dir, "hco.yaml"), []byte(stepCR), 0o600); err != nil {
				t.Fatal(err)
			}
			evaluated := r.run(t, kpt, "fn", "eval", dir, "--exec", "goldenarch", "--fn-config", filepath.Join(dir, "c.yaml"),
				"--exclude-kind", "WorkloadArchitectures", "--truncate-output=false")
			said := evaluated.stdout + evaluated.stderr
			if evaluated.status != 1 || strings.Count(said, "GA430") != 1 {
				t.Errorf("status %d, want GA430 once:\n%s", evaluated.status, said)
			}
			if diff := gocmp.Diff(stepCR, tree(t, dir)["hco.yaml"]); diff != "" {
				t.Errorf("mode Check changes nothing:\n%s", diff)
			}
		})
	}
}
