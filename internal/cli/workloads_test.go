package cli

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/registrytest"
)

const podsConfig = `apiVersion: goldenarch.dev/v1alpha1
kind: WorkloadArchitectures
metadata:
  name: pods
  annotations:
    config.kubernetes.io/local-config: "true"
spec:
  clusterArchitectures: [amd64, arm64]
`

// csv is a ClusterServiceVersion with the label for arm64 and a manager.
func (l *lockedTree) csv(image string) string {
	return "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata:\n  name: acme.v1\n  labels:\n" +
		"    operatorframework.io/arch.arm64: supported\nspec:\n  install: " +
		"{spec: {deployments: [{name: acme, spec: {template: {spec: {containers: [{name: manager, image: \"" +
		l.ref(image) + "\"}]}}}}]}}\n"
}

// blockCSV is a ClusterServiceVersion in the style that operator-sdk writes.
func (l *lockedTree) blockCSV(image string) string {
	return "apiVersion: operators.coreos.com/v1alpha1\n" +
		"kind: ClusterServiceVersion\n" +
		"metadata:\n" +
		"  annotations:\n" +
		"    capabilities: Basic Install\n" +
		"  name: acme.v1\n" +
		"spec:\n" +
		"  install:\n" +
		"    spec:\n" +
		"      deployments:\n      - name: acme\n        spec:\n          template:\n            spec:\n              containers:\n              - image: " +
		l.ref(image) + "\n                name: manager\n    strategy: deployment\n"
}

const bundleAnnotations = "annotations:\n  operators.operatorframework.io.bundle.mediatype.v1: registry+v1\n" +
	"  operators.operatorframework.io.bundle.manifests.v1: manifests/\n"

// deployment is a Deployment with a container for each image.
func (l *lockedTree) deployment(name string, images ...string) string {
	text := "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: " + name + " # of the shop\nspec:\n  template:\n    spec:\n      containers:\n"
	for i, image := range images {
		text += "      - name: c" + string(rune('a'+i)) + "\n        image: " + l.ref(image) + "\n"
	}
	return text
}

const armScheduler = "apiVersion: config.openshift.io/v1\nkind: Scheduler\nmetadata: {name: cluster}\nspec: {defaultNodeSelector: kubernetes.io/arch=arm64}\n"

// namespace is the Namespace shop with these annotations.
func namespace(annotations string) string {
	return "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, annotations: " + annotations + "}\n"
}

// TestWorkloads runs the verbs on pods. The registry counts what it is asked.
func TestWorkloads(t *testing.T) {
	t.Parallel()
	const written = "kubernetes.io/arch\n                operator: In\n                values:\n                - amd64\n"
	for _, tc := range []struct {
		reason string
		files  map[string]string
		args   []string
		status int
		stdout []string // parts; "-x" is not in it
		stderr []string
		asked  int // manifests; 0 is not checked
	}{
		{
			reason: "a flag is enough; an image of two pods is asked for once",
			files:  map[string]string{"a.yaml": "A", "b.yaml": "B"},
			args:   []string{"render", "DIR/a.yaml", "DIR/b.yaml", "--workloads", "Affinity"},
			stdout: []string{written, "name: web # of the shop"},
			stderr: []string{"GA720 Deployment/web", "-GA003"},
			asked:  2,
		},
		{
			reason: "without it pods are left alone",
			files:  map[string]string{"a.yaml": "A"},
			args:   []string{"render", "DIR/a.yaml"},
			stdout: []string{"-nodeAffinity"},
			stderr: []string{"GA003"},
		},
		{
			reason: "the configuration is an item, which does not go to the cluster", files: map[string]string{"p/a.yaml": "A", "p/pods.yaml": podsConfig},
			args: []string{"render", "DIR/p"}, stdout: []string{written, "-WorkloadArchitectures"}, stderr: []string{"GA720", "-GA003"},
		},
		{
			reason: "a kustomization lists it as its transformer", files: map[string]string{
				"a.yaml": "A", "pods.yaml": podsConfig, "kustomization.yaml": "resources: [a.yaml]\ntransformers: [pods.yaml]\nnamespace: shop\n",
			},
			args: []string{"render", "DIR"}, stdout: []string{written, "namespace: shop", "-WorkloadArchitectures"}, stderr: []string{"-GA003"}, asked: 2,
		},
		{
			reason: "--config names it", files: map[string]string{"a.yaml": "A", "c/pods.yaml": podsConfig},
			args: []string{"render", "DIR/a.yaml", "--config", "DIR/c/pods.yaml"}, stdout: []string{written}, stderr: []string{"GA720"},
		},
		{
			reason: "a check fails where the images do not cover the cluster", files: map[string]string{"a.yaml": "A"},
			args: []string{"check", "DIR/a.yaml", "--workloads", "Check", "--workload-architectures", "amd64,arm64"}, status: 1, stdout: []string{"GA701", "a.yaml"},
		},
		{
			reason: "a check of what is to be written fails: the committed pod may start on every node", files: map[string]string{"a.yaml": "A"},
			args:   []string{"check", "DIR/a.yaml", "--workloads", "Affinity", "--workload-architectures", "amd64,arm64"},
			status: 1, stdout: []string{"error GA701", "-GA720", "\n    goldenarch fix ", "NotRight"}, asked: 2,
		},
		{
			reason: "it passes where goldenarch writes it on the way to the cluster", files: map[string]string{"a.yaml": "A"},
			args:   []string{"check", "DIR/a.yaml", "--workloads", "Affinity", "--workload-architectures", "amd64,arm64", "--as", "rendered"},
			stdout: []string{"-GA701", "GA720", "RightOnceRendered"},
		},
		{
			reason: "or where every node has what the images have", files: map[string]string{"a.yaml": "A"},
			args:   []string{"check", "DIR/a.yaml", "--workloads", "Affinity", "--workload-architectures", "amd64"},
			stdout: []string{"-GA701", "GA720", "RightAsCommitted"},
		},
		{
			reason: "a directory with the configuration is one that a plugin may render", files: map[string]string{"p/a.yaml": "A", "p/pods.yaml": podsConfig},
			args:   []string{"check", "DIR/p", "--workload-architectures", "amd64,arm64"},
			status: 1, stdout: []string{"error GA701", "goldenarch fix", "as: rendered", "NotRight"},
		},
		{
			reason: "a validator judges what it receives", files: map[string]string{
				"p/a.yaml": "A", "p/g.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g, annotations: " +
					"{config.kubernetes.io/local-config: 'true'}}\nspec: {mode: Check, workloads: Affinity}\n",
			},
			args: []string{"render", "DIR/p", "--workload-architectures", "amd64,arm64"}, status: 1, stderr: []string{"error GA701", "-GA720"},
		},
		{
			reason: "but not where it is applied as it is", files: map[string]string{"p/a.yaml": "A", "p/pods.yaml": podsConfig},
			args:   []string{"check", "DIR/p", "--workload-architectures", "amd64,arm64", "--as", "committed"},
			status: 1, stdout: []string{"error GA701", "-GA720", "NotRight"},
		},
		{
			reason: "a word that is none is misuse", files: map[string]string{"a.yaml": "A"},
			args: []string{"render", "DIR/a.yaml", "--workloads", "Write"}, status: 2, stderr: []string{"expected one of Affinity, Check, None"},
		},
		{
			reason: "the lock has the images of pods", files: map[string]string{"a.yaml": "A"},
			args: []string{"lock", "DIR/a.yaml", "--workloads", "Check"}, stderr: []string{"x/fedora:1", "x/single:1"}, asked: 2,
		},
		{
			reason: "an image that cannot be had stops the lock: half a lock would be half a result",
			files:  map[string]string{"a.yaml": "A", "gone.yaml": "GONE"},
			args:   []string{"lock", "DIR/a.yaml", "DIR/gone.yaml", "--workloads", "Check"}, status: 1, stderr: []string{"error GA201", "x/gone:1", "-wrote"},
		},
		{
			reason: "--check cannot say that the lock is right either",
			files:  map[string]string{"a.yaml": "A", "gone.yaml": "GONE"},
			args:   []string{"lock", "DIR/a.yaml", "DIR/gone.yaml", "--check", "--workloads", "Check"}, status: 1, stderr: []string{"error GA201"},
		},
		{
			reason: "an image that is left out is not asked for",
			files:  map[string]string{"a.yaml": "A", "gone.yaml": "GONE", "pods.yaml": podsConfig + "  ignoreImages: [HOST/x/gone]\n"},
			args:   []string{"lock", "DIR/a.yaml", "DIR/gone.yaml", "--config", "DIR/pods.yaml"}, stderr: []string{"x/fedora:1", "-GA201"},
		},
		{
			reason: "fix --check does not say that no file needs a change if it does not know the image", files: map[string]string{"gone.yaml": "GONE"},
			args:   []string{"fix", "DIR/gone.yaml", "--check", "--workloads", "Affinity", "--workload-architectures", "amd64,arm64"},
			status: 1, stderr: []string{"error GA201"},
		},
		{
			reason: "unless the person accepts that",
			files:  map[string]string{"gone.yaml": "GONE", "pods.yaml": podsConfig + "  unresolved: Skip\n"},
			args:   []string{"fix", "DIR/gone.yaml", "--check", "--config", "DIR/pods.yaml", "--workload-architectures", "amd64,arm64"},
			stderr: []string{"warning GA201"},
		},
		{
			reason: "fix leaves such a pod, and does not say that it is right", files: map[string]string{"gone.yaml": "GONE"},
			args:   []string{"fix", "DIR/gone.yaml", "--workloads", "Affinity", "--workload-architectures", "amd64,arm64"},
			stderr: []string{"warning GA201", "-no file needs a change"},
		},
		{
			reason: "without the flag nothing says what to lock", files: map[string]string{"a.yaml": "A"},
			args: []string{"lock", "DIR/a.yaml"}, status: 1, stderr: []string{"use --workloads Check"},
		},
		{
			reason: "a bundle is known by itself",
			files:  map[string]string{"b/metadata/annotations.yaml": bundleAnnotations, "b/manifests/csv.yaml": "CSV"},
			args:   []string{"check", "DIR/b"},
			status: 1,
			stdout: []string{"error GA713", "warning GA713", "csv.yaml", "failed: NotRight, 1 operator bundle, 1 object with pods, 1 error"},
			stderr: []string{"-GA003"},
			asked:  1,
		},
		{
			reason: "the last line names the pods where there is no CR", files: map[string]string{"a.yaml": "A", "b.yaml": "B"},
			args:   []string{"check", "DIR/a.yaml", "DIR/b.yaml", "--workloads", "Check"},
			stdout: []string{"passed: RightAsCommitted, 2 objects with pods, 0 errors", "-HyperConverged"},
		},
		{
			reason: "each object with pods is a case", files: map[string]string{"a.yaml": "A"}, status: 1,
			args:   []string{"check", "DIR/a.yaml", "--workloads", "Check", "--workload-architectures", "amd64,arm64", "-o", "junit"},
			stdout: []string{`<testsuite name="pods" tests="1" failures="1"`, `name="Deployment/web"`},
		},
		{
			reason: "fix reads a bundle as one too", files: map[string]string{"b/metadata/annotations.yaml": bundleAnnotations, "b/manifests/csv.yaml": "BLOCK"},
			args: []string{"fix", "DIR/b", "--diff", "--workloads", "Affinity"}, status: 3,
			stdout: []string{
				"+                      - key: kubernetes.io/arch",
				"+                      - key: kubernetes.io/os",
				"+    goldenarch.dev/node-affinity: 'acme: linux/amd64'", "-annotations.yaml",
			},
		},
		{
			reason: "and without a mode only checks it", files: map[string]string{"b/metadata/annotations.yaml": bundleAnnotations, "b/manifests/csv.yaml": "BLOCK"},
			args: []string{"fix", "DIR/b", "--diff"}, stdout: []string{"-affinity"}, stderr: []string{"info GA701", "-GA003"},
		},
		{
			reason: "so does render", files: map[string]string{"b/metadata/annotations.yaml": bundleAnnotations, "b/manifests/csv.yaml": "BLOCK"},
			args: []string{"render", "DIR/b", "--workloads", "Affinity"}, stdout: []string{"key: kubernetes.io/arch", "-bundle.mediatype"},
		},
		{
			reason: "a bundle in another format is a directory of manifests",
			files:  map[string]string{"b/metadata/annotations.yaml": strings.ReplaceAll(bundleAnnotations, "registry+v1", "plain+v0"), "b/manifests/csv.yaml": "CSV"},
			args:   []string{"check", "DIR/b/manifests"},
			stdout: []string{"-GA713", "NothingChecked"}, status: 1,
		},
		{
			reason: "labels are written on request", files: map[string]string{"csv.yaml": "CSV", "pods.yaml": podsConfig + "  csvLabels: Write\n  prune: true\n"},
			args: []string{"render", "DIR/csv.yaml", "--config", "DIR/pods.yaml"}, stdout: []string{"arch.amd64: supported", "-arch.arm64"}, stderr: []string{"GA713"},
		},
		{
			reason: "a mirror that lacks what the index lists",
			files:  map[string]string{"a.yaml": "SPARSE"},
			args:   []string{"check", "DIR/a.yaml", "--workloads", "Check", "--set", "verify=children"},
			stdout: []string{"warning GA718 Deployment/sparse", "lists amd64, arm64, and the registry lacks the manifest", "-import would fail"},
		},
		{
			reason: "without the question nobody knows", files: map[string]string{"a.yaml": "SPARSE"},
			args: []string{"check", "DIR/a.yaml", "--workloads", "Check"}, stdout: []string{"-GA718"},
		},
		{
			reason: "the default node selector of OpenShift counts in a namespace without its own",
			files:  map[string]string{"a.yaml": "SHOP", "ns.yaml": namespace("{}"), "s.yaml": armScheduler},
			args:   []string{"check", "DIR/a.yaml", "DIR/ns.yaml", "DIR/s.yaml", "--workloads", "Check", "--workload-architectures", "amd64,arm64"}, status: 1,
			stdout: []string{"error GA701 Deployment/web", "admits nodes with arm64"},
		},
		{
			reason: "also where the images have what the nodes lack, and in a kustomization",
			files: map[string]string{
				"k/a.yaml": "SHOP", "k/ns.yaml": namespace("{}"), "k/s.yaml": armScheduler, "k/kustomization.yaml": "resources: [a.yaml, ns.yaml, s.yaml]\n",
			},
			args: []string{"check", "DIR/k", "--workloads", "Check", "--workload-architectures", "amd64"}, status: 1,
			stdout: []string{
				"error GA704 Deployment/web",
				`together with spec.defaultNodeSelector of the Scheduler "cluster" (kubernetes.io/arch=arm64), which the namespace "shop" does not override`,
			},
		},
		{
			reason: "an empty annotation of the namespace overrides it",
			files:  map[string]string{"a.yaml": "SHOP", "ns.yaml": namespace(`{openshift.io/node-selector: ""}`), "s.yaml": armScheduler},
			args:   []string{"check", "DIR/a.yaml", "DIR/ns.yaml", "DIR/s.yaml", "--workloads", "Check", "--workload-architectures", "amd64"},
			stdout: []string{"-GA701", "-GA704"},
		},
		{
			reason: "a CR and pods at once",
			files:  map[string]string{"a.yaml": "A"},
			args:   []string{"render", "DIR/a.yaml", "DIR/hco.yaml", "--workloads", "Affinity", "--set", "predefined=none", "--workload-architectures", "amd64,s390x"},
			stdout: []string{written, "dict.architectures"},
			asked:  3,
		},
	} {
		tree := newLockedTree(t)
		for name, text := range tc.files {
			switch text {
			case "A":
				text = tree.deployment("web", "x/fedora:1", "x/single:1")
			case "SHOP":
				text = strings.Replace(tree.deployment("web", "x/fedora:1", "x/single:1"), "metadata:\n", "metadata:\n  namespace: shop\n", 1)
			case "B":
				text = tree.deployment("api", "x/single:1")
			case "CSV":
				text = tree.csv("x/single:1")
			case "BLOCK":
				text = tree.blockCSV("x/single:1")
			case "SPARSE":
				tree.registry.Push("x/sparse:1", registrytest.Index("linux/amd64", "linux/arm64").Sparse())
				text = tree.deployment("sparse", "x/sparse:1")
			case "GONE":
				text = tree.deployment("gone", "x/gone:1")
			}
			tree.write(name, strings.ReplaceAll(text, "HOST", tree.registry.Host()))
		}
		before := tree.registry.Counts()
		status, stdout, stderr := tree.run(nil, tc.args...)
		if status != tc.status {
			t.Errorf("%s: want the status %d, got %d\n%s%s", tc.reason, tc.status, status, stdout, stderr)
		}
		has(t, tc.reason+": stdout", stdout, tc.stdout)
		has(t, tc.reason+": stderr", stderr, tc.stderr)
		if asked := tree.registry.Counts().Manifest - before.Manifest; tc.asked > 0 && asked != tc.asked {
			t.Errorf("%s: want %d manifests asked for, got %d", tc.reason, tc.asked, asked)
		}
	}
}

func has(t *testing.T, what, text string, parts []string) {
	t.Helper()
	for _, part := range parts {
		if absent, ok := strings.CutPrefix(part, "-"); ok == strings.Contains(text, absent) {
			t.Errorf("%s: %q (\"-\" is absent) does not hold:\n%s", what, part, text)
		}
	}
}

// TestWorkloadsFromTheLock renders offline what the lock has.
func TestWorkloadsFromTheLock(t *testing.T) {
	t.Parallel()
	tree := newLockedTree(t)
	tree.write("a.yaml", tree.deployment("web", "x/fedora:1", "x/single:1"))
	if status, _, stderr := tree.run(nil, "lock", "DIR/a.yaml", "--workloads", "Check"); status != 0 {
		t.Fatal(stderr)
	}
	before := tree.registry.Counts()
	status, stdout, stderr := tree.run(nil, "render", "DIR/a.yaml", "DIR/golden-images.lock.yaml", "--workloads", "Affinity", "--offline")
	if status != 0 || !strings.Contains(stdout, "- amd64") || strings.Contains(stdout, "- arm64") {
		t.Errorf("want amd64 alone, got the status %d\n%s%s", status, stdout, stderr)
	}
	if after := tree.registry.Counts(); after.Manifest != before.Manifest {
		t.Errorf("want no question, got %d", after.Manifest-before.Manifest)
	}
}

// TestBundleImagesFromTheLock: an operator bundle image constrains no pod, online and
// offline alike. A lock from before the field keeps its answers.
func TestBundleImagesFromTheLock(t *testing.T) {
	t.Parallel()
	tree := newLockedTree(t)
	tree.registry.Push("x/acme-bundle:1", registrytest.ImageWithConfig([]byte(
		`{"os":"linux","architecture":"s390x","config":{"Labels":{"operators.operatorframework.io.bundle.manifests.v1":"manifests/"}}}`)))
	tree.write("a.yaml", tree.deployment("web", "x/fedora:1", "x/acme-bundle:1"))
	render := func(args ...string) string {
		status, stdout, stderr := tree.run(nil, append([]string{"render", "DIR/a.yaml", "--workloads", "Affinity"}, args...)...)
		if status != 0 {
			t.Fatalf("%v: %d\n%s", args, status, stderr)
		}
		return stdout
	}
	online := render()
	if !strings.Contains(online, "- amd64\n                - arm64\n") {
		t.Errorf("want the architectures of the other image:\n%s", online)
	}
	if status, _, stderr := tree.run(nil, "lock", "DIR/a.yaml", "--workloads", "Check"); status != 0 {
		t.Fatal(stderr)
	}
	if offline := render("DIR/"+lockFile, "--offline"); offline != online {
		t.Errorf("want the same offline:\n%s", offline)
	}
	locked := tree.read(lockFile)
	older := strings.Replace(locked, "  bundle: true\n", "", 1)
	tree.write(lockFile, older)
	status, _, stderr := tree.run(nil, "render", "DIR/a.yaml", "DIR/"+lockFile, "--workloads", "Affinity", "--offline")
	if older == locked || status != 1 || !strings.Contains(stderr, "error GA701") {
		t.Errorf("want the answer of the older lock, got %d\n%s\n%s", status, older, stderr)
	}
	status, stdout, _ := tree.run(nil, "lock", "--check", "DIR/a.yaml", "--workloads", "Check")
	if status != 3 || !strings.Contains(stdout, "acme-bundle: an operator bundle image") {
		t.Errorf("want a difference, got %d %s", status, stdout)
	}
	if status, _, stderr := tree.run(nil, "lock", "DIR/a.yaml", "--workloads", "Check"); status != 0 || tree.read(lockFile) != locked {
		t.Errorf("want the lock of before, got %d %s\n%s", status, stderr, tree.read(lockFile))
	}
}

// TestWorkloadsFixed: fix inserts lines in the file's own style, and a second run
// changes nothing.
func TestWorkloadsFixed(t *testing.T) {
	t.Parallel()
	tree := newLockedTree(t)
	tree.write("p/a.yaml", tree.deployment("web", "x/single:1"))
	before := tree.read("p/a.yaml")
	if status, _, stderr := tree.run(nil, "fix", "DIR/p", "--workloads", "Affinity"); status != 0 {
		t.Fatal(stderr)
	}
	after := tree.read("p/a.yaml")
	for line := range strings.Lines(before) {
		if !strings.Contains(after, line) {
			t.Errorf("the line %q is lost:\n%s", line, after)
		}
	}
	has(t, "fixed", after, []string{"goldenarch.dev/node-affinity: amd64", "key: kubernetes.io/arch"})
	if status, _, stderr := tree.run(nil, "fix", "DIR/p", "--workloads", "Affinity"); status != 0 || tree.read("p/a.yaml") != after {
		t.Errorf("a second run changes something: %s\n%s", stderr, tree.read("p/a.yaml"))
	}
}

// TestManyWorkloads: 1,000 Deployments with 300 images ask for each image once, in files
// and in one kustomization. It runs alone: a build is given up if its process takes too
// much memory meanwhile, and this one lasts.
func TestManyWorkloads(t *testing.T) {
	tree := newLockedTree(t)
	for i := range 300 {
		tree.registry.Push(fmt.Sprintf("x/i%03d:1", i), registrytest.Index("linux/amd64", "linux/arm64"))
	}
	var text strings.Builder
	for i := range 1000 {
		text.WriteString("---\n" + tree.deployment(fmt.Sprintf("d%d", i), fmt.Sprintf("x/i%03d:1", i%300), fmt.Sprintf("x/i%03d:1", (i*7)%300)))
	}
	tree.write("p/all.yaml", text.String())
	tree.write("k/all.yaml", text.String())
	tree.write("k/pods.yaml", podsConfig)
	tree.write("k/kustomization.yaml", "resources: [all.yaml]\ntransformers: [pods.yaml]\n")
	for path, args := range map[string][]string{"DIR/p/all.yaml": {"--workloads", "Affinity"}, "DIR/k": nil} {
		before := tree.registry.Counts()
		status, stdout, stderr := tree.run(nil, append([]string{"render", path}, args...)...)
		if written := strings.Count(stdout, "key: kubernetes.io/arch\n"); status != 0 || written != 1000 {
			t.Errorf("%s: want 1000 affinities, got %d (status %d)\n%.2000s", path, written, status, stderr)
		}
		if asked := tree.registry.Counts().Manifest - before.Manifest; asked != 300 {
			t.Errorf("%s: want 300 manifests asked for, got %d", path, asked)
		}
	}
}

// TestLockOfABundle: the lock is in the bundle, and not among the manifests that OLM
// applies; from there every verb reads it.
func TestLockOfABundle(t *testing.T) {
	t.Parallel()
	tree := newLockedTree(t)
	tree.write("b/metadata/annotations.yaml", bundleAnnotations)
	tree.write("b/manifests/csv.yaml", tree.blockCSV("x/single:1"))
	if status, _, stderr := tree.run(nil, "lock", "DIR/b"); status != 0 || strings.Contains(stderr, "GA6") {
		t.Fatalf("status %d\n%s", status, stderr)
	}
	if text := tree.read("b/" + lockFile); !strings.Contains(text, "x/single:1") {
		t.Errorf("the lock lacks the image:\n%s", text)
	}
	for _, args := range [][]string{
		{"check", "DIR/b", "--offline"},
		{"render", "DIR/b", "--offline", "--workloads", "Affinity"},
		{"fix", "DIR/b", "--offline", "--workloads", "Affinity"},
		{"lock", "DIR/b", "--check"},
	} {
		if status, stdout, stderr := tree.run(nil, args...); status != 0 || strings.Contains(stdout+stderr, "GA201") || strings.Contains(stdout, "ArchitectureLock") {
			t.Errorf("%v: status %d\n%s%s", args, status, stdout, stderr)
		}
	}
}

// TestLockBesidePods: the lock beside a file with pods is read with it, as the one beside
// a CR is.
func TestLockBesidePods(t *testing.T) {
	t.Parallel()
	tree := newLockedTree(t)
	tree.write("a.yaml", tree.deployment("web", "x/single:1"))
	if status, _, stderr := tree.run(nil, "lock", "DIR/a.yaml", "--workloads", "Check"); status != 0 {
		t.Fatal(stderr)
	}
	status, stdout, stderr := tree.run(nil, "render", "DIR/a.yaml", "--workloads", "Affinity", "--offline")
	if status != 0 || !strings.Contains(stdout, "- amd64") || strings.Contains(stderr, "GA201") {
		t.Errorf("status %d\n%s%s", status, stdout, stderr)
	}
	if status, _, stderr := tree.run(nil, "render", "DIR/a.yaml", "DIR/hco.yaml", "--workload-architectures", "amd64",
		"--set", "predefined=none", "--release", "1.19", "--set", "lock=Require"); strings.Contains(stderr, "single") {
		t.Errorf("a run that is not about pods has nothing to do with them: %d\n%s", status, stderr)
	}
}

// TestPullSecretsOfPods: where a registry denies access, the finding names the pull
// secrets of the pod. With the Secret in the input and named, the run has its answer.
func TestPullSecretsOfPods(t *testing.T) {
	t.Parallel()
	tree := newLockedTree(t, registrytest.Basic(registrytest.Users{"robot": "throw-away"}))
	pod := strings.Replace(tree.deployment("web", "x/single:1"), "      containers:\n", "      imagePullSecrets: [{name: regcred}]\n      containers:\n", 1)
	tree.write("a.yaml", pod)
	status, stdout, stderr := tree.run(nil, "render", "DIR/a.yaml", "--workloads", "Affinity")
	has(t, "denied", stderr, []string{"warning GA201 Deployment/web", "podman login " + tree.registry.Host(), "(regcred)"})
	if status != 0 || strings.Contains(stdout, "kubernetes.io/arch") {
		t.Errorf("status %d\n%s%s", status, stdout, stderr)
	}
	tree.write("secret.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: regcred}\ntype: kubernetes.io/dockerconfigjson\nstringData:\n"+
		`  .dockerconfigjson: '{"auths":{"`+tree.registry.Host()+`":{"username":"robot","password":"throw-away"}}}'`+"\n")
	tree.write("pods.yaml", podsConfig+"  registry: {pullSecrets: [regcred]}\n")
	status, stdout, stderr = tree.run(nil, "render", "DIR/a.yaml", "DIR/secret.yaml", "--config", "DIR/pods.yaml", "--allow-insecure-credentials")
	if status != 0 || !strings.Contains(stdout, "kubernetes.io/arch") || strings.Contains(stderr, "GA201") {
		t.Errorf("status %d\n%s%s", status, stdout, stderr)
	}
}

// TestAdditionalPathsThatFindNothing: an entry with a slip leaves the pods of its kind unchecked.
func TestAdditionalPathsThatFindNothing(t *testing.T) {
	t.Parallel()
	const rollout = "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: r}\nspec: {template: {spec: {containers: [{name: a, image: quay.io/a/b:1}]}}}\n---\n"
	const deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {template: {spec: {containers: [{name: a, image: quay.io/a/b:1}]}}}\n"
	for _, tc := range []struct {
		reason, objects, entry string
		want                   bool
	}{
		{"right", rollout + deployment, "group: argoproj.io, kind: Rollout, path: spec.template.spec", false},
		{"without the group", rollout + deployment, "kind: Rollout, path: spec.template.spec", true},
		{"another path", rollout + deployment, "group: argoproj.io, kind: Rollout, path: spec.templates.spec", true},
		{"of a kind with known paths", deployment, "group: apps, kind: Deployment, path: spec.other", true},
		{"the input has none of the kind", deployment, "group: argoproj.io, kind: Rollout, path: spec.template.spec", false},
	} {
		dir := writeTree(t, map[string]string{
			"pods.yaml": tc.objects,
			"w.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: WorkloadArchitectures\nmetadata: {name: w}\nspec:\n  mode: Check\n" +
				"  clusterArchitectures: [amd64]\n  additionalPaths: [{" + tc.entry + "}]\n",
		})
		stdout, stderr, status := runIn(t, dir, "check", "pods.yaml", "--config", "w.yaml", "--offline", "--image", "quay.io/a/b:1=amd64")
		if got := strings.Contains(stdout, "warning GA206 WorkloadArchitectures/w spec.additionalPaths[0]"); got != tc.want || status != statusOK {
			t.Errorf("%s: want %v, status %d\n%s%s", tc.reason, tc.want, status, stdout, stderr)
		}
	}
}
