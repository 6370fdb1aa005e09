package cli

import (
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestCheckDump: outside of Git, a CR with a status is both what the cluster shows and what is checked.
func TestCheckDump(t *testing.T) {
	t.Parallel()
	const gateOff = "{workloadSources: {enableMultiArchBootImageImport: false}}"
	dump := func(spec string) string {
		return "apiVersion: hco.kubevirt.io/v1\nkind: HyperConverged\n" +
			"metadata: {name: kubevirt-hyperconverged, namespace: openshift-cnv, uid: 0d2b8d55, resourceVersion: \"8812\"}\nspec: " + spec + "\nstatus:\n" +
			"  versions: [{name: operator, version: 4.23.0}]\n  nodeInfo: {controlPlaneArchitectures: [amd64], workloadsArchitectures: [amd64, arm64]}\n" +
			"  dataImportCronTemplates:\n  - metadata: {name: fedora-image-cron, annotations: {ssp.kubevirt.io/dict.architectures: \"amd64,arm64\"}}\n" +
			"    spec: {managedDataSource: fedora, schedule: 0 1 * * *, template: {spec: {source: {registry: {url: \"docker://quay.io/containerdisks/fedora:1\"}}, " +
			"storage: {resources: {requests: {storage: 30Gi}}}}}}\n    status: {commonTemplate: true, originalSupportedArchitectures: \"amd64,arm64\"}\n"
	}
	inList := func(text string) string {
		return "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ") + "\n"
	}
	says := []string{"error GA430", "workload amd64,arm64, control plane amd64, gate off", "fedora-image-cron", "oc edit", "-GA012", "-GA120", "-goldenarch fix"}
	for _, tc := range []struct {
		reason string
		files  map[string]string
		git    bool
		args   []string
		says   []string
		status int
	}{
		{"a file", map[string]string{"live.yaml": dump(gateOff)}, false, []string{"live.yaml"}, says, 1},
		{"in a list", map[string]string{"live.yaml": inList(dump(gateOff))}, false, []string{"live.yaml"}, says, 1},
		{"a directory", map[string]string{"d/live.yaml": dump(gateOff)}, false, []string{"d"}, says, 1},
		{"--live alone", map[string]string{"live.yaml": dump(gateOff)}, false, []string{"--live", "live.yaml"}, says, 1},
		{
			"all is well",
			map[string]string{"live.yaml": dump("{workloadSources: {enableMultiArchBootImageImport: true}}")},
			false,
			[]string{"live.yaml"},
			[]string{"boots on amd64 and arm64", "-GA430"},
			0,
		},
		{
			"a blank behind a comma, so that HCO misses an architecture",
			map[string]string{"live.yaml": dump("{workloadSources: {enableMultiArchBootImageImport: true, dataImportCronTemplates: [{metadata: {name: app, " +
				"annotations: {ssp.kubevirt.io/dict.architectures: \"amd64, arm64\"}}, spec: {managedDataSource: app, schedule: 0 1 * * *, template: {spec: " +
				"{source: {registry: {url: \"docker://quay.io/acme/app:1\"}}, storage: {resources: {requests: {storage: 30Gi}}}}}}}]}}")},
			false,
			[]string{"live.yaml", "--image", "quay.io/acme/app:1=amd64,arm64"},
			[]string{"error GA107", "as the CR is on the cluster, SSP imports it for amd64", "oc edit"},
			1,
		},
		{
			"what an upgrade leaves in the list of feature gates",
			map[string]string{"live.yaml": dump("{featureGates: {}, workloadSources: {enableMultiArchBootImageImport: true}}")},
			false,
			[]string{"live.yaml"},
			[]string{"boots on amd64 and arm64", "warning GA411", "#4549"},
			0,
		},
		{
			"its release says where the gate is",
			map[string]string{"live.yaml": strings.Replace(dump("{featureGates: [{name: enableMultiArchBootImageImport}]}"), "4.23.0", "1.18.1", 1)},
			false,
			[]string{"live.yaml"},
			[]string{"boots on amd64 and arm64", "-GA430"},
			0,
		},
		{
			"in Git it is a file with what does not belong there",
			map[string]string{"live.yaml": dump(gateOff)},
			true,
			[]string{"live.yaml"},
			[]string{"GA012", "goldenarch fix"},
			1,
		},
		{
			"--live beside a tree leaves nothing unchecked", map[string]string{
				"live.yaml": dump("{workloadSources: {enableMultiArchBootImageImport: true}}"), "prod/hco.yaml": strings.ReplaceAll(plainCR, "namespace: kubevirt-hyperconverged", "namespace: openshift-cnv"),
			}, false, []string{"prod", "--live", "live.yaml"}, []string{"prod/hco.yaml", "error GA430"}, 1,
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			if tc.git {
				tc.files[".git/HEAD"] = "ref: refs/heads/main\n"
			}
			dir := t.TempDir()
			filetest.Write(t, dir, tc.files)
			out, errs, status := runIn(t, dir, append([]string{"check", "--offline"}, tc.args...)...)
			if status != tc.status {
				t.Errorf("want status %d, got %d", tc.status, status)
			}
			for _, part := range tc.says {
				if part, absent := strings.CutPrefix(part, "-"); strings.Contains(out, part) == absent {
					t.Errorf("%q, absent: %v", part, absent)
				}
			}
			if t.Failed() {
				t.Log(out, errs)
			}
		})
	}
}
