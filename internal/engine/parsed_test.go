package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

const (
	parsedConfig = `apiVersion: goldenarch.dev/v1alpha1
kind: GoldenImages
metadata: {name: c}
spec:
  release: "1.18"
  cluster: {workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64]}
  overrides: [{template: app, architectures: [amd64]}]
`
	parsedCR = `
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
)

// TestCheckParsesEachCROnce: a check looks at the CR of the input and at the one that it writes,
// and at no text twice. What the webhooks make of them comes back with the prediction.
func TestCheckParsesEachCROnce(t *testing.T) {
	t.Parallel()
	s := Function{}.load([]*yaml.RNode{yaml.MustParse(parsedCR)}, Given(yaml.MustParse(parsedConfig)), nil)
	got := s.check(t.Context())
	if !got.Rendered || len(got.CRs) != 1 || len(got.CRs[0].Changes) == 0 || len(got.Forecast) != 1 || !got.Forecast[0].Admission.Admission.Changed {
		t.Fatalf("the check proves nothing: %+v\n%s", got, got.Findings)
	}
	// The forms are: as committed, and as rendered. The verdict compares them.
	const texts = 2
	if n := s.steps[0].crs.Len(); n > texts {
		t.Errorf("want at most %d CRs parsed, got %d", texts, n)
	}
	if n := s.steps[0].crs.Forms(); n > texts {
		t.Errorf("want at most %d forms of the CR encoded, got %d", texts, n)
	}
}

// TestWorkOfOverlays: of a CR that is right, a check encodes and parses the one form, and overlays
// of one base decode its lock once.
func TestWorkOfOverlays(t *testing.T) {
	t.Parallel()
	const config = `apiVersion: goldenarch.dev/v1alpha1
kind: GoldenImages
metadata: {name: c}
spec:
  release: "1.19"
  predefined: none
  lock: {mode: Require}
  cluster: {workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64]}
`
	const cr = `
apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}
spec:
  enableCommonBootImageImport: false
  featureGates: {enableMultiArchBootImageImport: true}
  infra: {nodePlacement: {nodeSelector: {example.com/site: "%d"}}}
  dataImportCronTemplates:
  - metadata: {name: app, annotations: {ssp.kubevirt.io/dict.architectures: "amd64,arm64"}}
    spec:
      managedDataSource: app
      schedule: 0 0 * * *
      template: {spec: {source: {registry: {url: "docker://quay.io/acme/app:1"}}, storage: {resources: {requests: {storage: 1Gi}}}}}
`
	text := "apiVersion: goldenarch.dev/v1alpha1\nkind: ArchitectureLock\nmetadata: {name: l}\nimages:\n- reference: quay.io/acme/app:1\n" +
		"  digest: sha256:" + strings.Repeat("0", 64) + "\n  mediaType: m/x\n" +
		"  platforms: [{os: linux, architecture: amd64}, {os: linux, architecture: arm64}]\n"
	function := Function{}
	function.Locks = &lock.Shared{}
	for site := range 3 {
		items := []*yaml.RNode{yaml.MustParse(fmt.Sprintf(cr, site)), yaml.MustParse(text)}
		for _, item := range items {
			yamlnode.Walk(item.YNode(), func(n *yaml.Node) { n.Line = 0 }) // as of a build
		}
		s := function.load(items, Given(yaml.MustParse(config)), nil)
		got := s.check(t.Context())
		if !got.Rendered || got.Findings.Failed() || len(got.Forecast) != 1 || len(got.CRs) != 1 || len(got.CRs[0].Changes) > 0 {
			t.Fatalf("the check proves nothing: %+v\n%s", got, got.Findings)
		}
		if forms, texts := s.steps[0].crs.Forms(), s.steps[0].crs.Len(); forms != 1 || texts != 1 {
			t.Errorf("want 1 form of the CR encoded and parsed, got %d and %d", forms, texts)
		}
	}
	if n := function.Locks.Len(); n != 1 {
		t.Errorf("want 1 lock decoded, got %d", n)
	}
}

// TestCheckOfOutcomesOnly: a check predicts no objects that operators make, which no report shows, and
// its summary keeps what reports show.
func TestCheckOfOutcomesOnly(t *testing.T) {
	t.Parallel()
	few := Function{}.Check(t.Context(), []*yaml.RNode{yaml.MustParse(parsedCR)}, Given(yaml.MustParse(parsedConfig)))
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
