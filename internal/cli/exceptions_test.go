package cli

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestExceptionsInEveryVerb: a finding that a configuration ignores is in the output of no verb.
func TestExceptionsInEveryVerb(t *testing.T) {
	t.Parallel()
	const cr = `apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}
spec:
  dataImportCronTemplates:
  - metadata: {name: a}
    spec:
      schedule: "0 0 * * *"
      managedDataSource: fedora
      template: {spec: {source: {registry: {imageStream: gone}}, storage: {resources: {requests: {storage: 5Gi}}}}}
  - metadata: {name: fedora-image-cron}
    spec:
      schedule: "0 0 * * *"
      managedDataSource: fedora
      template: {spec: {source: {registry: {url: "docker://registry.example/acme/fedora:1"}}, storage: {resources: {requests: {storage: 5Gi}}}}}
`
	shown := regexp.MustCompile(`(?m)^(?:info|warning) (GA\d+)`)
	tried := 0
	for _, verb := range [][]string{
		{"render", "--offline"},
		{"check", "--offline"},
		{"fix", "--check", "--offline"},
		{"forecast"},
		{"lock", "--check", "--image", "registry.example/acme/fedora:1=amd64,arm64"},
		{"customize", "fedora-image-cron", "--disable", "--check", "--offline"},
	} {
		run := func(findings string) []string {
			dir := filetest.New(t, map[string]string{
				"hco.yaml": cr,
				"golden-images.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\nspec:\n  findings: {" + findings + "}\n" +
					"  cluster: {workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64]}\n  release: \"9.9\"\n" +
					"  overrides: [{image: \"registry.example/acme/fedora:1\", architectures: [amd64, arm64]}]\n",
			})
			out, messages, status := runIn(t, dir, append(slices.Clone(verb), "--config", "golden-images.yaml", "hco.yaml")...)
			if status == statusMisuse {
				t.Fatalf("%v: %s%s", verb, out, messages)
			}
			var ids []string
			for _, match := range shown.FindAllStringSubmatch(out+messages, -1) {
				ids = append(ids, match[1])
			}
			slices.Sort(ids)
			return slices.Compact(ids)
		}
		before := run("")
		var ignored []string
		for _, id := range before {
			ignored = append(ignored, id+": Ignore")
		}
		after := run(strings.Join(ignored, ", "))
		tried += len(before)
		for _, id := range after {
			if slices.Contains(before, id) && id != "GA875" && id != "GA876" {
				t.Errorf("%v: %s is ignored, and shown", verb, id)
			}
		}
	}
	if tried < 6 {
		t.Errorf("only %d findings were ignored", tried)
	}
}
