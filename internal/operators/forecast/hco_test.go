package forecast

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// hcoCase is what HCO made of a CR (testdata/README.md).
type hcoCase struct {
	Name     string                     `json:"name"`
	Workload arch.Set                   `json:"workloadArchitectures"`
	CR       map[string]json.RawMessage `json:"hyperConvergedV1"`
	Expected struct {
		Panic   string             `json:"panic"`
		Error   string             `json:"error"`
		Gate    bool               `json:"multiArchEnabled"`
		Status  []expansion.Object `json:"statusDataImportCronTemplates"`
		SSP     []map[string]any   `json:"sspDataImportCronTemplates"`
		Metrics []map[string]any   `json:"metricsDerivedByRule"`
		Enabled any                `json:"multiArchBootImagesEnabledMetric"`
	} `json:"expected"`
}

// TestHCO holds the forecast's status, the templates for SSP and the gauges
// against HCO's.
func TestHCO(t *testing.T) {
	t.Parallel()
	var cases []hcoCase
	readYAML(t, "testdata/hco-dicts.yaml", &cases)
	if len(cases) != 20 {
		t.Fatalf("want 20 cases, got %d", len(cases))
	}
	for _, tc := range cases {
		t.Run(tc.Name, func(t *testing.T) {
			t.Parallel()
			in := Input{CR: tc.parse(t), Table: hyperconverged.Upstream(), Cluster: cluster.Architectures{Workload: tc.Workload}}
			f := Predict(in)
			if tc.Expected.Panic != "" {
				tc.Expected.Error = "panic: " + tc.Expected.Panic
			}
			if f.Error != tc.Expected.Error {
				t.Fatalf("error: want %q, got %q", tc.Expected.Error, f.Error)
			}
			if f.Error != "" {
				return
			}
			if f.MultiArchEnabled != tc.Expected.Gate {
				t.Errorf("gate: want %v, got %v", tc.Expected.Gate, f.MultiArchEnabled)
			}
			if diff := cmp.Diff(tc.Expected.SSP, short(f.SSPTemplates)); diff != "" {
				t.Errorf("templates for SSP (-HCO +forecast):\n%s", diff)
			}
			tc.checkStatus(t, f)
			tc.checkGauges(t, in, f)
		})
	}
}

func (tc hcoCase) parse(t *testing.T) *hyperconverged.CR {
	t.Helper()
	object := map[string]any{"apiVersion": "hco.kubevirt.io/v1", "kind": "HyperConverged", "metadata": map[string]any{"name": "kubevirt-hyperconverged"}}
	for key, value := range tc.CR {
		object[key] = value
	}
	return parseCR(t, object)
}

// short is a template as the cases write it.
func short(templates []expansion.Object) []map[string]any {
	out := []map[string]any{}
	for _, o := range templates {
		metadata, spec := o.Child("metadata"), o.Child("spec")
		s := map[string]any{
			"name": o.Name(), "schedule": spec["schedule"], "managedDataSource": spec["managedDataSource"],
			"source": spec.Child("template", "spec")["source"],
		}
		for key, value := range map[string]any{
			"annotations": metadata["annotations"], "retentionPolicy": spec["retentionPolicy"], "importsToKeep": spec["importsToKeep"],
		} {
			if value != nil {
				s[key] = value
			}
		}
		out = append(out, s)
	}
	return out
}

func (tc hcoCase) checkStatus(t *testing.T, f Forecast) {
	t.Helper()
	want := make([]Status, 0, len(tc.Expected.Status))
	for _, one := range tc.Expected.Status {
		s := Status{Name: text(one, "name")}
		if claim, ok := one.Child("annotations")[hyperconverged.ClaimAnnotation].(string); ok {
			s.Architectures = &claim
		}
		status := one.Child("status")
		s.OriginalSupportedArchitectures = text(status, "originalSupportedArchitectures")
		s.CommonTemplate, _ = status["commonTemplate"].(bool)
		s.Modified, _ = status["modified"].(bool)
		if conditions, _ := status["conditions"].([]any); len(conditions) > 0 {
			no := "False"
			s.Deployed = &no
		}
		want = append(want, s)
	}
	if diff := cmp.Diff(want, f.Status); diff != "" {
		t.Errorf("status (-HCO +forecast):\n%s", diff)
	}
}

func (tc hcoCase) checkGauges(t *testing.T, in Input, f Forecast) {
	t.Helper()
	merged, err := hyperconverged.Merge(in.CR, in.Table, in.Cluster.Workload)
	if err != nil {
		t.Fatal(err)
	}
	got := []map[string]any{}
	for _, g := range metrics(merged, f.MultiArchEnabled) {
		one := map[string]any{"dict": g.template, "with_architecture_annotation": number(g.annotated)}
		if g.supported != nil {
			one["with_supported_architectures"] = number(*g.supported)
		}
		got = append(got, one)
	}
	if diff := cmp.Diff(tc.Expected.Metrics, got); diff != "" {
		t.Errorf("gauges (-HCO +forecast):\n%s", diff)
	}
	disabled := strings.Contains(names(f.Alerts), MultiArchDisabled)
	if want := tc.Expected.Enabled == float64(0); want != disabled {
		t.Errorf("alert %s: want %v, got %v", MultiArchDisabled, want, disabled)
	}
}

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func text(m map[string]any, key string) string {
	s, _ := m[key].(string)
	return s
}

func names(alerts []Alert) string {
	var list []string
	for _, a := range alerts {
		list = append(list, strings.TrimSuffix(a.Name+" "+a.Template, " "))
	}
	return strings.Join(list, ", ")
}
