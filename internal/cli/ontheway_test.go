package cli

import (
	"slices"
	"strings"
	"testing"
)

// onTheWayFlags are those with which a cluster of the tests below is green.
var onTheWayFlags = []string{"--offline", "--workload-architectures", "amd64", "--control-plane-architectures", "amd64", "--release", "1.19"}

// checkTree checks a tree of files, and returns the output and the status.
func checkTree(t *testing.T, files map[string]string, args ...string) (string, int) {
	t.Helper()
	dir := writeTree(t, files)
	status, out, errs := runFed(t, "", append([]string{"check", dir}, args...)...)
	return out + errs, status
}

// TestChangesOfMachinesAndPods: what applies a directory changes what is checked in it, in each form of input: an error that names
// the file and the field. What is not checked may change.
func TestChangesOfMachinesAndPods(t *testing.T) {
	t.Parallel()
	const web = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{name: a, image: 'quay.io/acme/web:1'}]}}}\n"
	flux := func(spec string) string {
		return strings.Replace(fluxApplies, "path: ./virt", "path: ./virt, "+spec, 1)
	}
	const patch = "patches: [{target: {kind: VirtualMachine}, patch: '[]'}]"
	disk := strings.Replace(oneMachine, "domain: {devices: {}}", "domain: {devices: {}}, nodeSelector: {a: '${A}'}", 1)
	for _, tc := range []struct {
		reason, machine, applies, says string
		args                           []string
	}{
		{"nothing changes the machine", oneMachine, fluxApplies, "", nil},
		{"a patch of machines", oneMachine, flux(patch), "apps/virt.yaml: Kustomization/virt changes this machine on its way to the cluster", nil},
		{"which nobody checks", oneMachine, flux(patch), "", []string{"--machines", "None"}},
		{"a patch of other objects", oneMachine, flux(strings.Replace(patch, "VirtualMachine", "Deployment", 1)), "", nil},
		{"a variable of the machine", disk, flux("postBuild: {substitute: {A: b}}"), "spec.postBuild fills in spec.template.spec.nodeSelector.a", nil},
		{
			"a variable in its user data",
			strings.Replace(oneMachine, "domain: {devices: {}}", "domain: {devices: {}}, volumes: [{name: c, cloudInitNoCloud: {userData: '${A}'}}]", 1),
			flux("postBuild: {substitute: {A: b}}"), "", nil,
		},
		{
			"a machine that keeps its variables", strings.Replace(disk, "name: a}", "name: a, annotations: {kustomize.toolkit.fluxcd.io/substitute: disabled}}", 1),
			flux("postBuild: {substitute: {A: b}}"), "", nil,
		},
		{
			"a namespace for all",
			strings.Replace(oneMachine, "name: a}", "name: a, namespace: vms}", 1),
			flux("targetNamespace: other"),
			"spec.targetNamespace changes its namespace",
			nil,
		},
		{"the namespace that it has", strings.Replace(oneMachine, "name: a}", "name: a, namespace: vms}", 1), flux("targetNamespace: vms"), "", nil},
		{"labels for all", oneMachine, flux("commonMetadata: {labels: {a: b}, annotations: {team: a}}"), "", nil},
		{"an image of pods, which nobody checks", web, flux("images: [{name: quay.io/acme/web, newTag: '2'}]"), "", nil},
		{
			"an image of pods", web, flux("images: [{name: quay.io/acme/web, newTag: '2'}]"), "changes this object on its way to the cluster",
			[]string{"--workloads", "Check"},
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			for _, kustomization := range []string{"", "resources: [cr.yaml, x.yaml]\n"} {
				files := map[string]string{"virt/cr.yaml": gateOn, "virt/x.yaml": tc.machine, "apps/virt.yaml": tc.applies}
				if strings.Contains(tc.says, "namespace") || strings.Contains(tc.applies, "targetNamespace") {
					files["virt/cr.yaml"] = strings.Replace(gateOn, ", namespace: kubevirt-hyperconverged", "", 1)
				}
				if kustomization != "" {
					files["virt/kustomization.yaml"] = kustomization
				}
				out, _ := checkTree(t, files, append(onTheWayFlags, tc.args...)...)
				if has := strings.Contains(out, "GA874"); has != (tc.says != "") || !strings.Contains(out, tc.says) {
					t.Errorf("want %q, got\n%s", tc.says, out)
				}
			}
		})
	}
}

// TestChangesOfOneFile: what applies the directory of a file changes the file also where the user names it alone.
func TestChangesOfOneFile(t *testing.T) {
	t.Parallel()
	const patch = "path: ./virt, patches: [{target: {kind: HyperConverged}, patch: '[]'}]"
	for _, tc := range []struct {
		reason, path string
		paths        []string
		status       int
	}{
		{"nothing changes it", "path: ./virt", []string{"virt/cr.yaml"}, statusOK},
		{"a patch", patch, []string{"virt/cr.yaml"}, statusFailed},
		{"a patch of what is in the second path", patch, []string{"other/x.yaml", "virt/cr.yaml"}, statusFailed},
		{"a patch of another directory", strings.Replace(patch, "virt", "other", 1), []string{"virt/cr.yaml"}, statusOK},
	} {
		dir := writeTree(t, map[string]string{
			".git/config": "", "virt/cr.yaml": gateOn, "apps/virt.yaml": strings.Replace(fluxApplies, "path: ./virt", tc.path, 1),
			"other/x.yaml": "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n",
		})
		out, errs, status := runIn(t, dir, slices.Concat([]string{"check"}, tc.paths, onTheWayFlags)...)
		if status != tc.status || strings.Contains(out+errs, "GA874") != (tc.status != statusOK) {
			t.Errorf("%s: want status %d, got %d\n%s%s", tc.reason, tc.status, status, out, errs)
		}
	}
}

// TestPatchesOfOperands: a JSON patch that HCO applies to the CR of an operand is an error where a prediction depends on what it
// changes, and the rows that it changes are unknown. Others are silent.
func TestPatchesOfOperands(t *testing.T) {
	t.Parallel()
	with := func(annotation string) map[string]string {
		const namespace = "namespace: kubevirt-hyperconverged"
		return map[string]string{"hco.yaml": strings.Replace(gateOn, namespace, namespace+", annotations: {"+annotation+"}", 1)}
	}
	for _, tc := range []struct {
		reason, annotation, says string
		status                   int
	}{
		{
			"the templates of SSP", `ssp.kubevirt.io/jsonpatch: '[{"op": "remove", "path": "/spec/commonTemplates/dataImportCronTemplates/0"}]'`,
			"error GA413 HyperConverged/kubevirt-hyperconverged metadata.annotations[ssp.kubevirt.io/jsonpatch]", 1,
		},
		{
			"the validator of SSP",
			`ssp.kubevirt.io/jsonpatch: '[{"op": "replace", "path": "/spec/templateValidator/replicas", "value": 5}]'`,
			"RightAsCommitted",
			0,
		},
		{
			"the default architecture", `kubevirt.kubevirt.io/jsonpatch: '[{"op": "add", "path": "/spec/configuration/architectureConfiguration", "value": {}}]'`,
			"(add /spec/configuration/architectureConfiguration)", 1,
		},
		{
			"a gate of KubeVirt",
			`kubevirt.kubevirt.io/jsonpatch: '[{"op": "add", "path": "/spec/configuration/developerConfiguration/featureGates/-", "value": "VSOCK"}]'`,
			"RightAsCommitted", 0,
		},
		{
			"where the importer runs",
			`containerizeddataimporter.kubevirt.io/jsonpatch: '[{"op": "add", "path": "/spec/workload", "value": {}}]'`,
			"the CDI CR",
			1,
		},
		{"no patch", "ssp.kubevirt.io/jsonpatch: '{'", "HCO refuses the CR", 1},
	} {
		out, status := checkTree(t, with(tc.annotation), onTheWayFlags...)
		if status != tc.status || !strings.Contains(out, tc.says) || strings.Contains(out, "GA413") != (status != 0) {
			t.Errorf("%s: want status %d and %q, got %d\n%s", tc.reason, tc.status, tc.says, status, out)
		}
		rows := strings.Contains(out, "fedora-image-cron") && strings.Contains(out, "unknown")
		if rows != strings.Contains(tc.annotation, "dataImportCron") && tc.reason != "no patch" {
			t.Errorf("%s: unknown rows: %v\n%s", tc.reason, rows, out)
		}
	}
}

// TestPatchOfKubeVirtOnOneArchitecture: with the gate off and nodes of one architecture, no golden image depends on KubeVirt's CR.
func TestPatchOfKubeVirtOnOneArchitecture(t *testing.T) {
	t.Parallel()
	const emulation = `[{"op": "add", "path": "/spec/configuration/developerConfiguration", "value": {"useEmulation": true}}]`
	for _, tc := range []struct {
		reason, patch, nodes, says string
		status                     int
	}{
		{"one architecture", emulation, "amd64", "warning GA413", 0},
		{"two", emulation, "amd64,arm64", "error GA413", 1},
		{"HCO refuses the patch", `[{"op": "add", "path": "/x", "value": 1}]`, "amd64", "error GA413", 1},
	} {
		cr := strings.Replace(plainCR, "kubevirt-hyperconverged}", "kubevirt-hyperconverged, annotations: {kubevirt.kubevirt.io/jsonpatch: '"+tc.patch+"'}}", 1)
		args := append(slices.Clone(onTheWayFlags), "--workload-architectures", tc.nodes)
		if out, status := checkTree(t, map[string]string{"hco.yaml": cr}, args...); status != tc.status || !strings.Contains(out, tc.says) {
			t.Errorf("%s: want status %d and %q, got %d\n%s", tc.reason, tc.status, tc.says, status, out)
		}
	}
}

// TestHiddenByAnApplication: a CR that an Application leaves out is a warning, and an error in a commit of a stranger.
func TestHiddenByAnApplication(t *testing.T) {
	t.Parallel()
	excluding := application + ", directory: {exclude: hco.yaml}}}\n"
	for _, tc := range []struct {
		reason string
		files  map[string]string
		hides  bool
	}{
		{"exclude", map[string]string{"virt/hco.yaml": plainCR, "apps/virt.yaml": excluding}, true},
		{"include", map[string]string{"virt/hco.yaml": plainCR, "apps/virt.yaml": strings.Replace(excluding, "exclude: hco", "include: x", 1)}, true},
		{"a comment", map[string]string{"virt/hco.yaml": "# +argocd:skip-file-rendering\n" + plainCR, "apps/virt.yaml": application + "}}\n"}, true},
		{"another file", map[string]string{"virt/hco.yaml": plainCR, "apps/virt.yaml": strings.Replace(excluding, "hco", "x", 1)}, false},
	} {
		for untrusted, severity := range map[string]string{"": "warning", "--untrusted": "error"} {
			tc.files["other/hco.yaml"] = plainCR
			out, status := checkTree(t, tc.files, onTheWayFlags...)
			if untrusted != "" {
				root := t.TempDir()
				initialised(t, root)
				commitTree(t, root, tc.files)
				out, status = inTree(t, root, nil, slices.Concat([]string{"check", ".", untrusted, "--base", "empty"}, onTheWayFlags[1:])...)
			}
			if strings.Contains(out, severity+" GA865: an Application") != tc.hides || tc.hides && untrusted != "" && status != 1 {
				t.Errorf("%s %s: got %d\n%s", tc.reason, untrusted, status, out)
			}
		}
	}
}

// TestVariableInARegistry: a registry that something fills in is no wrong url.
func TestVariableInARegistry(t *testing.T) {
	t.Parallel()
	cr := strings.Replace(gateOn, "spec: {", "spec: {dataImportCronTemplates: [{"+
		"metadata: {name: a, annotations: {ssp.kubevirt.io/dict.architectures: amd64}}, spec: "+
		"{schedule: 0 1 * * *, managedDataSource: a, template: {spec: {source: {registry: {url: 'docker://${REGISTRY}/acme/fedora:42'}}, "+
		"storage: {resources: {requests: {storage: 30Gi}}}}}}}], ", 1)
	for applies, want := range map[string]string{
		strings.Replace(fluxApplies, "path: ./virt", "path: ./virt, postBuild: {substitute: {REGISTRY: quay.io}}", 1): "error GA872", fluxApplies: "error GA205",
	} {
		out, status := checkTree(t, map[string]string{"virt/hco.yaml": cr, "apps/virt.yaml": applies}, onTheWayFlags...)
		both := strings.Contains(out, "GA872") == strings.Contains(out, "GA205")
		if status != 1 || !strings.Contains(out, want) || both || strings.Contains(out, "orrect the url") {
			t.Errorf("want status 1 and %s, got %d\n%s", want, status, out)
		}
	}
}
