package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writeTree writes files into a new directory, which a test runs in as a Git repository of
// its own.
func writeTree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files[".git/HEAD"] = "ref: refs/heads/main\n"
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const (
	plainCR = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\n" +
		"metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}\nspec: {}\n"
	gateOn = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\n" +
		"metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}\n" +
		"spec: {featureGates: {enableMultiArchBootImageImport: true}}\n"
	imagesConfig = "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\n" +
		"metadata: {name: g, annotations: {config.kubernetes.io/local-config: 'true'}}\nspec: {}\n"
	application = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: virt}\nspec: {source: {path: virt, repoURL: ''"
	fluxApplies = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: virt}\n" +
		"spec: {path: ./virt, sourceRef: {kind: GitRepository, name: flux-system}}\n"
	listing = "resources: [hco.yaml]\ntransformers: [golden-images.yaml]\n"
)

// wide returns a text as UTF-16 with a byte order mark.
func wide(text string) string {
	out := []byte{0xff, 0xfe}
	for _, b := range []byte(text) {
		out = append(out, b, 0)
	}
	return string(out)
}

// TestVerdictOfRepository: the verdict says whether the commit is right, by what applies it,
// and a check never passes over a file that may hold a CR.
func TestVerdictOfRepository(t *testing.T) {
	t.Parallel()
	two := []string{"--workload-architectures", "amd64,arm64"}
	for _, tc := range []struct {
		reason string
		files  map[string]string
		args   []string
		says   []string // "-" is absent
		status int
	}{
		{"nothing applies it otherwise", map[string]string{"virt/hco.yaml": plainCR}, nil, []string{"RightAsCommitted"}, 0},
		{"the gate is left off", map[string]string{"virt/hco.yaml": plainCR}, two, []string{"error GA860", "NotRight", "goldenarch fix"}, 1},
		{
			"in a preview that is a warning",
			map[string]string{"virt/hco.yaml": plainCR},
			append([]string{"--release", "1.18"}, two...),
			[]string{"warning GA860", "RightAsCommitted"},
			0,
		},
		{
			"the gate is left off, and there is no template",
			map[string]string{"virt/hco.yaml": plainCR},
			append([]string{"--predefined", "none"}, two...),
			[]string{"RightAsCommitted", "-GA860"},
			0,
		},
		{"the gate is on", map[string]string{"virt/hco.yaml": gateOn}, two, []string{"RightAsCommitted", "-GA860"}, 0},
		{
			"a flag says that goldenarch renders",
			map[string]string{"virt/hco.yaml": plainCR},
			append([]string{"--as", "rendered"}, two...),
			[]string{"RightOnceRendered"},
			0,
		},
		{
			"an Application names a plugin",
			map[string]string{"virt/hco.yaml": plainCR, "apps/virt.yaml": application +
				", plugin: {name: goldenarch}}}\n"},
			two,
			[]string{"RightOnceRendered"},
			0,
		},
		{
			"a plugin without a name",
			map[string]string{"virt/hco.yaml": plainCR, "apps/virt.yaml": application + ", plugin: {}}}\n"},
			two,
			[]string{"RightOnceRendered"},
			0,
		},
		{
			"discover accepts it, and nothing applies it",
			map[string]string{"virt/hco.yaml": plainCR, "virt/golden-images.yaml": imagesConfig},
			two,
			[]string{"RightOnceRendered"},
			0,
		},
		{
			"an Application applies it plainly",
			map[string]string{"virt/hco.yaml": plainCR, "virt/golden-images.yaml": imagesConfig, "apps/virt.yaml": application + "}}\n"},
			two,
			[]string{"error GA860", "NotRight"},
			1,
		},
		{
			"so does Flux",
			map[string]string{"virt/hco.yaml": plainCR, "virt/golden-images.yaml": imagesConfig, "apps/virt.yaml": fluxApplies},
			two,
			[]string{"error GA860", "NotRight"},
			1,
		},
		{
			"kpt renders in place",
			map[string]string{
				"virt/hco.yaml": plainCR, "virt/golden-images.yaml": imagesConfig,
				"virt/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n",
			},
			two,
			[]string{"error GA860", "NotRight"},
			1,
		},
		{
			"the kustomization lists goldenarch, and nothing applies it",
			map[string]string{"virt/hco.yaml": plainCR, "virt/golden-images.yaml": imagesConfig, "virt/kustomization.yaml": listing},
			two,
			[]string{"RightOnceRendered"},
			0,
		},
		{"a listed function without a plugin", map[string]string{
			"virt/hco.yaml": gateOn, "virt/golden-images.yaml": imagesConfig, "virt/kustomization.yaml": listing, "apps/virt.yaml": application +
				"}}\n",
		}, two, []string{"error GA863", "Argo CD's kustomize runs no functions", "NotRight"}, 1},
		{"the same with Flux", map[string]string{
			"virt/hco.yaml": gateOn, "virt/golden-images.yaml": imagesConfig, "virt/kustomization.yaml": listing, "apps/virt.yaml": fluxApplies,
		}, two, []string{"error GA863", "kustomize-controller runs no functions", "NotRight"}, 1},
		{"the Fleet says it", map[string]string{
			"virt/hco.yaml":   plainCR,
			"goldenarch.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n- {paths: [virt], as: rendered}\n",
		}, two, []string{"RightOnceRendered"}, 0},
		{"a cluster of the Fleet vanished", map[string]string{
			"virt/hco.yaml":   plainCR,
			"goldenarch.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n- {paths: [gone]}\n",
		}, nil, []string{"error GA811", "NotRight"}, 1},
		{"another number of clusters", map[string]string{"virt/hco.yaml": plainCR}, []string{"--expect-clusters", "2"}, []string{
			"error GA864",
			"NotRight",
		}, 1},
		{"the expected number", map[string]string{"virt/hco.yaml": plainCR}, []string{"--expect-clusters", "1"}, []string{"RightAsCommitted"}, 0},
		{
			"nothing is there",
			map[string]string{"a.yaml": "kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\n"},
			nil,
			[]string{"NothingChecked"},
			1,
		},
		{
			"nothing, and that is allowed",
			map[string]string{"a.yaml": "kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\n"},
			[]string{"--allow-empty"},
			[]string{"passed: NothingChecked"},
			0,
		},
		{"allowing that lowers nothing else", map[string]string{"a.yaml": wide(plainCR)}, []string{"--allow-empty"}, []string{
			"error GA865",
			"NotRight",
		}, 1},
		{"UTF-16", map[string]string{"a/hco.yaml": plainCR, "b/hco.yaml": wide(plainCR)}, nil, []string{"error GA865", "not UTF-8"}, 1},
		{
			"a binary kind",
			map[string]string{"a/hco.yaml": strings.Replace(plainCR, "HyperConverged", "!!binary SHlwZXJDb252ZXJnZWQ=", 1)},
			nil,
			[]string{"error GA865"},
			1,
		},
		{
			"a merge key",
			map[string]string{"a/hco.yaml": "x: &x {apiVersion: hco.kubevirt.io/v1beta1, kind: HyperConverged}\n<<: *x\nmetadata: {name: a}\n"},
			nil,
			[]string{"error GA865"},
			1,
		},
		{
			"content on the line of the marker",
			map[string]string{"a/hco.yaml": "kind: A\napiVersion: v1\n" +
				"--- {apiVersion: hco.kubevirt.io/v1beta1, kind: HyperConverged, metadata: {name: kubevirt-hyperconverged}}\n"},
			nil,
			[]string{"error GA865"},
			1,
		},
		{"a comment there is none", map[string]string{"a/hco.yaml": "--- # ours\n" + plainCR}, nil, []string{"RightAsCommitted", "-GA865"}, 0},
		{
			"a template that mentions a CR",
			map[string]string{"a/hco.yaml": plainCR, "b/hco.yaml": "{% if x %}\n" + plainCR},
			nil,
			[]string{"error GA865", "template"},
			1,
		},
		{
			"an unrelated template does not count",
			map[string]string{"a/hco.yaml": plainCR, "a/b.yaml": "{% if x %}\n"},
			nil,
			[]string{"RightAsCommitted", "-GA002"},
			0,
		},
		{"nor does an unrelated broken file", map[string]string{"a/hco.yaml": plainCR, "a/b.yaml": "a: [\n"}, nil, []string{
			"RightAsCommitted",
			"-GA001",
		}, 0},
		{"a broken file that mentions a CR", map[string]string{"a/hco.yaml": plainCR, "b/b.yaml": plainCR + "a: [\n"}, nil, []string{
			"error GA001",
			"NotRight",
		}, 1},
		{
			"the kustomization does not list it",
			map[string]string{
				"a/kustomization.yaml": "resources: [b.yaml]\n", "a/b.yaml": gateOn,
				"a/c.yaml": plainCR,
			},
			nil,
			[]string{"error GA812", "NotRight"},
			1,
		},
		{
			"a person excluded it",
			map[string]string{"a/hco.yaml": plainCR, "b/hco.yaml": plainCR, ".krmignore": "b/\n"},
			nil,
			[]string{"warning GA866", "RightAsCommitted"},
			0,
		},
		{"an Application excludes it", map[string]string{
			"virt/hco.yaml": plainCR, "virt/b.yaml": "kind: A\napiVersion: v1\n", "x/hco.yaml": plainCR, "apps/virt.yaml": application +
				", directory: {exclude: hco.yaml}}}\n",
		}, nil, []string{"warning GA866", "RightAsCommitted"}, 0},
		{
			"machines are not looked at",
			map[string]string{
				"a/hco.yaml": plainCR,
				"b/vm.yaml":  "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: a}\n",
			},
			nil,
			[]string{"warning GA867", "b/vm.yaml"},
			0,
		},
		{
			"pods are not asked for",
			map[string]string{
				"a/hco.yaml": plainCR,
				"b/pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: []}\n",
			},
			nil,
			[]string{"warning GA868", "b/pod.yaml"},
			0,
		},
		{
			"a kustomization at the root hides nothing",
			map[string]string{
				"kustomization.yaml": "resources: [apps/virt.yaml]\n", "apps/virt.yaml": application + "}}\n",
				"virt/hco.yaml": plainCR,
			},
			two,
			[]string{"error GA860", "1 cluster, 1 HyperConverged CR"},
			1,
		},
		{"nor does a chart at the root", map[string]string{
			"Chart.yaml": "apiVersion: v2\nname: c\nversion: 1.0.0\n", "templates/a.yaml": "{{ x }}\n", "clusters/a/hco.yaml": plainCR,
			"clusters/b/hco.yaml": plainCR,
		}, two, []string{"error GA860", "2 clusters, 2 HyperConverged CRs"}, 1},
		{
			"a key twice, with equal values",
			map[string]string{"a/hco.yaml": strings.Replace(plainCR, "spec: {}", "spec: {}\nspec: {}", 1)},
			nil,
			[]string{"duplicate key", "NotRight"},
			1,
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			dir := writeTree(t, tc.files)
			args := append([]string{"check", dir, "--offline", "--control-plane-architectures", "amd64"}, tc.args...)
			if !strings.Contains(strings.Join(args, " "), "--workload") {
				args = append(args, "--workload-architectures", "amd64")
			}
			if !strings.Contains(strings.Join(args, " "), "--release") {
				args = append(args, "--release", "1.19")
			}
			var out, errs bytes.Buffer
			status := Execute(t.Context(), args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
			if status != tc.status {
				t.Errorf("want status %d, got %d", tc.status, status)
			}
			for _, part := range tc.says {
				if part, absent := strings.CutPrefix(part, "-"); strings.Contains(out.String(), part) == absent {
					t.Errorf("%q, absent: %v", part, absent)
				}
			}
			if t.Failed() {
				t.Logf("%s%s", &out, &errs)
			}
		})
	}
}
