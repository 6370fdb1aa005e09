package forecast

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// sspCase is the input of SSP (testdata/README.md).
type sspCase struct {
	Gate         bool                 `json:"enableMultipleArchitectures"`
	ControlPlane arch.Set             `json:"controlPlaneArchitectures"`
	Workload     arch.Set             `json:"workloadArchitectures"`
	Namespace    string               `json:"namespace"`
	Bundle       expansion.Bundle     `json:"dataSourceCollection"`
	Templates    []expansion.Template `json:"dataImportCronTemplates"`
	Existing     []expansion.Object   `json:"existing"`
	Labels       map[string]string    `json:"sspLabels"` // app labels, stripped from the answers
}

// TestSSP holds the forecast from SSP on against what SSP and CDI made of
// templates.
func TestSSP(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/ssp/*.yaml")
	if err != nil || len(files) != 10 {
		t.Fatalf("want 10 cases, got %d (%v)", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			var tc sspCase
			readYAML(t, file, &tc)
			f := tc.predict(t)
			base := strings.TrimSuffix(file, ".yaml")
			made := append(append([]expansion.Object{}, f.DataImportCrons...), f.DataSourcesBySSP...)
			if diff := cmp.Diff(readObjects(t, base+".out"), made); diff != "" {
				t.Errorf("by SSP (-operators +forecast):\n%s", diff)
			}
			if diff := cmp.Diff(readObjects(t, base+".cdi.out"), withAppLabels(f)); diff != "" {
				t.Errorf("after CDI (-operators +forecast):\n%s", diff)
			}
			checkOwners(t, f)
			if refused := len(made) == 0; refused != (f.SSPRejected != "") {
				t.Errorf("an empty answer is a refusal: got %q", f.SSPRejected)
			}
		})
	}
}

func (tc sspCase) predict(t *testing.T) Forecast {
	t.Helper()
	in := Input{
		Namespace: tc.Namespace, Bundle: tc.Bundle,
		Cluster: cluster.Architectures{ControlPlane: tc.ControlPlane, Workload: tc.Workload},
	}
	if in.Bundle == nil {
		in.Bundle = expansion.Shipped()
	}
	if in.Namespace == "" {
		in.Namespace = expansion.UpstreamNamespace
	}
	for _, o := range tc.Existing {
		e, ok := ReadExisting(o)
		if !ok {
			t.Fatalf("SSP looks at no %v", o["kind"])
		}
		in.Existing = append(in.Existing, e)
	}
	s := in.ssp()
	s.gate, s.templates = tc.Gate, tc.Templates
	var f Forecast
	f.predictSSP(s, false)
	return f
}

// withAppLabels returns the DataSources after CDI with the labels that CDI puts
// on those that it fills.
func withAppLabels(f Forecast) []expansion.Object {
	filled := map[string]bool{}
	for _, d := range f.DataSources {
		filled[d.Namespace+"/"+d.Name] = d.FilledBy != ""
	}
	for _, o := range f.DataSourcesAfterCDI {
		if filled[o.Namespace()+"/"+o.Name()] {
			labels := o.Child("metadata", "labels")
			labels["app.kubernetes.io/component"], labels["app.kubernetes.io/managed-by"] = "storage", "cdi-controller"
		}
	}
	return append([]expansion.Object{}, f.DataSourcesAfterCDI...)
}

// checkOwners holds that SSP owns what it makes, and CDI the rest: no case has a
// DataSource that stood there before.
func checkOwners(t *testing.T, f Forecast) {
	t.Helper()
	want := map[string]Owner{}
	for _, o := range f.DataSourcesAfterCDI {
		want[o.Namespace()+"/"+o.Name()] = OwnerCDI
	}
	for _, o := range f.DataSourcesBySSP {
		want[o.Namespace()+"/"+o.Name()] = OwnerSSP
	}
	got := map[string]Owner{}
	for _, d := range f.DataSources {
		got[d.Namespace+"/"+d.Name] = d.Owner
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("owners (-want +got):\n%s", diff)
	}
}

func readYAML(t *testing.T, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalStrict(data, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

func readObjects(t *testing.T, file string) []expansion.Object {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	out := []expansion.Object{}
	for text := range strings.SplitSeq(string(data), "---\n") {
		if strings.TrimSpace(text) == "" {
			continue
		}
		var o expansion.Object
		if err := yaml.Unmarshal([]byte(text), &o); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		out = append(out, o)
	}
	return out
}
