package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// writeTree writes files into a new directory, which a test runs in as a Git repository of
// its own.
func writeTree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files[".git/HEAD"] = "ref: refs/heads/main\n"
	filetest.Write(t, dir, files)
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
	plainMachine = "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: a}\n"
	oneMachine   = "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: a}\n" +
		"spec: {running: true, template: {spec: {architecture: amd64, domain: {devices: {}}}}}\n"
	// machineInText has the text of a machine, and machineSet applies it.
	machineInText = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: vm, namespace: fleet}\ndata:\n  vm.yaml: |\n" +
		"    apiVersion: kubevirt.io/v1\n    kind: VirtualMachine\n    metadata: {name: a}\n"
	machineSet = "apiVersion: addons.cluster.x-k8s.io/v1beta2\nkind: ClusterResourceSet\nmetadata: {name: w, namespace: fleet}\n" +
		"spec: {strategy: Reconcile, clusterSelector: {matchLabels: {a: b}}, resources: [{kind: ConfigMap, name: vm}]}\n"
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
		{"the gate is left off", map[string]string{"virt/hco.yaml": plainCR}, two, []string{"error GA430", "NotRight", "goldenarch fix", "-as: rendered"}, 1},
		{
			"in a preview too, since an alert fires",
			map[string]string{"virt/hco.yaml": plainCR},
			append([]string{"--release", "4.21"}, two...),
			[]string{"error GA430", "HCOMultiArchGoldenImagesDisabled", "is a Technology Preview", "spec.gate: Keep", "NotRight"},
			1,
		},
		{
			"the gate stays as it is",
			map[string]string{"virt/hco.yaml": plainCR},
			append([]string{"--release", "4.21", "--set", "gate=Keep"}, two...),
			[]string{"info GA430", "RightAsCommitted"},
			0,
		},
		{
			"the gate is left off, and there is no template",
			map[string]string{"virt/hco.yaml": plainCR},
			append([]string{"--set", "predefined=none"}, two...),
			[]string{"RightAsCommitted", "-GA430"},
			0,
		},
		{
			"the gate alone is left off, and the spec is null",
			map[string]string{"virt/hco.yaml": strings.Replace(plainCR, "spec: {}", "spec:", 1)},
			two,
			[]string{"error GA430", "-GA107", "-null"},
			1,
		},
		{
			"the gate alone is left off, and the CR has another one",
			map[string]string{
				"virt/hco.yaml": strings.NewReplacer("v1beta1", "v1", "spec: {}", "spec: {featureGates: [{name: decentralizedLiveMigration}]}").Replace(plainCR),
			},
			append([]string{"--release", "1.18"}, two...),
			[]string{"error GA430", "-GA107"},
			1,
		},
		{"the gate is on", map[string]string{"virt/hco.yaml": gateOn}, two, []string{"RightAsCommitted", "-GA430"}, 0},
		{
			"a flag says that goldenarch renders",
			map[string]string{"virt/hco.yaml": plainCR},
			append([]string{"--as", "rendered"}, two...),
			[]string{"RightOnceRendered"},
			0,
		},
		{
			"an Application names a plugin, and nobody says what it does",
			map[string]string{"virt/hco.yaml": plainCR, "apps/virt.yaml": application +
				", plugin: {name: goldenarch}}}\n"},
			two,
			[]string{"error GA430", "goldenarch fix", "as: rendered", "NotRight"},
			1,
		},
		{
			"a plugin without a name",
			map[string]string{"virt/hco.yaml": plainCR, "apps/virt.yaml": application + ", plugin: {}}}\n"},
			two,
			[]string{"error GA430", "goldenarch fix", "as: rendered", "NotRight"},
			1,
		},
		{
			"another plugin over a CR that is right",
			map[string]string{"virt/hco.yaml": gateOn, "apps/virt.yaml": application + ", plugin: {name: tanka}}}\n"},
			two,
			[]string{"warning GA874", "apps/virt.yaml: Application/virt", "as: rendered", "as: committed", "RightAsCommitted"},
			0,
		},
		{
			"somebody says that it leaves the CR",
			map[string]string{
				"virt/hco.yaml": gateOn, "apps/virt.yaml": application + ", plugin: {name: tanka}}}\n",
				"goldenarch.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n- {paths: [virt], as: committed}\n",
			},
			two,
			[]string{"-GA874", "RightAsCommitted"},
			0,
		},
		{
			"discover accepts it, and nothing applies it",
			map[string]string{"virt/hco.yaml": plainCR, "virt/golden-images.yaml": imagesConfig},
			two,
			[]string{"error GA430", "goldenarch fix", "as: rendered", "NotRight"},
			1,
		},
		{
			"a configuration for pods beside it",
			map[string]string{"virt/hco.yaml": plainCR, "virt/w.yaml": podsConfig},
			two,
			[]string{"error GA430", "goldenarch fix", "as: rendered", "NotRight"},
			1,
		},
		{
			"an Application applies it plainly",
			map[string]string{"virt/hco.yaml": plainCR, "virt/golden-images.yaml": imagesConfig, "apps/virt.yaml": application + "}}\n"},
			two,
			[]string{"error GA430", "NotRight"},
			1,
		},
		{
			"so does Flux",
			map[string]string{"virt/hco.yaml": plainCR, "virt/golden-images.yaml": imagesConfig, "apps/virt.yaml": fluxApplies},
			two,
			[]string{"error GA430", "NotRight"},
			1,
		},
		{
			"kpt renders in place",
			map[string]string{
				"virt/hco.yaml": plainCR, "virt/golden-images.yaml": imagesConfig,
				"virt/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n",
			},
			two,
			[]string{"error GA430", "NotRight"},
			1,
		},
		{
			"the kustomization lists goldenarch, and nothing applies it",
			map[string]string{"virt/hco.yaml": plainCR, "virt/golden-images.yaml": imagesConfig, "virt/kustomization.yaml": listing},
			two,
			[]string{"error GA863", "with --as rendered", "NotRight"},
			1,
		},
		{
			"the same through a plugin",
			map[string]string{
				"virt/hco.yaml": plainCR, "virt/golden-images.yaml": imagesConfig, "virt/kustomization.yaml": listing,
				"apps/virt.yaml": application + ", plugin: {name: goldenarch}}}\n",
			},
			two,
			[]string{"error GA863", "through a plugin", "as: rendered", "NotRight"},
			1,
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
		{
			"a parameter of the plugin that the flags state too",
			map[string]string{
				"virt/hco.yaml":  plainCR,
				"apps/virt.yaml": application + ", plugin: {parameters: [{name: workload-architectures, array: [arm64, amd64]}]}}}\n",
			},
			append([]string{"--as", "rendered"}, two...),
			[]string{"RightOnceRendered", "-GA874"},
			0,
		},
		{
			"a parameter that nothing else states",
			map[string]string{"virt/hco.yaml": plainCR, "apps/virt.yaml": application + ", plugin: {parameters: [{name: gate, string: Keep}]}}}\n"},
			append([]string{"--as", "rendered"}, two...),
			[]string{"error GA874", "Application/virt", "\"gate\"", "\"Keep\"", "\"Auto\"", "NotRight"},
			1,
		},
		{
			"other nodes in a parameter",
			map[string]string{"virt/hco.yaml": plainCR, "apps/virt.yaml": application + ", plugin: {parameters: [{name: workload-architectures, array: [amd64]}]}}}\n"},
			append([]string{"--as", "rendered"}, two...),
			[]string{"error GA874", "workloadArchitectures", "NotRight"},
			1,
		},
		{
			"a variable of the plugin",
			map[string]string{"virt/hco.yaml": plainCR, "apps/virt.yaml": application + ", plugin: {env: [{name: GATE, value: Keep}, {name: OTHER, value: x}]}}}\n"},
			append([]string{"--as", "rendered"}, two...),
			[]string{"error GA874", "\"gate\"", "NotRight"},
			1,
		},
		{
			"a default in a parameter",
			map[string]string{"virt/hco.yaml": plainCR, "apps/virt.yaml": application + ", plugin: {env: [{name: GATE, value: Auto}]}}}\n"},
			append([]string{"--as", "rendered"}, two...),
			[]string{"RightOnceRendered", "-GA874"},
			0,
		},
		{
			"a parameter that goldenarch does not know",
			map[string]string{"virt/hco.yaml": plainCR, "apps/virt.yaml": application + ", plugin: {parameters: [{name: colour, string: red}]}}}\n"},
			append([]string{"--as", "rendered"}, two...),
			[]string{"error GA874", "colour", "NotRight"},
			1,
		},
		{
			"machines alone, of which it depends on an unknown DataSource whether they start",
			map[string]string{"vm.yaml": "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: a, namespace: x}\n" +
				"spec:\n  runStrategy: Always\n  dataVolumeTemplates:\n  - metadata: {name: d}\n    spec: {sourceRef: {kind: DataSource, name: fedora, " +
				"namespace: openshift-virtualization-os-images}, storage: {}}\n  template: {spec: {domain: {machine: {type: pc-q35-rhel8.6.0}, devices: {}}, " +
				"volumes: [{name: d, dataVolume: {name: d}}]}}\n"},
			append([]string{"--release", "4.22"}, two...),
			[]string{"NothingChecked", "1 depends", "use --allow-empty"},
			1,
		},
		{"a cluster of the Fleet vanished", map[string]string{
			"virt/hco.yaml":   plainCR,
			"goldenarch.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n- {paths: [gone]}\n",
		}, nil, []string{"error GA810", "NotRight"}, 1},
		{"another number of clusters", map[string]string{"virt/hco.yaml": plainCR}, []string{"--expect-clusters", "2"}, []string{
			"error GA864",
			"NotRight",
		}, 1},
		{"any number", map[string]string{"virt/hco.yaml": plainCR}, []string{"--expect-clusters", "-1"}, []string{"RightAsCommitted"}, 0},
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
		{
			"no pods, where the check is about them",
			map[string]string{"a.yaml": "kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\n"},
			[]string{"--workloads", "Check"},
			[]string{"error GA724", "-GA003", "NothingChecked"},
			1,
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
			"a template by its name, alone",
			map[string]string{"roles/cnv/templates/hco.yaml.j2": plainCR},
			nil,
			[]string{"error GA865", "roles/cnv/templates/hco.yaml.j2", "NotRight"},
			1,
		},
		{
			"beside the only CR",
			map[string]string{"a/hco.yaml": plainCR, "b/hco.gotmpl": strings.Replace(plainCR, "spec: {}", "spec: {{ .Spec }}", 1)},
			nil,
			[]string{"error GA865", "b/hco.gotmpl", "1 HyperConverged CR"},
			1,
		},
		{
			"beside two clusters",
			map[string]string{"a/hco.yaml": plainCR, "b/hco.yaml": plainCR, "c/hco.yml.erb": "<% x %>\n" + plainCR},
			nil,
			[]string{"error GA865", "c/hco.yml.erb", "2 HyperConverged CRs"},
			1,
		},
		{
			"allowing nothing to check does not allow that",
			map[string]string{"hco.yaml.tpl": plainCR},
			[]string{"--allow-empty"},
			[]string{"error GA865", "NotRight"},
			1,
		},
		{
			"a person excluded the template",
			map[string]string{"a/hco.yaml": plainCR, "b/hco.j2": plainCR, ".krmignore": "b/*.j2\n"},
			nil,
			[]string{"warning GA865", "b/hco.j2", "RightAsCommitted"},
			0,
		},
		{
			"templates that make no CR, and pages",
			map[string]string{
				"a/hco.yaml": plainCR, "README.md.j2": plainCR, "b/rbac.yaml.j2": "rules: [{apiGroups: [hco.kubevirt.io]}]\nmetadata: {{ x }}\n",
				"b/app.yaml.tmpl": application + "}, ignoreDifferences: [{group: hco.kubevirt.io, kind: HyperConverged}]}\n",
				"b/x.go.tmpl":     "// kind: HyperConverged\nfunc f(h HyperConverged) {{ x }}\n", "b/wait.sh.j2": "oc wait hyperconverged {{ x }}\n",
			},
			nil,
			[]string{"RightAsCommitted", "-GA865", "-GA002"},
			0,
		},
		{
			"only helm renders the templates of a chart",
			map[string]string{"a/hco.yaml": plainCR, "c/Chart.yaml": "apiVersion: v2\nname: c\nversion: 1.0.0\n", "c/templates/hco.yaml.tpl": plainCR},
			nil,
			[]string{"-GA865", "error GA002", "helm template", "NotRight"},
			1,
		},
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
			[]string{"warning GA865", "RightAsCommitted"},
			0,
		},
		{"an Application excludes it", map[string]string{
			"virt/hco.yaml": plainCR, "virt/b.yaml": "kind: A\napiVersion: v1\n", "x/hco.yaml": plainCR, "apps/virt.yaml": application +
				", directory: {exclude: hco.yaml}}}\n",
		}, nil, []string{"warning GA865", "RightAsCommitted"}, 0},
		{
			"machines beside the only CR",
			map[string]string{"a/hco.yaml": plainCR, "b/vm.yaml": plainMachine},
			nil,
			[]string{"VirtualMachine/a  amd64", "1 machine: ", "Starts", "-of no cluster"},
			0,
		},
		{
			"machines in no cluster",
			map[string]string{"a/hco.yaml": plainCR, "b/hco.yaml": plainCR, "c/vm.yaml": plainMachine},
			nil,
			[]string{"files with machines of no cluster", "c/vm.yaml", "RightAsCommitted"},
			0,
		},
		{
			"machines in a text that a ClusterResourceSet applies, in no cluster",
			map[string]string{"a/hco.yaml": plainCR, "b/hco.yaml": plainCR, "c/vm.yaml": machineInText, "d/set.yaml": machineSet},
			nil,
			[]string{"files with machines of no cluster", "c/vm.yaml", "RightAsCommitted"},
			0,
		},
		{
			"machines in a text that nothing applies",
			map[string]string{"a/hco.yaml": plainCR, "b/hco.yaml": plainCR, "c/vm.yaml": machineInText},
			nil,
			[]string{"-machines of no cluster", "RightAsCommitted"},
			0,
		},
		{
			"machines in a text that a ClusterResourceSet applies, of a cluster that flags state",
			map[string]string{"vm.yaml": machineInText, "set.yaml": machineSet},
			nil,
			[]string{"VirtualMachine/a  amd64", "Starts", "-GA003", "RightAsCommitted"},
			0,
		},
		{
			"machines alone, of a cluster that flags state",
			map[string]string{"vm.yaml": plainMachine},
			nil,
			[]string{"VirtualMachine/a  amd64", "Starts", "-GA003", "RightAsCommitted"},
			0,
		},
		{
			"a template of machines, of a cluster that flags state",
			map[string]string{"vm.yaml": "kind: VirtualMachine\napiVersion: kubevirt.io/v1\nmetadata:\n  {{ x }}\n", "values.yaml": "a: b\n"},
			nil,
			[]string{"error GA867", "vm.yaml", "error GA003", "NotRight"},
			1,
		},
		{
			"a template of machines beside a machine, of a cluster that flags state",
			map[string]string{"vm.yaml": plainMachine, "t.yaml": "kind: VirtualMachine\napiVersion: kubevirt.io/v1\nmetadata:\n  {{ x }}\n", "values.yaml": "a: b\n"},
			nil,
			[]string{"error GA867: 1 path", "t.yaml", "-machines of no cluster", "1 machine: ", "Starts", "NotRight"},
			1,
		},
		{
			"a machine that never starts",
			map[string]string{"a/hco.yaml": plainCR, "b/vm.yaml": plainMachine + "spec: {template: {spec: {architecture: arm64, domain: {devices: {sound: {}}}}}}\n"},
			nil,
			[]string{"error GA901", "NotRight"},
			1,
		},
		{
			"nobody asks about machines",
			map[string]string{"a/hco.yaml": plainCR, "b/vm.yaml": plainMachine + "spec: {template: {spec: {architecture: arm64, domain: {devices: {sound: {}}}}}}\n"},
			[]string{"--machines", "None"},
			[]string{"-GA901", "-Starts", "RightAsCommitted"},
			0,
		},
		{
			"pods are not asked for",
			map[string]string{
				"a/hco.yaml": plainCR,
				"b/pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: []}\n",
			},
			nil,
			[]string{"what may have pods, which --workloads Check checks: 1 (", "b/pod.yaml)"},
			0,
		},
		{
			"pods of one kustomization are not asked for",
			map[string]string{
				"kustomization.yaml": "resources: [hco.yaml, web.yaml]\n", "hco.yaml": plainCR,
				"web.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n" +
					"spec: {template: {spec: {containers: [{name: a, image: quay.io/a/b:1}]}}}\n",
			},
			nil,
			[]string{"what may have pods, which --workloads Check checks: 1 (", "RightAsCommitted"},
			0,
		},
		{
			"a kustomization at the root hides nothing",
			map[string]string{
				"kustomization.yaml": "resources: [apps/virt.yaml]\n", "apps/virt.yaml": application + "}}\n",
				"virt/hco.yaml": plainCR,
			},
			two,
			[]string{"error GA430", "1 cluster, 1 HyperConverged CR"},
			1,
		},
		{"nor does a chart at the root", map[string]string{
			"Chart.yaml": "apiVersion: v2\nname: c\nversion: 1.0.0\n", "templates/a.yaml": "{{ x }}\n", "clusters/a/hco.yaml": plainCR,
			"clusters/b/hco.yaml": plainCR,
		}, two, []string{"error GA430", "2 clusters, 2 HyperConverged CRs"}, 1},
		{
			"a key twice, with equal values",
			map[string]string{"a/hco.yaml": strings.Replace(plainCR, "spec: {}", "spec: {}\nspec: {}", 1)},
			nil,
			[]string{"warning GA007", "duplicate key", "RightAsCommitted"},
			0,
		},
		{
			"a key twice, with other values",
			map[string]string{"a/hco.yaml": strings.Replace(plainCR, "spec: {}", "spec: {}\nspec: {tuningPolicy: annotation}", 1)},
			nil,
			[]string{"error GA007", "NotRight"},
			1,
		},
		{
			"an unrelated file with two kinds, beside the only CR",
			map[string]string{"a/hco.yaml": plainCR, "docs/b.yaml": "apiVersion: v1\nkind: ServiceAccount\nkind: Service\nmetadata: {name: x}\n"},
			nil,
			[]string{"RightAsCommitted", "-GA007"},
			0,
		},
		{
			"which one reader takes for a CR",
			map[string]string{"a/hco.yaml": plainCR, "docs/b.yaml": strings.Replace(plainCR, "kind:", "kind: ServiceAccount\nkind:", 1)},
			nil,
			[]string{"error GA865", "NotRight"},
			1,
		},
		{
			"which one reader takes for a machine",
			map[string]string{"a/hco.yaml": plainCR, "docs/b.yaml": strings.Replace(plainMachine, "kind:", "kind: VirtualMachineRestart\nkind:", 1)},
			nil,
			[]string{"error GA007", "NotRight"},
			1,
		},
		{
			"two lists, of which one may hold anything",
			map[string]string{"a/hco.yaml": plainCR, "docs/b.yaml": "apiVersion: v1\nkind: Table\nitems: []\nitems: 1\n"},
			nil,
			[]string{"error GA007", "NotRight"},
			1,
		},
		{
			"an unrelated file that is no YAML, beside the only CR",
			map[string]string{"a/hco.yaml": plainCR, "a/b.yaml": "apiVersion: v1\nkind: ConfigMap\ndata: {a: [}\n", "docs/c.yaml": "a: b: c\n"},
			nil,
			[]string{"RightAsCommitted", "-GA001"},
			0,
		},
		{
			"a key twice in the configuration",
			map[string]string{"a/hco.yaml": plainCR, "a/g.yaml": strings.Replace(imagesConfig, "spec: {}", "spec: {gate: Auto, gate: Auto}", 1)},
			nil,
			[]string{"warning GA007", "RightAsCommitted"},
			0,
		},
		{
			"a key twice in a machine",
			map[string]string{"a/hco.yaml": plainCR, "a/vm.yaml": strings.Replace(oneMachine, "running: true", "running: true, running: true", 1)},
			nil,
			[]string{"warning GA007", "RightAsCommitted"},
			0,
		},
		{
			"a key twice in what a build includes",
			map[string]string{
				"a/hco.yaml": plainCR, "a/kustomization.yaml": "resources: [hco.yaml, cm.yaml]\n",
				"a/cm.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: b, a: b}\n",
			},
			nil,
			[]string{"error GA001", "NotRight"},
			1,
		},
		{
			"a key twice elsewhere does not count",
			map[string]string{"a/hco.yaml": plainCR, "a/cm.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: b, a: b}\n"},
			nil,
			[]string{"RightAsCommitted", "-GA007"},
			0,
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
			status, out, errs := runFed(t, "", args...)
			if status != tc.status {
				t.Errorf("want status %d, got %d", tc.status, status)
			}
			for _, part := range tc.says {
				if part, absent := strings.CutPrefix(part, "-"); strings.Contains(out, part) == absent {
					t.Errorf("%q, absent: %v", part, absent)
				}
			}
			if t.Failed() {
				t.Logf("%s%s", out, errs)
			}
		})
	}
}

// TestUnknownFieldByApplier: a field that the release does not have is an error only where
// something applies the CR on the server side. A slip is one everywhere.
func TestUnknownFieldByApplier(t *testing.T) {
	t.Parallel()
	old := strings.Replace(plainCR, "spec: {}", "spec: {featureGates: {sriovLiveMigration: true}}", 1)
	slip := strings.Replace(plainCR, "spec: {}", "spec: {featureGate: {}}", 1)
	nowhere := strings.Replace(plainCR, "spec: {}", "spec: {unheardOf: {}}", 1)
	annotated := func(option string) string {
		return strings.Replace(old, "kubevirt-hyperconverged}", "kubevirt-hyperconverged, annotations: {argocd.argoproj.io/sync-options: '"+option+"'}}", 1)
	}
	const onServer = "}, syncPolicy: {syncOptions: [ServerSideApply=true]}}\n"
	for _, tc := range []struct {
		reason, cr, applies string
		says                string
		status              int
	}{
		{reason: "nothing says how it is applied", cr: old, says: "warning GA402"},
		{reason: "Argo CD drops the field", cr: old, applies: application + "}}\n", says: "warning GA402"},
		{
			reason: "Argo CD applies on the server side", cr: old, applies: application + onServer, status: 1,
			says: "apps/virt.yaml: Application/virt applies it on the server side, and the API server refuses the CR",
		},
		{
			reason: "Flux does so always", cr: old, applies: fluxApplies, status: 1,
			says: "Kustomization/virt applies it on the server side, and the API server refuses the CR",
		},
		{reason: "the CR says so itself", cr: annotated("ServerSideApply=true"), applies: application + "}}\n", says: "error GA402", status: 1},
		{reason: "the CR says otherwise", cr: annotated("ServerSideApply=false"), applies: application + onServer, says: "warning GA402"},
		{
			reason: "what the CR says to Argo CD says nothing to Flux", cr: annotated("ServerSideApply=false"), applies: fluxApplies, status: 1,
			says: "error GA402",
		},
		{
			reason: "nor if both apply it", cr: annotated("ServerSideApply=false"), applies: application + onServer + "---\n" + fluxApplies, status: 1,
			says: "Kustomization/virt applies it on the server side",
		},
		{
			reason:  "a field of no release, too",
			cr:      strings.Replace(annotated("ServerSideApply=false"), "featureGates: {sriovLiveMigration: true}", "unheardOf: {}", 1),
			applies: fluxApplies, says: "error GA402", status: 1,
		},
		{reason: "a field of no release", cr: nowhere, says: "warning GA402"},
		{reason: "a field of no release under Flux", cr: nowhere, applies: fluxApplies, says: "error GA402", status: 1},
		{reason: "a slip", cr: slip, applies: application + "}}\n", says: "error GA402", status: 1},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"virt/hco.yaml": tc.cr}
			if tc.applies != "" {
				files["apps/virt.yaml"] = tc.applies
			}
			for _, path := range []string{"", "virt", "virt/hco.yaml"} {
				dir := writeTree(t, files)
				status, out, errs := runFed(t, "", "check", filepath.Join(dir, path), "--offline", "--workload-architectures", "amd64", "--control-plane-architectures", "amd64", "--release", "1.19")
				if status != tc.status || !strings.Contains(out, tc.says) {
					t.Errorf("check of %q: want status %d and %q, got %d\n%s%s", path, tc.status, tc.says, status, out, errs)
				}
			}
		})
	}
}

// TestProtectedFromFlux: with --no-flux-substitution Flux fills in nothing, so a variable in a
// field that is no text is what the API server refuses.
func TestProtectedFromFlux(t *testing.T) {
	t.Parallel()
	dir := writeTree(t, map[string]string{
		"virt/hco.yaml":  strings.Replace(plainCR, "spec: {}", "spec: {enableCommonBootImageImport: \"${N}\"}", 1),
		"apps/virt.yaml": strings.Replace(fluxApplies, "path: ./virt", "path: ./virt, postBuild: {substituteFrom: [{kind: ConfigMap, name: v}]}", 1),
	})
	for _, verb := range []string{"render", "check"} {
		out, errs, status := runIn(t, dir, verb, "virt", "--no-flux-substitution", "--offline",
			"--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64", "--release", "1.19")
		if status != 1 || !strings.Contains(out+errs, "error GA411") {
			t.Errorf("%s: status %d\n%s%s", verb, status, out, errs)
		}
	}
}

// TestVariablesOfFlux: a variable in a field that is no text is an unknown value where Flux fills
// it in, and what the API server refuses elsewhere.
func TestVariablesOfFlux(t *testing.T) {
	t.Parallel()
	with := func(gate string) string {
		return strings.Replace(plainCR, "spec: {}", "spec: {enableCommonBootImageImport: \"${N}\", featureGates: "+
			"{enableMultiArchBootImageImport: "+gate+"}}", 1)
	}
	cr := with("true")
	postBuild := strings.Replace(fluxApplies, "path: ./virt", "path: ./virt, postBuild: {substituteFrom: [{kind: ConfigMap, name: v}]}", 1)
	applied := func(postBuild string) map[string]string {
		return map[string]string{"virt/hco.yaml": cr, "apps/virt.yaml": strings.Replace(fluxApplies, "path: ./virt", "path: ./virt, postBuild: "+postBuild, 1)}
	}
	for _, tc := range []struct {
		reason string
		files  map[string]string
		says   string
		status int
	}{
		{"with a value", applied(`{substitute: {N: "true"}}`), "warning GA872", 0},
		{"with a default, whatever the values", applied("{substituteStrategy: Always}"), "warning GA872", 0},
		{"without any value", applied("{substitute: {}, substituteFrom: [], substituteStrategy: WithVariables}"), "error GA411", 1},
		{"with nothing", applied("{}"), "error GA411", 1},
		{"Flux fills it in", map[string]string{"virt/hco.yaml": cr, "apps/virt.yaml": postBuild}, "warning GA872", 0},
		{
			"of a kustomization, too",
			map[string]string{"virt/hco.yaml": cr, "virt/kustomization.yaml": "resources: [hco.yaml]\n", "apps/virt.yaml": postBuild},
			"warning GA872", 0,
		},
		{"in a List", map[string]string{
			"virt/hco.yaml": "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(cr), "\n", "\n  ") + "\n", "apps/virt.yaml": postBuild,
		}, "warning GA872", 0},
		{"Flux fills in the gate", map[string]string{"virt/hco.yaml": with(`"${GATE}"`), "apps/virt.yaml": postBuild}, "error GA872", 1},
		{"Flux fills in a namespace", map[string]string{
			"virt/hco.yaml": strings.Replace(plainCR, "spec: {}", "spec: {commonBootImageNamespace: \"${NS}\"}", 1), "apps/virt.yaml": postBuild,
		}, "error GA872", 1},
		{"Flux fills in nothing", map[string]string{"virt/hco.yaml": cr, "apps/virt.yaml": fluxApplies}, "error GA411", 1},
		{"nothing applies it", map[string]string{"virt/hco.yaml": cr}, "error GA411", 1},
		{"Argo CD applies it", map[string]string{"virt/hco.yaml": cr, "apps/virt.yaml": application + "}}\n"}, "error GA411", 1},
		{
			"the CR keeps its variables", map[string]string{
				"virt/hco.yaml": strings.Replace(cr, "kubevirt-hyperconverged}",
					"kubevirt-hyperconverged, annotations: {kustomize.toolkit.fluxcd.io/substitute: disabled}}", 1),
				"apps/virt.yaml": postBuild,
			}, "error GA411", 1,
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			for _, run := range [][]string{
				{"check", ""},
				{"check", "virt"},
				{"render", "virt"},
				{"render", "virt/hco.yaml"},
				{"fix", "", "--diff"},
				{"fix", "virt", "--diff"},
				{"forecast", "virt"},
				{"lock", "virt", "--check"},
			} {
				dir := writeTree(t, tc.files)
				args := append([]string{run[0], filepath.Join(dir, run[1])}, run[2:]...)
				if run[0] != "lock" {
					args = append(args, "--offline", "--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64", "--release", "1.19")
				}
				status, out, errs := runFed(t, "", args...)
				want, says := tc.status, tc.says
				if run[0] == "forecast" { // it predicts a refusal, too
					want, says = 0, map[string]string{
						"warning GA872": "Flux fills in spec.", "error GA872": "so goldenarch does not know", "error GA411": "the API server refuses the CR",
					}[tc.says]
				}
				if status != want || !strings.Contains(out+errs, says) {
					t.Errorf("%q: want status %d and %q, got %d\n%s%s", args, want, says, status, out, errs)
				}
			}
		})
	}
}

// TestDeclaredByFlux: what Flux fills in among the declared architectures is no wrong architecture.
func TestDeclaredByFlux(t *testing.T) {
	t.Parallel()
	cr := strings.Replace(plainCR, "spec: {}", "spec:\n  dataImportCronTemplates:\n  - metadata: {name: a, annotations: "+
		"{ssp.kubevirt.io/dict.architectures: '${ARCHS}'}}\n    spec:\n      schedule: 0 1 * * *\n      managedDataSource: a\n      template: "+
		"{spec: {source: {registry: {url: 'docker://quay.io/acme/fedora:42'}}, storage: {resources: {requests: {storage: 30Gi}}}}}", 1)
	for applies, want := range map[string]string{
		strings.Replace(fluxApplies, "path: ./virt", "path: ./virt, postBuild: {substitute: {ARCHS: amd64}}", 1): "error GA872", fluxApplies: "warning GA104",
	} {
		dir := writeTree(t, map[string]string{"virt/hco.yaml": cr, "apps/virt.yaml": applies})
		out, messages, _ := runIn(t, dir, append([]string{"check", "virt"}, offlineFedora...)...)
		if strings.Contains(out, "GA872") == strings.Contains(out, "GA104") || !strings.Contains(out, want) {
			t.Errorf("want %s, got\n%s%s", want, out, messages)
		}
	}
}

// TestRenderReportsKeysOfMachines: render changes no machine, and reports a key that is there
// twice: an error only where the values differ.
func TestRenderReportsKeysOfMachines(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, twice, says string
		status              int
	}{
		{"equal values", "running: true, running: true", "warning GA007 VirtualMachine/", 0},
		{"different values", "running: true, running: false", "error GA007 VirtualMachine/", 1},
	} {
		dir := writeTree(t, map[string]string{"hco.yaml": plainCR, "vm.yaml": strings.Replace(oneMachine, "running: true", tc.twice, 1)})
		status, _, errs := runFed(t, "", "render", dir, "--offline", "--workload-architectures", "amd64")
		if status != tc.status || !strings.Contains(errs, tc.says) {
			t.Errorf("%s: want status %d and %q, got %d\n%s", tc.reason, tc.status, tc.says, status, errs)
		}
	}
}

// TestChangedOnTheWay: patches of what applies a directory make something else of its CR than
// what a check reads.
func TestChangedOnTheWay(t *testing.T) {
	t.Parallel()
	const gateOn = "spec: {featureGates: {enableMultiArchBootImageImport: true}}"
	argo := func(kustomize string) string {
		return strings.Replace(application+"}}\n", "path: virt", "path: virt, kustomize: "+kustomize, 1)
	}
	flux := func(spec string) string {
		return strings.Replace(fluxApplies, "path: ./virt", "path: ./virt, "+spec, 1)
	}
	const patch = "[{target: {kind: KIND}, patch: '[{op: remove, path: /spec/featureGates}]'}]"
	for _, tc := range []struct {
		reason, applies, says string
		status                int
	}{
		{"nothing changes it", fluxApplies, "RightAsCommitted", 0},
		{"Flux patches the CR", flux("patches: " + strings.Replace(patch, "KIND", "HyperConverged", 1)), ": spec.patches patches it", 1},
		{"an expression selects it", flux("patches: " + strings.Replace(patch, "KIND", "Hyper.*", 1)), ": spec.patches patches it", 1},
		{"a target of any kind", flux("patches: [{target: {name: kubevirt-.*}, patch: x}]"), ": spec.patches patches it", 1},
		{"a target with another name", flux("patches: [{target: {name: x}, patch: x}]"), "RightAsCommitted", 0},
		{"a patch of another kind", flux("patches: " + strings.Replace(patch, "KIND", "Deployment", 1)), "RightAsCommitted", 0},
		{"Flux adds components", flux("components: [../c]"), ": spec.components builds it", 1},
		{"Argo CD patches the CR", argo("{patches: [{patch: 'kind: HyperConverged'}]}"), ": kustomize.patches patches it", 1},
		{"Argo CD changes names", argo("{namePrefix: dr-, nameSuffix: -x}"), ": kustomize.namePrefix changes its name; kustomize.nameSuffix changes its name", 1},
		{"Argo CD changes labels", argo("{commonLabels: {a: b}}"), "RightAsCommitted", 0},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			dir := writeTree(t, map[string]string{
				"virt/hco.yaml": strings.Replace(plainCR, "spec: {}", gateOn, 1), "virt/kustomization.yaml": "resources: [hco.yaml]\n", "apps/virt.yaml": tc.applies,
			})
			status, out, errs := runFed(t, "", "check", dir, "--offline", "--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64", "--release", "1.19")
			if status != tc.status || !strings.Contains(out, tc.says) || status != 0 && !strings.Contains(out, "error GA874") {
				t.Errorf("want status %d and %q, got %d\n%s%s", tc.status, tc.says, status, out, errs)
			}
		})
	}
}
