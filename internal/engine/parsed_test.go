package engine

import (
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestCheckParsesEachCROnce: a check looks at the CR of the input and at the one that it writes,
// and at no text twice. What the webhooks make of them comes back with the prediction.
func TestCheckParsesEachCROnce(t *testing.T) {
	t.Parallel()
	const config = `apiVersion: goldenarch.dev/v1alpha1
kind: GoldenImages
metadata: {name: c}
spec:
  release: "1.18"
  cluster: {workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64]}
  overrides: [{template: app, architectures: [amd64]}]
`
	const cr = `
apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata: {name: kubevirt-hyperconverged, namespace: openshift-cnv}
spec:
  dataImportCronTemplates:
  - metadata: {name: app}
    spec:
      managedDataSource: app
      schedule: 0 0 * * *
      template: {spec: {source: {registry: {url: "docker://quay.io/acme/app:1"}}, storage: {resources: {requests: {storage: 1Gi}}}}}
`
	s := Function{}.load([]*yaml.RNode{yaml.MustParse(cr)}, Given(yaml.MustParse(config)), nil)
	got := s.check(t.Context())
	if !got.Rendered || len(got.CRs) != 1 || len(got.CRs[0].Changes) == 0 || len(got.Forecast) != 1 || !got.Forecast[0].Admission.Admission.Changed {
		t.Fatalf("the check proves nothing: %+v\n%s", got, got.Findings)
	}
	// The forms are: as committed, as rendered, rendered without the gate. The verdict compares them, and
	// says which difference only the gate makes.
	const texts = 3
	if n := s.steps[0].crs.Len(); n > texts {
		t.Errorf("want at most %d CRs parsed, got %d", texts, n)
	}
}
