package engine

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestCheckOfOutcomesOnly: a check predicts no objects that operators make, which no report shows, and
// its summary keeps what reports show.
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
	few := Function{}.Check(t.Context(), []*yaml.RNode{yaml.MustParse(cr)}, Given(yaml.MustParse(config)))
	if len(few.Findings) == 0 || len(few.Forecast) != 1 || len(few.Forecast[0].Forecast.Templates) == 0 {
		t.Fatalf("the check proves nothing: %+v", few)
	}
	if few.Forecast[0].Forecast.DataImportCrons != nil || few.Forecast[0].Forecast.SSPTemplates != nil {
		t.Error("the forecast has objects that nobody asked for")
	}
	short := few.Summarized()
	if !short.Rendered || len(short.CRs) != 1 ||
		short.CRs[0].Object != few.CRs[0].Object || !cmp.Equal(short.CRs[0].Changes, few.CRs[0].Changes) {
		t.Errorf("the summary lacks something: %+v", short)
	}
}
