package prediction_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/engine/prediction"
	"github.com/goldenarch/goldenarch/internal/engine/settings"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
)

// itemsOf reads items, one a document.
func itemsOf(texts ...string) []*yaml.RNode {
	out := make([]*yaml.RNode, len(texts))
	for i, text := range texts {
		out[i] = yaml.MustParse(text)
	}
	return out
}

// hco is a CR with templates; fields is what its spec has besides.
func hco(name, fields string, templates ...string) string {
	return `{apiVersion: hco.kubevirt.io/v1beta1, kind: HyperConverged, metadata: {name: ` + name + `, namespace: kubevirt-hyperconverged},
		spec: {` + fields + `dataImportCronTemplates: [` + strings.Join(templates, ", ") + `]}}`
}

const gateOn = "featureGates: {enableMultiArchBootImageImport: true}, "

// entry is a template that declares architectures.
func entry(name, architectures string) string {
	return `{metadata: {name: ` + name + `, annotations: {ssp.kubevirt.io/dict.architectures: "` + architectures + `"}}, spec: {
		managedDataSource: ` + name + `, schedule: "0 0 * * *",
		template: {spec: {storage: {resources: {requests: {storage: 1Gi}}}, source: {registry: {url: "docker://quay.io/acme/` + name + `:1"}}}}}}`
}

const nodes = `{apiVersion: goldenarch.dev/v1alpha1, kind: ClusterArchitectures, metadata: {name: c}, spec: {nodes: [
	{architecture: amd64, labels: {node-role.kubernetes.io/control-plane: ""}},
	{architecture: amd64, labels: {node-role.kubernetes.io/worker: ""}}, {architecture: arm64, labels: {node-role.kubernetes.io/worker: ""}}]}}`

// predictor returns a predictor for a release, and without predefined templates.
func predictor(release string, how prediction.Admission) prediction.Predictor {
	spec := &v1alpha1.GoldenImagesSpec{Release: release, Predefined: v1alpha1.PredefinedNone}
	spec.Default()
	return prediction.Predictor{Settings: settings.Of(spec), Admission: how}
}

// outcomes shows what happens to each template, as "name: outcome architectures".
func outcomes(f forecast.Forecast) []string {
	var out []string
	for _, one := range f.Templates {
		out = append(out, one.Name+": "+string(one.Outcome)+" "+strings.Join(one.Architectures, ","))
	}
	return out
}

// TestAll: what is predicted for each CR of the items, and which warnings say what it is based on.
func TestAll(t *testing.T) {
	t.Parallel()
	ssp := `{apiVersion: ssp.kubevirt.io/v1beta3, kind: SSP, metadata: {name: ssp, namespace: kubevirt-hyperconverged}, spec: {commonTemplates: {namespace: n-s}}}`
	for _, tc := range []struct {
		reason  string
		items   []string
		release string
		how     prediction.Admission
		want    []string // the outcomes of each prediction
		warns   []finding.ID
		refused bool
	}{
		{reason: "no CR", items: []string{nodes}, how: prediction.AsWritten},
		{
			reason: "each architecture of the workload nodes", items: []string{hco("kubevirt-hyperconverged", gateOn, entry("app", "amd64,arm64,s390x")), nodes},
			release: "1.18", how: prediction.AsWritten, want: []string{"app: deployed amd64,arm64"},
		},
		{
			reason: "without a release, it is for the newest one", items: []string{hco("kubevirt-hyperconverged", gateOn, entry("app", "amd64")), nodes},
			how: prediction.AsWritten, want: []string{"app: deployed amd64"}, warns: []finding.ID{finding.ReleaseNeeded},
		},
		{
			reason: "a refused CR has no outcomes", items: []string{hco("kubevirt-hyperconverged", gateOn, entry("app", "amd64"), entry("app", "arm64")), nodes},
			release: "1.18", how: prediction.ThroughAdmission, refused: true,
		},
		{
			reason: "an SSP CR beside the CR adds no template to it", items: []string{hco("kubevirt-hyperconverged", gateOn, entry("app", "amd64")), nodes, ssp},
			release: "1.18", how: prediction.AsWritten, want: []string{"app: deployed amd64"},
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			list, found := predictor(tc.release, tc.how).Read(itemsOf(tc.items...)).All()
			if len(found) > 0 {
				t.Errorf("unexpected: %s", found)
			}
			var got []string
			var warned []finding.ID
			for _, one := range list {
				got = append(got, outcomes(one.Forecast)...)
				for _, f := range one.Warnings {
					warned = append(warned, f.ID)
				}
				if refused := len(one.Refusals()) > 0; refused != tc.refused {
					t.Errorf("refused: %t", refused)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("outcomes (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.warns, warned); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
}

// TestPartly: what happens to the other templates of a CR of which one has an error.
func TestPartly(t *testing.T) {
	t.Parallel()
	const name = "kubevirt-hyperconverged"
	for _, tc := range []struct {
		reason    string
		templates []string
		faults    prediction.Faults
		want      []string
		nothing   bool
	}{
		{
			reason:    "HCO refuses the second template of a name, and the others are predicted",
			templates: []string{entry("app", "amd64"), entry("app", "arm64"), entry("other", "amd64")},
			faults:    prediction.Faults{1: ""},
			want:      []string{"app: deployed amd64", "app: error ", "other: deployed amd64"},
		},
		{reason: "no template has an error", templates: []string{entry("app", "amd64")}, nothing: true},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			items := itemsOf(hco(name, gateOn, tc.templates...), nodes)
			partly := predictor("1.18", prediction.ThroughAdmission).Read(items)
			list, _ := partly.All()
			wrong := partly.RefusedTemplates(list[0])
			if len(wrong) != len(tc.faults) {
				t.Fatalf("want faults of %d templates, got %v", len(tc.faults), wrong)
			}
			out := partly.Without(nil, list[0].Object, wrong)
			if (out == nil) != tc.nothing {
				t.Fatalf("predicted: %v", out)
			}
			if out == nil {
				return
			}
			if diff := cmp.Diff(tc.want, outcomes(*out)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestPrepare: a prediction is based on the CR as the cluster stores it.
func TestPrepare(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		item   string
		how    prediction.Admission
		input  bool
		stored bool
	}{
		{"as written", hco("kubevirt-hyperconverged", gateOn, entry("app", "amd64")), prediction.AsWritten, true, false},
		{"as stored", hco("kubevirt-hyperconverged", gateOn, entry("app", "amd64")), prediction.ThroughAdmission, true, true},
		{"refused, so the operators get no CR", hco("another-name", gateOn, entry("app", "amd64"), entry("app", "amd64")), prediction.ThroughAdmission, false, true},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			list, found := predictor("1.18", tc.how).Read(itemsOf(tc.item, nodes)).Prepare()
			if len(list) != 1 || found.Failed() {
				t.Fatalf("got %d predictions\n%s", len(list), found)
			}
			if (list[0].Input != nil) != tc.input || (list[0].Admission != nil) != tc.stored {
				t.Errorf("input %v, admission %v\n%s", list[0].Input, list[0].Admission, list[0].Warnings)
			}
			if in := list[0].Input; in != nil && in.Cluster.Workload.String() != "amd64,arm64" {
				t.Errorf("the workload architectures are %s", in.Cluster.Workload)
			}
		})
	}
}

// TestSSPs: which objects are SSP CRs for the cluster.
func TestSSPs(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, item string
		want         int
	}{
		{"an SSP CR", `{apiVersion: ssp.kubevirt.io/v1beta2, kind: SSP, metadata: {name: a}}`, 1},
		{"in a List", `{apiVersion: v1, kind: List, items: [{apiVersion: ssp.kubevirt.io/v1beta2, kind: SSP, metadata: {name: a}}]}`, 1},
		{"another group", `{apiVersion: example.com/v1, kind: SSP, metadata: {name: a}}`, 0},
		{
			"one that is not for the cluster",
			`{apiVersion: ssp.kubevirt.io/v1beta2, kind: SSP, metadata: {name: a, annotations: {config.kubernetes.io/local-config: "true"}}}`, 0,
		},
	} {
		if got := prediction.SSPs(object.All(itemsOf(tc.item))); len(got) != tc.want {
			t.Errorf("%s: want %d, got %d", tc.reason, tc.want, len(got))
		}
	}
}
