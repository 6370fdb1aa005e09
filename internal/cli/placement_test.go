package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/test/filetest"
)

const (
	pinnedTemplate = `[{metadata: {name: app, annotations: {ssp.kubevirt.io/dict.architectures: "amd64,arm64"}},
      spec: {managedDataSource: app, schedule: "0 */12 * * *",
      template: {spec: {source: {registry: {url: "docker://quay.io/acme/app:1"}}, storage: {resources: {requests: {storage: 10Gi}}}}}}}]`
	pinnedV1beta1 = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}\n" +
		"spec:\n  PLACED\n  dataImportCronTemplates: " + pinnedTemplate + "\n"
	pinnedV1 = "apiVersion: hco.kubevirt.io/v1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}\n" +
		"spec:\n  PLACED\n  workloadSources:\n    dataImportCronTemplates: " + pinnedTemplate + "\n"
	pinnedConfig = "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: c}\n" +
		"spec: {predefined: none, release: \"1.19\", overrides: [{template: app, architectures: [amd64, arm64]}]}\n"
)

// TestEveryVerbMeetsThePlacement: of stated amd64 and arm64, a CR that is pinned
// to amd64 has amd64 in every verb, with one warning, whoever pinned it.
func TestEveryVerbMeetsThePlacement(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, cr, placed string }{
		{"v1beta1, a node selector", pinnedV1beta1, "workloads: {nodePlacement: {nodeSelector: {kubernetes.io/arch: amd64}}}"},
		{"v1, a node affinity", pinnedV1, "deployment: {nodePlacements: {workload: {affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: " +
			"{nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/arch, operator: NotIn, values: [arm64]}]}]}}}}}}"},
		{"v1beta1, pinned by render", pinnedV1beta1, ""},
		{"v1, pinned by render", pinnedV1, ""},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			config := writeFile(t, dir, "config.yaml", pinnedConfig)
			cr := writeFile(t, dir, "cr.yaml", strings.Replace(tc.cr, "PLACED", tc.placed, 1))
			flags := []string{"--config", config, "--workload-architectures", "amd64,arm64"}
			if tc.placed == "" {
				status, rendered, stderr := runFed(t, "", append([]string{"render", cr, "--set", "singleArchitecture=amd64"}, flags...)...)
				if status != statusOK || stderr != "" {
					t.Fatalf("render: status %d\n%s", status, stderr)
				}
				writeFile(t, dir, "cr.yaml", rendered)
			}
			for _, verb := range []string{"render", "check", "forecast"} {
				args := append([]string{verb, cr}, flags...)
				if verb == "forecast" {
					args = append(args, "-o", "json")
				}
				status, stdout, stderr := runFed(t, "", args...)
				if n := strings.Count(stdout+stderr, "matches no node of arm64"); status != statusOK || n != 1 {
					t.Errorf("%s: status %d, want one warning, got %d\n%s%s", verb, status, n, stdout, stderr)
				}
				switch verb {
				case "render":
					if strings.Contains(stdout, "enableMultiArchBootImageImport") {
						t.Errorf("one architecture is left, so that the multi-arch gate stays:\n%s", stdout)
					}
				case "check":
					if !strings.Contains(stdout, "workload amd64,") {
						t.Errorf("check:\n%s", stdout)
					}
				default:
					if diff := cmp.Diff([]string{"amd64"}, predictedArchitectures(t, stdout)); diff != "" {
						t.Error(diff)
					}
				}
			}
			status, _, stderr := runFed(t, "", append([]string{"check", cr, "--set", "singleArchitecture=amd64"}, flags...)...)
			if status != statusOK || strings.Contains(stderr, "matches no node") {
				t.Errorf("who asks for a single architecture is not warned of it: status %d\n%s", status, stderr)
			}
		})
	}
}

// predictedArchitectures returns the workload architectures of a forecast.
func predictedArchitectures(t *testing.T, text string) []string {
	t.Helper()
	var out struct {
		Workload []string `json:"workloadArchitectures"`
	}
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return out.Workload
}

func writeFile(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	filetest.File(t, path, text)
	return path
}
