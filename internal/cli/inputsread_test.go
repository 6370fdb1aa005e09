package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestInputsAreRead: a file that spec.inputs names is read, so 'goldenarch check .' at the root and the check of the
// directory agree about it.
func TestInputsAreRead(t *testing.T) {
	t.Parallel()
	const live = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\n" +
		"metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged, uid: a}\nspec: {}\n" +
		"status: {versions: [{name: operator, version: 1.19.0}], nodeInfo: {workloadsArchitectures: [amd64], controlPlaneArchitectures: [amd64]}}\n"
	const function = "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g, annotations: " +
		"{config.kubernetes.io/function: 'exec: {path: goldenarch}'}}\nspec: {inputs: [live.yaml]}\n"
	config := strings.Replace(imagesConfig, "spec: {}", "spec: {inputs: [FILE]}", 1)
	fleetOf := func(file string) string {
		return "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n- {paths: [virt], config: " + file + "}\n"
	}
	example := map[string]string{}
	for name, text := range filesBelow(t, filepath.Join("..", "..", "examples", "kustomize", "generator")) {
		example["virt/"+name] = text
	}
	const listed = "resources: [hco.yaml]\n"
	for _, tc := range []struct {
		reason string
		files  map[string]string
		args   []string
		status int
		says   string
	}{
		{"a generator, which only kustomize runs", example, []string{"--as", "rendered"}, statusFailed, "goldenarch runs no generators itself"},
		{"a transformer", map[string]string{
			"virt/hco.yaml": plainCR, "virt/live.yaml": live, "virt/g.yaml": function, "virt/kustomization.yaml": listed + "transformers: [g.yaml]\n",
		}, []string{"--as", "rendered"}, statusOK, "workload amd64"},
		{"a configuration of the Fleet", map[string]string{
			"virt/hco.yaml": plainCR, "virt/live.yaml": live, "virt/kustomization.yaml": listed,
			"virt/g.yaml": strings.ReplaceAll(config, "FILE", "virt/live.yaml"), "goldenarch.yaml": fleetOf("virt/g.yaml"),
		}, nil, statusOK, "workload amd64"},
		{"a live CR in a directory of its own, which is no cluster", map[string]string{
			"virt/hco.yaml": plainCR, "conf/live.yaml": live, "virt/kustomization.yaml": listed,
			"conf/g.yaml": strings.ReplaceAll(config, "FILE", "conf/live.yaml"), "goldenarch.yaml": fleetOf("conf/g.yaml"),
		}, nil, statusOK, "1 HyperConverged CR,"},
		{"a CR that is to be applied stays one to check", map[string]string{
			"virt/hco.yaml": plainCR, "virt/other.yaml": plainCR, "virt/kustomization.yaml": listed,
			"virt/g.yaml": strings.ReplaceAll(config, "FILE", "virt/other.yaml"), "goldenarch.yaml": fleetOf("virt/g.yaml"),
		}, nil, statusFailed, "GA812"},
	} {
		dir := writeTree(t, tc.files)
		for _, path := range []string{".", "virt"} {
			out, errs, status := runIn(t, dir, append([]string{"check", path, "--offline"}, tc.args...)...)
			if status != tc.status || !strings.Contains(out, tc.says) || tc.status == statusOK && strings.Contains(out, "GA812") {
				t.Errorf("%s: check %s ends with %d, want %d and %q\n%s%s", tc.reason, path, status, tc.status, tc.says, out, errs)
			}
		}
	}
}
