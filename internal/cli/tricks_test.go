package cli

import (
	"fmt"
	"maps"
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
