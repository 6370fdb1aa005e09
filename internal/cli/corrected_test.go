package cli

import (
	"strings"
	"testing"
)

// TestCorrectedForAllClusters: a declaration in a file that several clusters build is corrected only if
// it leaves nothing for any of them. Check and fix agree, and fix writes no half of it.
func TestCorrectedForAllClusters(t *testing.T) {
	t.Parallel()
	cr := `apiVersion: hco.kubevirt.io/v1
kind: HyperConverged
metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}
spec:
  workloadSources:
    enableMultiArchBootImageImport: true
    dataImportCronTemplates:
    - metadata: {name: a, annotations: {ssp.kubevirt.io/dict.architectures: arm64}}
      spec:
        schedule: 0 1 * * *
        managedDataSource: a
        template: {spec: {source: {registry: {url: 'docker://quay.io/acme/fedora:42'}}, storage: {resources: {requests: {storage: 30Gi}}}}}
`
	overlay := "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [../../base]\n"
	fleetOf := func(east, west string) string {
		entry := func(name, workload string) string {
			return "- paths: [overlays/" + name + "]\n  release: '1.19'\n  workloadArchitectures: [" + workload + "]\n  controlPlaneArchitectures: [amd64]\n"
		}
		return "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: fleet}\nclusters:\n" + entry("east", east) + entry("west", west)
	}
	options := []string{"--offline", "--set", "predefined=none", "--image", "quay.io/acme/fedora:42=amd64,arm64"}
	for _, tc := range []struct {
		reason, east, west, want string
		red                      bool // after fix
	}{
		{"no cluster has it", "amd64,s390x", "amd64", "amd64,arm64", false},
		{"another one has it", "amd64,s390x", "amd64,arm64", "arm64", true},
	} {
		dir := writeTree(t, map[string]string{
			"base/hco.yaml": cr, "base/kustomization.yaml": strings.Replace(overlay, "../../base", "hco.yaml", 1),
			"overlays/east/kustomization.yaml": overlay, "overlays/west/kustomization.yaml": overlay, "goldenarch.yaml": fleetOf(tc.east, tc.west),
		})
		run := func(verb string) (string, int) {
			out, messages, status := runIn(t, dir, append([]string{verb, "."}, options...)...)
			return out + messages, status
		}
		said, status := run("check")
		if corrects := strings.Contains(said, "which leaves no workload node"); status != statusFailed || corrects != (tc.want == "amd64,arm64") || !strings.Contains(said, "error GA515") {
			t.Errorf("%s: check ends with %d:\n%s", tc.reason, status, said)
		}
		if said, status = run("fix"); status != statusOK {
			t.Errorf("%s: fix ends with %d:\n%s", tc.reason, status, said)
		}
		text := strings.ReplaceAll(filesBelow(t, dir)["base/hco.yaml"], "'", "")
		if !strings.Contains(text, "dict.architectures: "+tc.want) || strings.Contains(text, "enable: ") {
			t.Errorf("%s: want %s, and nothing disabled, got\n%s\n%s", tc.reason, tc.want, text, said)
		}
		if said, status = run("check"); (status == statusFailed) != tc.red {
			t.Errorf("%s: after fix, check ends with %d:\n%s", tc.reason, status, said)
		}
	}
}
