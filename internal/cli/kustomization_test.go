package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestKustomization: the verbs build a directory that has a kustomization. What
// it lists as goldenarch's configuration counts, and the inputs of that are
// relative to the kustomization, as kustomize would have it.
func TestKustomization(t *testing.T) {
	t.Parallel()
	dir := filetest.New(t, map[string]string{
		"base/kustomization.yaml": "resources: [hco.yaml]",
		"base/hco.yaml":           manifests,
		"prod/kustomization.yaml": "resources: [../base]\nnamespace: team-x\ntransformers: [golden-images.yaml]",
		"prod/golden-images.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\nspec: {inputs: [nodes.yaml]}\n",
		"prod/nodes.yaml": `apiVersion: goldenarch.dev/v1alpha1
kind: ClusterArchitectures
metadata: {name: prod}
spec: {workload: [amd64, arm64], controlPlane: [amd64]}
`,
		"prefixed/kustomization.yaml": "resources: [../base]\nnamePrefix: x-\n",
		"map/kustomization.yaml":      "resources: [../base]\ntransformers: [options.yaml]",
		"map/options.yaml": `apiVersion: v1
kind: ConfigMap
metadata: {name: options, annotations: {config.kubernetes.io/function: 'exec: {path: goldenarch}'}}
data: {workloadArchitectures: 'amd64,arm64', controlPlaneArchitectures: amd64}
`,
		"other.yaml":           "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: other}\n",
		"remote/Kustomization": "resources: ['git@example.com:org/repo']",
	})
	for _, tc := range []struct {
		reason, verb, path string
		status             int
		config             string
		stdout, stderr     string
	}{
		{
			reason: "built, and made right",
			verb:   "render",
			path:   "prod",
			stdout: "dict.architectures: amd64,arm64\n",
			stderr: "(" + filepath.Join(dir, "base/hco.yaml") + ":7)",
		},
		{reason: "with what the overlay changes", verb: "render", path: "prod", stdout: "namespace: team-x", stderr: "GA101"},
		{reason: "without goldenarch's own objects", verb: "render", path: "base", status: 1, stderr: "error GA114"},
		{reason: "a ConfigMap configures as well", verb: "render", path: "map", stdout: "dict.architectures: amd64,arm64\n"},
		{reason: "which --config replaces", verb: "render", path: "map", config: "other.yaml", status: 1, stderr: "error GA114"},
		{reason: "one of the same name takes its place", verb: "render", path: "map", config: "map/options.yaml", stdout: "dict.architectures: amd64,arm64\n"},
		{reason: "foretold", verb: "forecast", path: "prod", stdout: "workload amd64,arm64, control plane amd64"},
		{reason: "a name that HCO ignores", verb: "render", path: "prefixed", status: 1, stderr: "error GA009 HyperConverged/x-kubevirt-hyperconverged"},
		{reason: "and nothing is predicted of it", verb: "forecast", path: "prefixed", stdout: "It makes nothing of a CR named \"x-kubevirt-hyperconverged\""},
		{reason: "what is remote is not fetched", verb: "render", path: "remote", status: 1, stderr: "goldenarch fetches nothing"},
		{reason: "a tree of bases and overlays is not one build", verb: "render", path: ".", status: 1, stderr: "name the directory"},
	} {
		args := []string{tc.verb, filepath.Join(dir, tc.path)}
		if tc.config != "" {
			args = append(args, "--config", filepath.Join(dir, tc.config))
		}
		status, out, errs := runFed(t, "", args...)
		if status != tc.status || !strings.Contains(out, tc.stdout) || !strings.Contains(errs, tc.stderr) {
			t.Errorf("%s: status %d\n%s%s", tc.reason, status, out, errs)
		}
		if tc.status != 0 && len(out) > 0 {
			t.Errorf("%s: half a result: %s", tc.reason, out)
		}
		if strings.Contains(out, "goldenarch.dev/v1alpha1") && tc.verb == "render" {
			t.Errorf("%s: goldenarch's own objects are not for the cluster: %s", tc.reason, out)
		}
	}
}
