package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestTricksOfPullRequests: whatever a stranger's commit changes beside a CR, an untrusted check is no better than a trusted one, and a
// trick that lowers something is red.
func TestTricksOfPullRequests(t *testing.T) {
	t.Parallel()
	const (
		fleet   = "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n- paths: [virt]\n  release: \"1.19\"\n"
		nodes   = "  workloadArchitectures: [amd64, arm64]\n  controlPlaneArchitectures: [amd64]\n"
		fluxFor = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: virt}\n" +
			"spec: {path: ./virt, sourceRef: {kind: GitRepository, name: flux-system}MORE}\n"
		off = "HyperConverged\n      metadata: {name: kubevirt-hyperconverged}\n      spec: {featureGates: null}"
	)
	argo := func(more string) string { return application + more + "}}\n" }
	flux := func(more string) string { return strings.Replace(fluxFor, "MORE", more, 1) }
	annotated := func(cr, annotation string) string {
		return strings.Replace(cr, "kubevirt-hyperconverged}", "kubevirt-hyperconverged, annotations: {"+annotation+"}}", 1)
	}
	wrong := strings.Replace(gateOn, "enableMultiArchBootImageImport: true", "enableMultiArchBootImageImport: false", 1)
	variable := strings.Replace(gateOn, "spec: {", "spec: {liveMigrationConfig: {parallelMigrationsPerCluster: \"${N}\"}, ", 1)
	config := func(spec string) string {
		return "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\nspec: {" + spec + "}\n"
	}
	patch := ", kustomize: {patches: [{patch: \"kind: " + strings.ReplaceAll(off, "\n", "\\n") + "\"}]}"
	kustomized := map[string]string{"virt/hco.yaml": gateOn, "virt/kustomization.yaml": "resources: [hco.yaml]\n"}
	for _, tc := range []struct {
		reason             string
		base, commit       map[string]string
		trusted, untrusted int
	}{
		{"nothing", nil, map[string]string{"README.md": "x\n"}, 0, 0},
		{"a wrong CR", nil, map[string]string{"virt/hco.yaml": wrong}, 1, 1},
		{"a right CR", map[string]string{"virt/hco.yaml": wrong}, map[string]string{"virt/hco.yaml": gateOn}, 0, 0},
		// The rules are the base's.
		{"as: rendered", nil, map[string]string{"virt/hco.yaml": wrong, "goldenarch.yaml": fleet + nodes + "  as: rendered\n"}, 1, 1},
		{"one architecture in the Fleet", nil, map[string]string{
			"virt/hco.yaml": wrong, "goldenarch.yaml": fleet + "  workloadArchitectures: [amd64]\n  controlPlaneArchitectures: [amd64]\n",
		}, 0, 1},
		{"no Fleet", nil, map[string]string{"virt/hco.yaml": wrong, "goldenarch.yaml": ""}, 1, 1},
		{"gate: Keep in a configuration", nil, map[string]string{"virt/hco.yaml": wrong, "virt/g.yaml": config("gate: Keep")}, 0, 1},
		{"gate: Disable", nil, map[string]string{"virt/hco.yaml": wrong, "virt/g.yaml": config("gate: Disable")}, 0, 1},
		{"an exception in a configuration", nil, map[string]string{"virt/hco.yaml": wrong, "virt/g.yaml": config("findings: {GA430: Info}")}, 0, 1},
		{"an exception in an annotation", nil, map[string]string{"virt/hco.yaml": annotated(wrong, `goldenarch.dev/ignore: "GA430: we know"`)}, 0, 1},
		{"gate: Keep in the configuration of the Fleet", nil, map[string]string{
			"virt/hco.yaml": wrong, "keep.yaml": config("gate: Keep"), "goldenarch.yaml": fleet + nodes + "  config: keep.yaml\n",
		}, 0, 1},
		{"the base has gate: Keep", map[string]string{"virt/hco.yaml": wrong, "virt/g.yaml": config("gate: Keep")}, map[string]string{"README.md": "x\n"}, 0, 0},
		{
			"the base has the exception",
			map[string]string{"virt/g.yaml": config("findings: {GA430: Info}")},
			map[string]string{"virt/hco.yaml": wrong},
			0, 0,
		},
		{
			"the build of the base has the exception",
			map[string]string{
				"virt/hco.yaml": annotated(wrong, `goldenarch.dev/ignore: "GA430: we know"`), "virt/kustomization.yaml": "resources: [hco.yaml]\n",
			},
			map[string]string{"README.md": "x\n"},
			0, 0,
		},
		{
			"a kustomization lists a patch of the base with the exception",
			map[string]string{
				"virt/hco.yaml": wrong, "virt/kustomization.yaml": "resources: [hco.yaml]\n",
				"virt/patch.yaml": annotated(wrong, `goldenarch.dev/ignore: "GA430: we know"`),
			},
			map[string]string{"virt/kustomization.yaml": "resources: [hco.yaml]\npatches: [{path: patch.yaml}]\n"},
			0, 1,
		},
		// What hides a CR.
		{"a .krmignore", nil, map[string]string{"virt/hco.yaml": wrong, ".krmignore": "virt\n"}, 1, 1},
		{
			"a .krmignore beside another cluster",
			map[string]string{"lab/hco.yaml": gateOn},
			map[string]string{"virt/hco.yaml": wrong, ".krmignore": "virt\n", "goldenarch.yaml": strings.Replace(fleet+nodes, "[virt]", "[lab]", 1)},
			0, 1,
		},
		{"the CR is local", nil, map[string]string{"virt/hco.yaml": annotated(wrong, `config.kubernetes.io/local-config: "true"`)}, 1, 1},
		{"a local CR in a directory of its own", nil, map[string]string{"more/hco.yaml": annotated(wrong, `config.kubernetes.io/local-config: "true"`)}, 0, 1},
		{"a CR that no kustomization lists", kustomized, map[string]string{"virt/other.yaml": strings.Replace(wrong, "kubevirt-hyperconverged,", "other,", 1)}, 1, 1},
		{"a kustomization that lists nothing", map[string]string{"virt/hco.yaml": wrong}, map[string]string{"virt/kustomization.yaml": "resources: []\n"}, 1, 1},
		{"a template", nil, map[string]string{"virt/hco.yaml": "{{ x }}\n---\n" + wrong}, 1, 1},
		{
			"an Application that excludes the file",
			map[string]string{"apps/a.yaml": argo("")},
			map[string]string{"virt/hco.yaml": wrong, "apps/a.yaml": argo(", directory: {exclude: hco.yaml}")},
			1, 1,
		},
		{"a comment of Argo CD", map[string]string{"apps/a.yaml": argo("")}, map[string]string{"virt/hco.yaml": "# +argocd:skip-file-rendering\n" + wrong}, 1, 1},
		{"the CR is gone", nil, map[string]string{"virt/hco.yaml": ""}, 1, 1},
		// What changes it on the way.
		{"an Application with a patch", map[string]string{"apps/a.yaml": argo("")}, map[string]string{"apps/a.yaml": argo(patch)}, 1, 1},
		{"a new Application with a patch", nil, map[string]string{"apps/a.yaml": argo(patch)}, 1, 1},
		{"an Application loses its patch", map[string]string{"apps/a.yaml": argo(patch)}, map[string]string{"apps/a.yaml": argo("")}, 0, 1},
		{"an Application with a prefix", kustomized, map[string]string{"apps/a.yaml": argo(", kustomize: {namePrefix: x-}")}, 1, 1},
		{"an Application with components", kustomized, map[string]string{"apps/a.yaml": argo(", kustomize: {components: [../c]}")}, 1, 1},
		{"an Application with another namespace", kustomized, map[string]string{"apps/a.yaml": argo(", kustomize: {namespace: elsewhere}")}, 1, 1},
		{"an Application with labels", kustomized, map[string]string{"apps/a.yaml": argo(", kustomize: {commonLabels: {a: b}}")}, 0, 0},
		{"an Application of another directory", nil, map[string]string{"apps/a.yaml": strings.Replace(argo(patch), "path: virt", "path: other", 1)}, 0, 0},
		{"Flux with patches", nil, map[string]string{"apps/a.yaml": flux(", patches: [{patch: \"kind: " + strings.ReplaceAll(off, "\n", "\\n") + "\"}]")}, 1, 1},
		{"Flux loses its patches", map[string]string{
			"apps/a.yaml": flux(", patches: [{patch: \"kind: " + strings.ReplaceAll(off, "\n", "\\n") + "\"}]"),
		}, map[string]string{"apps/a.yaml": flux("")}, 0, 1},
		{"Flux with a prefix", nil, map[string]string{"apps/a.yaml": flux(", namePrefix: x-")}, 1, 1},
		{"Flux with another namespace", nil, map[string]string{"apps/a.yaml": flux(", targetNamespace: elsewhere")}, 1, 1},
		{"Flux with the same namespace", nil, map[string]string{"apps/a.yaml": flux(", targetNamespace: kubevirt-hyperconverged")}, 0, 0},
		{"Flux fills in the gate", nil, map[string]string{
			"virt/hco.yaml": strings.Replace(gateOn, "Import: true", "Import: ${GATE}", 1), "apps/a.yaml": flux(", postBuild: {substitute: {GATE: \"false\"}}"),
		}, 1, 1},
		{"Flux of the commit fills in another value", map[string]string{"apps/a.yaml": flux("")}, map[string]string{
			"virt/hco.yaml": variable,
			"apps/a.yaml":   flux(", postBuild: {substitute: {N: \"4\"}}"),
		}, 0, 1},
		{"both fill it in", map[string]string{"apps/a.yaml": flux(", postBuild: {substitute: {N: \"4\"}}")}, map[string]string{
			"virt/hco.yaml": variable,
		}, 0, 0},
		{"a plugin over a wrong CR", nil, map[string]string{"virt/hco.yaml": wrong, "apps/a.yaml": argo(", plugin: {name: goldenarch}")}, 1, 1},
		{"a plugin with a GoldenImages", nil, map[string]string{
			"virt/hco.yaml": wrong, "virt/g.yaml": config(""), "apps/a.yaml": argo(", plugin: {name: goldenarch}"),
		}, 1, 1},
		{
			"a plugin taken out",
			map[string]string{"apps/a.yaml": argo(", plugin: {name: goldenarch}")},
			map[string]string{"virt/hco.yaml": wrong, "apps/a.yaml": argo("")},
			1, 1,
		},
		{"ignored differences of the gate, also in a sync", nil, map[string]string{
			"apps/a.yaml": strings.Replace(argo(""), "spec: {", "spec: {syncPolicy: {syncOptions: [RespectIgnoreDifferences=true]}, "+
				"ignoreDifferences: [{group: hco.kubevirt.io, kind: HyperConverged, jsonPointers: [/spec/featureGates]}], ", 1),
		}, 1, 1},
	} {
		for _, path := range []string{".", "virt"} {
			if path == "virt" && tc.trusted != tc.untrusted {
				continue // the whole repository has the other rule
			}
			root := t.TempDir()
			git(t, root, "", "init", "--quiet")
			base := map[string]string{"goldenarch.yaml": fleet + nodes, "virt/hco.yaml": gateOn}
			maps.Copy(base, tc.base)
			commitTree(t, root, base)
			maps.Copy(base, tc.commit)
			commitTree(t, root, tc.commit)
			trusted, status := inTree(t, root, nil, "check", path, "--offline")
			untrusted, strange := inTree(t, root, nil, "check", path, "--untrusted", "--base", "HEAD~1")
			at := fmt.Sprintf("%s, check %s", tc.reason, path)
			if status != tc.trusted && path == "." {
				t.Errorf("%s: trusted: want status %d, got %d\n%s", at, tc.trusted, status, trusted)
			}
			if strange != tc.untrusted && path == "." {
				t.Errorf("%s: untrusted: want status %d, got %d\n%s", at, tc.untrusted, strange, untrusted)
			}
			if strange < status {
				t.Errorf("%s: the stranger gets %d, a trusted run %d\n%s\n%s", at, strange, status, untrusted, trusted)
			}
		}
	}
}

// TestTricksWithEveryFault: a stranger's commit brings a fault, and what could hide it. The untrusted check is red each time.
func TestTricksWithEveryFault(t *testing.T) {
	t.Parallel()
	const (
		fleet = "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n- paths: [virt]\n  release: \"1.19\"\n" +
			"  workloadArchitectures: [amd64, arm64]\n  controlPlaneArchitectures: [amd64]\n"
		lock = "apiVersion: goldenarch.dev/v1alpha1\nkind: ImageArchitectures\nmetadata: {name: l, annotations: {config.kubernetes.io/local-config: \"true\"}}\n" +
			"spec:\n  images:\n  - reference: quay.io/acme/img:1\n    architectures: [amd64, arm64]\n"
		listed  = "resources: [hco.yaml, vm.yaml]\n"
		machine = "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: a, namespace: vms}\n" +
			"spec: {runStrategy: Always, template: {spec: {architecture: amd64, domain: {devices: {}}}}}\n"
	)
	config := func(spec string) string {
		return "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g, annotations: " +
			"{config.kubernetes.io/local-config: \"true\"}}\nspec: {" + spec + "}\n"
	}
	custom := func(declared string) string {
		return strings.TrimSuffix(gateOn, "}\n") + ", dataImportCronTemplates: [{metadata: {name: img, annotations: " +
			"{ssp.kubevirt.io/dict.architectures: \"" + declared + "\"}}, spec: {schedule: \"0 0 * * *\", managedDataSource: img, template: " +
			"{spec: {source: {registry: {url: \"docker://quay.io/acme/img:1\"}}, storage: {resources: {requests: {storage: 1Gi}}}}}}}]}\n"
	}
	annotate := func(text, annotation string) string {
		text = strings.Replace(text, "kubevirt-hyperconverged}", "kubevirt-hyperconverged, annotations: {"+annotation+"}}", 1)
		return strings.Replace(text, "namespace: vms}", "namespace: vms, annotations: {"+annotation+"}}", 1)
	}
	off := strings.Replace(gateOn, "Import: true", "Import: false", 1)
	faults := []struct{ reason, cr, machine string }{
		{"the gate is off", off, machine},
		{"the gate is gone", strings.Replace(gateOn, "featureGates: {enableMultiArchBootImageImport: true}", "", 1), machine},
		{"a declared architecture with a blank", custom("amd64, arm64"), machine},
		{"an architecture that no node has", custom("s390x"), machine},
		{"a machine that no node can run", gateOn, strings.Replace(machine, "architecture: amd64", "architecture: s390x", 1)},
	}
	// Each returns what the commit changes to hide the fault in the CR and the machine. lowers says that a trusted run
	// accepts one of the faults with it.
	tricks := []struct {
		reason string
		lowers bool
		files  func(cr, machine string) map[string]string
	}{
		{"nothing else", false, func(string, string) map[string]string { return nil }},
		{"the Fleet names one architecture", true, func(string, string) map[string]string {
			return map[string]string{"goldenarch.yaml": strings.Replace(fleet, "[amd64, arm64]", "[amd64]", 1)}
		}},
		{"the Fleet names the architecture of the machine", true, func(string, string) map[string]string {
			return map[string]string{"goldenarch.yaml": strings.Replace(fleet, "[amd64, arm64]", "[s390x]", 1)}
		}},
		{"the Fleet says rendered", true, func(string, string) map[string]string {
			return map[string]string{"goldenarch.yaml": fleet + "  as: rendered\n"}
		}},
		{"the Fleet names another place", false, func(string, string) map[string]string {
			return map[string]string{"goldenarch.yaml": strings.Replace(fleet, "[virt]", "[lab]", 1), "lab/hco.yaml": gateOn}
		}},
		{"another release", false, func(string, string) map[string]string {
			return map[string]string{"goldenarch.yaml": strings.Replace(fleet, "1.19", "1.15", 1)}
		}},
		{"a configuration keeps the gate", true, func(string, string) map[string]string { return map[string]string{"virt/g.yaml": config("gate: Keep")} }},
		{"a configuration keeps what is declared", true, func(string, string) map[string]string {
			return map[string]string{"virt/g.yaml": config("unsupported: Keep, unresolved: Keep, existing: Keep")}
		}},
		{"a configuration lowers all", true, func(string, string) map[string]string {
			return map[string]string{"virt/g.yaml": config("findings: {GA107: Info, GA422: Info, GA430: Info, GA107: Info}")}
		}},
		{"exceptions in annotations", true, func(cr, machine string) map[string]string {
			ignore := `goldenarch.dev/ignore: "GA107, GA422, GA430, GA107: we know"`
			return map[string]string{"virt/hco.yaml": annotate(cr, ignore), "virt/vm.yaml": annotate(machine, ignore)}
		}},
		{"a lock that states more", false, func(string, string) map[string]string { return map[string]string{"virt/golden-images.lock.yaml": lock} }},
		{".krmignore", false, func(string, string) map[string]string { return map[string]string{".krmignore": "virt\n"} }},
		{".krmignore within", false, func(string, string) map[string]string { return map[string]string{"virt/.krmignore": "*.yaml\n"} }},
		{"local files", false, func(cr, machine string) map[string]string {
			local := `config.kubernetes.io/local-config: "true"`
			return map[string]string{"virt/hco.yaml": annotate(cr, local), "virt/vm.yaml": annotate(machine, local)}
		}},
		{"a comment of Argo CD", false, func(cr, machine string) map[string]string {
			return map[string]string{
				"virt/hco.yaml": "# +argocd:skip-file-rendering\n" + cr, "virt/vm.yaml": "# +argocd:skip-file-rendering\n" + machine, "apps/a.yaml": application + "}}\n",
			}
		}},
		{"a plugin", false, func(string, string) map[string]string {
			return map[string]string{"apps/a.yaml": application + ", plugin: {name: goldenarch}}}\n"}
		}},
		{"a patch that an Application brings", false, func(string, string) map[string]string {
			return map[string]string{"virt/kustomization.yaml": listed, "apps/a.yaml": application + ", kustomize: {patches: [{path: fix.yaml}]}}}\n"}
		}},
		{"a kustomization of Kustomize that lists neither", false, func(string, string) map[string]string {
			return map[string]string{"virt/kustomization.yaml": "resources: []\n"}
		}},
		{"a link to the wrong file", false, func(cr, machine string) map[string]string {
			return map[string]string{
				"virt/kustomization.yaml": "resources: [more/all.yaml]\n", "virt/more/all.yaml": cr + "---\n" + machine, "virt/hco.yaml": "", "virt/vm.yaml": "",
			}
		}},
		{"another kustomization file", false, func(string, string) map[string]string {
			return map[string]string{"virt/kustomization.yml": listed + "namePrefix: x-\n"}
		}},
	}
	root := t.TempDir()
	git(t, root, "", "init", "--quiet")
	commitTree(t, root, map[string]string{"goldenarch.yaml": fleet, "virt/hco.yaml": gateOn, "virt/vm.yaml": machine})
	git(t, root, "", "branch", "base")
	trusted := []string{"check", ".", "--image", "quay.io/acme/img:1=amd64,arm64"}
	untrusted := append(slices.Clone(trusted), "--untrusted", "--base", "base")
	if out, status := inTree(t, root, nil, untrusted...); status != 0 {
		t.Fatalf("the base: want status 0, got %d\n%s", status, out)
	}
	for _, trick := range tricks {
		worked := false
		for _, fault := range faults {
			git(t, root, "", "checkout", "--quiet", "--detach", "base")
			files := map[string]string{"virt/hco.yaml": fault.cr, "virt/vm.yaml": fault.machine}
			maps.Copy(files, trick.files(fault.cr, fault.machine))
			commitTree(t, root, files)
			_, status := inTree(t, root, nil, trusted...)
			worked = worked || status == 0
			if out, status := inTree(t, root, nil, untrusted...); status != 1 {
				t.Errorf("%s, %s: want status 1, got %d\n%s", fault.reason, trick.reason, status, out)
			}
		}
		if worked != trick.lowers {
			t.Errorf("%s: a trusted run accepts a fault with it: want %t, got %t", trick.reason, trick.lowers, worked)
		}
	}
}
