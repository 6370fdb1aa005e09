package pipeline

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/check"
)

// TestCheckOfOutcomesOnly: without the objects that operators make, a check has the same
// findings, and the summary of a check keeps what reports show.
func TestCheckOfOutcomesOnly(t *testing.T) {
	t.Parallel()
	const config = `apiVersion: goldenarch.dev/v1alpha1
kind: GoldenImages
metadata: {name: c}
spec:
  release: "1.19"
  cluster: {workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64]}
  overrides: [{template: app, architectures: [amd64]}]
`
	const cr = `
apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}
spec:
  dataImportCronTemplates:
  - metadata: {name: app, annotations: {ssp.kubevirt.io/dict.architectures: "arm64, amd64"}}
    spec:
      managedDataSource: app
      schedule: 0 0 * * *
      template: {spec: {source: {registry: {url: "docker://quay.io/acme/app:1"}}, storage: {resources: {requests: {storage: 1Gi}}}}}
`
	checked := func(only bool) check.Result {
		return Function{OutcomesOnly: only}.Check(t.Context(), []*yaml.RNode{yaml.MustParse(cr)}, Given(yaml.MustParse(config)))
	}
	all, few := checked(false), checked(true)
	if len(all.Findings) == 0 || len(all.Forecast) != 1 || len(few.Forecast) != 1 || len(all.Forecast[0].Forecast.DataImportCrons) == 0 {
		t.Fatalf("the check proves nothing: %+v", all)
	}
	if few.Forecast[0].Forecast.DataImportCrons != nil || few.Forecast[0].Forecast.SSPTemplates != nil {
		t.Error("the forecast has objects that nobody asked for")
	}
	if d := cmp.Diff(all.Findings, few.Findings); d != "" {
		t.Errorf("other findings:\n%s", d)
	}
	if d := cmp.Diff(all.Forecast[0].Forecast.Templates, few.Forecast[0].Forecast.Templates); d != "" {
		t.Errorf("other outcomes:\n%s", d)
	}
	short := few.Summary()
	if short.Items != nil || !short.Rendered || len(short.CRs) != 1 ||
		short.CRs[0].Object != few.CRs[0].Object || !cmp.Equal(short.CRs[0].Changes, few.CRs[0].Changes) {
		t.Errorf("the summary lacks something: %+v", short)
	}
}
