package cli

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestAppliedSettings: check warns of settings that get to the cluster, where no plugin and no
// kustomize takes them out.
func TestAppliedSettings(t *testing.T) {
	t.Parallel()
	const application = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: virt}\n" +
		"spec: {source: {repoURL: https://git.example/acme/r, path: %s}}\n"
	const flux = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: virt, namespace: flux-system}\n" +
		"spec: {path: ./virt, sourceRef: {kind: GitRepository, name: r}}\n---\n" +
		"apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: r, namespace: flux-system}\nspec: {url: https://git.example/acme/r}\n"
	const settings = "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g%s}\n" +
		"spec: {release: \"1.19\", cluster: {workloadArchitectures: [amd64], controlPlaneArchitectures: [amd64]}}\n"
	const states = "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n"
	const local = `, annotations: {config.kubernetes.io/local-config: "true"}`
	for _, tc := range []struct {
		reason, applier, settings string
		more                      map[string]string
		args                      []string
		want                      bool
	}{
		{reason: "an Application", applier: fmt.Sprintf(application, "virt"), settings: fmt.Sprintf(settings, local), want: true},
		{
			reason: "settings in a List", applier: fmt.Sprintf(application, "virt"), want: true,
			settings: "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(fmt.Sprintf(settings, local)), "\n", "\n  ") + "\n",
		},
		{reason: "one that goes below", applier: fmt.Sprintf(application, "., directory: {recurse: true}"), settings: fmt.Sprintf(settings, local), want: true},
		{
			reason: "one that leaves the file out", applier: fmt.Sprintf(application, "virt, directory: {exclude: golden-images.yaml}"),
			settings: fmt.Sprintf(settings, local),
		},
		{
			reason: "a file that Argo CD skips", applier: fmt.Sprintf(application, "virt"),
			settings: "# +argocd:skip-file-rendering\n" + fmt.Sprintf(settings, local),
		},
		{reason: "one with the plugin", applier: fmt.Sprintf(application, "virt, plugin: {name: goldenarch}"), settings: fmt.Sprintf(settings, local)},
		{reason: "one of another directory", applier: fmt.Sprintf(application, "other"), settings: fmt.Sprintf(settings, local)},
		{
			reason: "a plugin finds the directory", applier: fmt.Sprintf(application, "virt"), settings: fmt.Sprintf(settings, local),
			args: []string{"--as", "rendered"},
		},
		{
			reason: "the Fleet says so", applier: fmt.Sprintf(application, "virt"), settings: fmt.Sprintf(settings, local),
			more: map[string]string{"goldenarch.yaml": states + "- {paths: [virt], as: rendered}\n"},
		},
		{
			reason: "a Fleet that says nothing", applier: fmt.Sprintf(application, "virt"), settings: fmt.Sprintf(settings, local), want: true,
			more: map[string]string{"goldenarch.yaml": states + "- {paths: [virt], name: v}\n"},
		},
		{reason: "kustomize leaves local configuration out", applier: flux, settings: fmt.Sprintf(settings, local)},
		{reason: "without the annotation Flux applies it", applier: flux, settings: fmt.Sprintf(settings, ""), want: true},
		{
			reason: "a kustomization that Argo CD builds", applier: fmt.Sprintf(application, "virt"), settings: fmt.Sprintf(settings, local),
			more: map[string]string{"virt/kustomization.yaml": "resources: [hco.yaml, golden-images.yaml]\n"},
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{
				"apps/virt.yaml": tc.applier, "virt/golden-images.yaml": tc.settings,
				"virt/hco.yaml": "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\n" +
					"metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}\n",
				".git/config": "[remote \"origin\"]\n\turl = https://git.example/acme/r\n", ".git/HEAD": "ref: refs/heads/main\n",
			}
			maps.Copy(files, tc.more)
			dir := writeTree(t, files)
			out, errs, _ := runIn(t, dir, append([]string{"check", "virt", "--offline", "-o", "json"}, tc.args...)...)
			if got := strings.Contains(out, "GA873"); got != tc.want {
				t.Errorf("reported: %v, want %v\n%s%s", got, tc.want, errs, out)
			}
		})
	}
}

// TestLeftOut: check names what an annotation keeps from it. That is an error where an Application applies the file all the same.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	const (
		fleet = "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n- paths: [virt]\n  release: \"1.19\"\n" +
			"  workloadArchitectures: [amd64]\n  controlPlaneArchitectures: [amd64]\n"
		argo = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\n" +
			"spec: {source: {repoURL: https://git.example/acme/r, path: %s}, destination: {namespace: vms}}\n"
		flux = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a, namespace: f}\n" +
			"spec: {path: %s, sourceRef: {kind: GitRepository, name: r}}\n"
		local   = `annotations: {config.kubernetes.io/local-config: "true"}`
		cr      = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: a, namespace: b, " + local + "}\n"
		machine = "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: a, namespace: vms, " + local + "}\n" +
			"spec: {runStrategy: Always, template: {spec: {architecture: s390x, domain: {devices: {}}}}}\n"
		dump = "status: {versions: []}\n"
	)
	inList := "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(machine), "\n", "\n  ") + "\n"
	for _, tc := range []struct {
		reason, file, text, route string
		args                      []string
		want                      string
	}{
		{"nobody says what applies a machine", "virt/a.yaml", machine, "", nil, "warning GA856 VirtualMachine/a metadata.annotations (virt/a.yaml:3)"},
		{"an Application applies it", "virt/a.yaml", machine, fmt.Sprintf(argo, "virt"), nil, "error GA856 VirtualMachine/a"},
		{"in a List", "virt/a.yaml", inList, fmt.Sprintf(argo, "virt"), nil, "error GA856 VirtualMachine/a items[0].metadata.annotations (virt/a.yaml:6)"},
		{"Flux leaves it out", "virt/a.yaml", machine, fmt.Sprintf(flux, "./virt"), nil, "warning GA856 VirtualMachine/a"},
		{"the plugin leaves it out", "virt/a.yaml", machine, fmt.Sprintf(argo, "virt"), []string{"--as", "rendered"}, "info GA856 VirtualMachine/a"},
		{"a person accepts it", "virt/a.yaml", strings.Replace(machine, "{config", `{goldenarch.dev/ignore: "GA856: a sample", config`, 1), "", nil, ""},
		{"no machine is checked", "virt/a.yaml", machine, fmt.Sprintf(argo, "virt"), []string{"--machines", "None"}, ""},
		{"a machine in a directory of its own", "more/a.yaml", machine, fmt.Sprintf(argo, "more"), nil, "error GA856 VirtualMachine/a"},
		{"a CR", "virt/a.yaml", cr, "", nil, "warning GA856 HyperConverged/a"},
		{"a CR that an Application applies", "virt/a.yaml", cr, fmt.Sprintf(argo, "virt"), nil, "error GA856 HyperConverged/a"},
		{"a CR in a directory of its own", "more/a.yaml", cr, "", nil, "warning GA865"},
		{"which an Application applies", "more/a.yaml", cr, fmt.Sprintf(argo, "more"), nil, "error GA856 HyperConverged/a"},
		{"which an Application applies through a plugin", "more/a.yaml", cr, fmt.Sprintf(argo, "more, plugin: {}"), nil, "warning GA865"},
		{"a dump of the live CR", "virt/a.yaml", cr + dump, "", nil, ""},
		{"a dump that an Application applies", "virt/a.yaml", cr + dump, fmt.Sprintf(argo, "virt"), nil, "error GA856 HyperConverged/a"},
	} {
		dir := writeTree(t, map[string]string{
			"goldenarch.yaml": fleet, "virt/hco.yaml": plainCR, tc.file: tc.text, "apps/a.yaml": tc.route,
			".git/config": "[remote \"origin\"]\n\turl = https://git.example/acme/r\n", ".git/HEAD": "ref: refs/heads/main\n",
		})
		out, errs, status := runIn(t, dir, append([]string{"check", ".", "--offline"}, tc.args...)...)
		if has := strings.Contains(out, "GA856") || strings.Contains(out, "GA865"); has != (tc.want != "") || !strings.Contains(out, tc.want) {
			t.Errorf("%s: want %q\n%s%s", tc.reason, tc.want, errs, out)
		}
		if fails := strings.HasPrefix(tc.want, "error"); fails && status != statusFailed {
			t.Errorf("%s: want status %d, got %d\n%s", tc.reason, statusFailed, status, out)
		}
	}
}

// TestAppliedFleet: a Fleet that gets to the cluster is an error, and one with the comment and the annotation is none.
func TestAppliedFleet(t *testing.T) {
	t.Parallel()
	const states = "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f%s}\nclusters:\n- {paths: [virt], release: \"1.19\", " +
		"workloadArchitectures: [amd64], controlPlaneArchitectures: [amd64]}\n"
	unwritten := fmt.Sprintf(states, "")
	written := "# +argocd:skip-file-rendering\n" + fmt.Sprintf(states, `, annotations: {config.kubernetes.io/local-config: "true"}`)
	const flux = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: all}\n" +
		"spec: {path: ./, sourceRef: {kind: GitRepository, name: r}}\n"
	const argo = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: all}\n" +
		"spec: {source: {path: ., repoURL: https://git.example/r, directory: {include: '*.yaml'}}}\n"
	for _, tc := range []struct {
		reason, applies, fleet string
		more                   map[string]string
		want                   string
	}{
		{"Flux builds the root", flux, unwritten, nil, "add the annotation config.kubernetes.io/local-config"},
		{"and leaves local configuration out", flux, written, nil, ""},
		{"a kustomization at the root does not list it", flux, unwritten, map[string]string{"kustomization.yaml": "resources: [virt]\n"}, ""},
		{"an Application of the root", argo, unwritten, nil, "add the comment # +argocd:skip-file-rendering"},
		{"which skips it", argo, written, nil, ""},
		{"nobody applies the root", "", unwritten, nil, ""},
		{
			"a plugin that finds the root by itself renders it", argo, strings.Replace(unwritten, "[virt]", `["."], as: rendered`, 1),
			map[string]string{"hco.yaml": plainCR, "virt/hco.yaml": "{}\n", "virt/kustomization.yaml": "{}\n"},
			"",
		},
	} {
		files := map[string]string{
			"apps/all.yaml": tc.applies, "goldenarch.yaml": tc.fleet, "virt/hco.yaml": plainCR, "virt/kustomization.yaml": "resources: [hco.yaml]\n",
		}
		maps.Copy(files, tc.more)
		out, errs, _ := runIn(t, writeTree(t, files), "check", ".", "--offline")
		if strings.Contains(out, "error GA873 Fleet/f") != (tc.want != "") || !strings.Contains(strings.ToLower(out), tc.want) {
			t.Errorf("%s: want %q\n%s%s", tc.reason, tc.want, errs, out)
		}
	}
}

// TestAppliedPlainFiles: what applies plain files and changes the CR in them counts, also where the whole
// repository is one input.
func TestAppliedPlainFiles(t *testing.T) {
	t.Parallel()
	const cr = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}\n" +
		"spec: {featureGates: {enableMultiArchBootImageImport: true}}\n"
	flux := func(spec string) string {
		return "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: virt}\n" +
			"spec: {path: ./virt, sourceRef: {kind: GitRepository, name: r}, " + spec + "}\n"
	}
	argo := func(spec string) string {
		return "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: virt}\n" +
			"spec: {source: {path: virt, repoURL: https://git.example/r}, " + spec + "}\n"
	}
	for _, tc := range []struct{ applies, want string }{
		{flux("prune: false"), ""},
		{flux("patches: [{target: {kind: HyperConverged}, patch: '[]'}]"), "error GA874"},
		{argo("syncPolicy: {automated: {selfHeal: false}}"), ""},
		{argo("ignoreDifferences: [{group: hco.kubevirt.io, kind: HyperConverged, jsonPointers: [/spec]}]"), "warning GA874"},
		{
			argo("ignoreDifferences: [{group: '*', kind: '*', jsonPointers: [/spec]}], syncPolicy: {syncOptions: [RespectIgnoreDifferences=true]}"),
			"error GA874",
		},
	} {
		dir := writeTree(t, map[string]string{"apps/a.yaml": tc.applies, "virt/hco.yaml": cr, ".git/HEAD": "ref: refs/heads/main\n"})
		for _, more := range []map[string]string{nil, {"lab/hco.yaml": cr}} {
			filetest.Write(t, dir, more)
			out, messages, status := runIn(t, dir, append([]string{"check", "."}, offlineFedora...)...)
			if strings.Contains(out, "GA874") != (tc.want != "") || !strings.Contains(out, tc.want) || (status == statusFailed) != strings.HasPrefix(tc.want, "error") ||
				strings.Count(out, " GA874 ") > 1 || !strings.Contains(out, "HyperConverged CR") {
				t.Errorf("%s with %d other files: want %q, got status %d\n%s%s", tc.applies, len(more), tc.want, status, out, messages)
			}
		}
	}
}

// TestFluxRendersNothing: a person states that goldenarch renders a directory, and Flux, which runs no functions, applies it.
func TestFluxRendersNothing(t *testing.T) {
	t.Parallel()
	const cr = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}\nspec: {}\n"
	for _, tc := range []struct {
		reason, path, entry string
		want                bool
	}{
		{"as: rendered", "./virt", "paths: [virt], as: rendered", true},
		{"renders, and Flux applies what is rendered from", "./virt", "paths: [virt], renders: out/cr.yaml", true},
		{"renders, and Flux applies what is rendered", "./out", "paths: [virt], renders: out/cr.yaml", false},
		{"another directory", "./other", "paths: [virt], as: rendered", false},
		{"as: committed", "./virt", "paths: [virt], as: committed", false},
	} {
		dir := writeTree(t, map[string]string{
			"virt/cr.yaml": cr, "out/cr.yaml": cr,
			"flux.yaml": "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: virt, namespace: flux-system}\n" +
				"spec: {path: " + tc.path + ", sourceRef: {kind: GitRepository, name: r}}\n",
			"goldenarch.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n- {" + tc.entry +
				", release: '1.19', workloadArchitectures: [amd64], controlPlaneArchitectures: [amd64]}\n",
		})
		stdout, stderr, _ := runIn(t, dir, "check", ".", "--offline")
		if got := strings.Contains(stdout, "kustomize-controller runs no functions: if it reads the branch"); got != tc.want {
			t.Errorf("%s: want %v\n%s%s", tc.reason, tc.want, stdout, stderr)
		}
	}
}

// TestPatchesOfSyncSets: hive applies spec.patches of a SyncSet after its objects, also to objects that others apply.
func TestPatchesOfSyncSets(t *testing.T) {
	t.Parallel()
	const cr = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}\nspec: {}\n"
	set := func(resources, patched string) string {
		return "apiVersion: hive.openshift.io/v1\nkind: SelectorSyncSet\nmetadata: {name: s}\nspec:\n  resources: [" + resources + "]\n  patches:\n" +
			"  - {apiVersion: hco.kubevirt.io/v1beta1, kind: " + patched + ", patchType: merge, patch: '{\"spec\": {}}'}\n"
	}
	inSet := strings.NewReplacer("\n", ", ").Replace("{" + strings.TrimSpace(cr) + "}")
	for _, tc := range []struct {
		reason string
		files  map[string]string
		want   bool
	}{
		{"of the CR in it", map[string]string{"set.yaml": set(inSet, "HyperConverged, name: kubevirt-hyperconverged")}, true},
		{"of a CR beside it", map[string]string{"set.yaml": set("", "HyperConverged, name: kubevirt-hyperconverged"), "cr.yaml": cr}, true},
		{"of another namespace", map[string]string{"set.yaml": set(inSet, "HyperConverged, name: kubevirt-hyperconverged, namespace: other")}, false},
		{"of another object", map[string]string{"set.yaml": set(inSet, "Namespace, name: kubevirt-hyperconverged")}, false},
	} {
		stdout, stderr, _ := runIn(t, writeTree(t, tc.files), "check", ".", "--offline", "--release", "1.19", "--workload-architectures", "amd64",
			"--control-plane-architectures", "amd64")
		if got := strings.Contains(stdout, "error GA874") && strings.Contains(stdout, "spec.patches[0] patches it"); got != tc.want {
			t.Errorf("%s: want %v\n%s%s", tc.reason, tc.want, stdout, stderr)
		}
	}
}

// TestChangedAroundTheCR: check does not call right what a host changes around the CR: the outermost wrapper,
// and the values with which it renders a chart from elsewhere.
func TestChangedAroundTheCR(t *testing.T) {
	t.Parallel()
	const (
		application = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\nspec:\n"
		cluster     = ", release: \"1.19\", workloadArchitectures: [amd64], controlPlaneArchitectures: [amd64]}\n"
		values      = "hco:\n  apiVersion: hco.kubevirt.io/v1beta1\n  kind: HyperConverged\n  metadata: {name: a}\n  spec: {dataImportCronTemplates: []}\n"
		wrapped     = "apiVersion: policy.open-cluster-management.io/v1\nkind: Policy\nmetadata: {name: p}\nspec:\n  policy-templates:\n" +
			"  - objectDefinition:\n      apiVersion: policy.open-cluster-management.io/v1\n      kind: ConfigurationPolicy\n      metadata: {name: c}\n" +
			"      spec:\n        object-templates:\n        - complianceType: musthave\n          objectDefinition:\n" +
			"            apiVersion: hco.kubevirt.io/v1beta1\n            kind: HyperConverged\n            metadata: {name: a, namespace: b}\n"
	)
	patch := func(kind string) string {
		return application + "  source: {repoURL: https://git.example/acme/r, path: virt, kustomize: {patches: [{target: {kind: " + kind +
			"}, patch: \"- {op: add, path: /spec/x, value: y}\"}]}}\n"
	}
	chart := func(files string) string {
		return application + "  sources:\n  - {repoURL: https://charts.example, chart: virt, targetRevision: 1.0.0, helm: {valueFiles: [" + files + "]}}\n" +
			"  - {repoURL: https://git.example/acme/r, ref: v}\n"
	}
	for _, tc := range []struct {
		reason, application, cluster string
		want                         bool
	}{
		{"a patch of the Policy around the CR", patch("Policy"), "{paths: [virt]", true},
		{"a patch of another kind", patch("ConfigMap"), "{paths: [virt]", false},
		{"a file of values after the one with the CR", chart("$v/chart/values.yaml, $v/envs/prod.yaml"), "{paths: [chart/values.yaml], crPath: hco", true},
		{"only the file with the CR", chart("$v/chart/values.yaml"), "{paths: [chart/values.yaml], crPath: hco", false},
	} {
		dir := writeTree(t, map[string]string{
			"goldenarch.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n- " + tc.cluster + cluster,
			"apps/a.yaml":     tc.application, "virt/policy.yaml": wrapped, "virt/kustomization.yaml": "resources: [policy.yaml]\n",
			"chart/values.yaml": values, "envs/prod.yaml": "hco: {spec: {featureGates: {enableMultiArchBootImageImport: false}}}\n",
			".git/config": "[remote \"origin\"]\n\turl = https://git.example/acme/r\n", ".git/HEAD": "ref: refs/heads/main\n",
		})
		out, errs, status := runIn(t, dir, "check", ".", "--offline")
		if got := strings.Contains(out, "error GA874"); got != tc.want || got && status != statusFailed {
			t.Errorf("%s: error %v, want %v (status %d)\n%s%s", tc.reason, got, tc.want, status, errs, out)
		}
	}
}

// TestKeptBack: an annotation by which a host does not apply each edit of the CR is a warning.
func TestKeptBack(t *testing.T) {
	t.Parallel()
	const policy = "apiVersion: policy.open-cluster-management.io/v1\nkind: ConfigurationPolicy\nmetadata: {name: c, annotations: {%s}}\n" +
		"spec:\n  object-templates:\n  - complianceType: mustonlyhave\n    objectDefinition:\n      apiVersion: hco.kubevirt.io/v1beta1\n" +
		"      kind: HyperConverged\n      metadata: {name: a, namespace: b}\n"
	const plain = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: a, namespace: b, annotations: {%s}}\n"
	for _, tc := range []struct {
		reason, form, annotation string
		want                     bool
	}{
		{"Argo CD skips it", plain, "argocd.argoproj.io/hook: Skip", true},
		{"a hook that is applied", plain, "argocd.argoproj.io/hook: PreSync", false},
		{"Flux leaves it alone", plain, "kustomize.toolkit.fluxcd.io/reconcile: disabled", true},
		{"Flux creates it once", plain, "kustomize.toolkit.fluxcd.io/ssa: IfNotPresent", true},
		{"Flux merges it", plain, "kustomize.toolkit.fluxcd.io/ssa: Merge", false},
		{"the policy around it", policy, "argocd.argoproj.io/hook: Skip", true},
		{"a person accepts it", plain, "argocd.argoproj.io/hook: Skip, goldenarch.dev/ignore: 'GA832: applied by hand'", false},
	} {
		dir := writeTree(t, map[string]string{"hco.yaml": fmt.Sprintf(tc.form, tc.annotation)})
		out, errs, _ := runIn(t, dir, "check", ".", "--offline", "--release", "1.19", "--workload-architectures", "amd64", "--control-plane-architectures", "amd64")
		if got := strings.Contains(out, "warning GA832"); got != tc.want {
			t.Errorf("%s: warned %v, want %v\n%s%s", tc.reason, got, tc.want, errs, out)
		}
	}
}
