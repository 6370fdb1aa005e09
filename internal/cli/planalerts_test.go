package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestPlanEndsAlerts: an alert about a template ends by itself only if HCO measures the template afterwards.
func TestPlanEndsAlerts(t *testing.T) {
	t.Parallel()
	const restarts = "only once the pod of HCO restarts"
	cr := func(gate, annotations string) string {
		return "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged, uid: u}\n" +
			"spec:\n  featureGates: {enableMultiArchBootImageImport: " + gate + "}\n  dataImportCronTemplates:\n  - metadata: {name: own, annotations: {" + annotations + "}}\n" +
			"    spec: {schedule: \"0 0 * * *\", managedDataSource: own, template: {spec: {source: {registry: {url: \"docker://registry.example/own:1\"}}, " +
			"storage: {resources: {requests: {storage: 5Gi}}}}}}\n"
	}
	const status = "status:\n  versions: [{name: operator, version: 1.18.0}]\n" +
		"  nodeInfo: {controlPlaneArchitectures: [amd64], workloadsArchitectures: [amd64, arm64]}\n"
	dir := t.TempDir()
	live := filepath.Join(dir, "live.yaml")
	filetest.File(t, live, cr("true", "")+status)
	unstated := filepath.Join(dir, "unstated.yaml")
	filetest.File(t, unstated, strings.Replace(cr("true", ""), "  featureGates: {enableMultiArchBootImageImport: true}\n", "", 1))
	if _, out, _ := runFed(t, "", "plan", unstated, "--live", live); !strings.Contains(out, "the dump has it on, an apply leaves it on") || strings.Contains(out, "Alerts that") {
		t.Errorf("Git does not state the gate: want no alert that starts or ends, got\n%s", out)
	}
	for _, tc := range []struct {
		reason, after string
		restart       bool
	}{
		{"the template declares its architectures", cr("true", "ssp.kubevirt.io/dict.architectures: amd64"), false},
		{"it is disabled", cr("true", "dataimportcrontemplate.kubevirt.io/enable: 'false'"), true},
		{"it has another name", strings.Replace(cr("true", "ssp.kubevirt.io/dict.architectures: amd64"), "name: own", "name: other", 1), true},
		{"the gate is off", cr("false", ""), true},
	} {
		after := filepath.Join(dir, "after.yaml")
		filetest.File(t, after, tc.after)
		code, out, messages := runFed(t, "", "plan", after, "--live", live)
		_, ends, ok := strings.Cut(out, "Alerts that end")
		if ends, _, _ = strings.Cut(ends, "\n\n"); code != 0 || !ok || strings.Contains(ends, restarts) != tc.restart {
			t.Errorf("%s: status %d, want the end to need a restart: %t\n%s%s", tc.reason, code, tc.restart, out, messages)
		}
	}
}
