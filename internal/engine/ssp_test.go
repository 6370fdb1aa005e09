package engine_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/engine/prediction"
)

// TestSSPCR: an SSP CR of each case, with what is in the cluster beside it, gives
// the DataImportCrons and DataSources that SSP's own code made of it.
func TestSSPCR(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../operators/forecast/testdata/ssp/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, file := range files {
		for _, version := range []string{"v1beta2", "v1beta3"} {
			tc := yamlMap(t, file)
			if tc["dataSourceCollection"] != nil {
				continue // an SSP with another bundle, which no CR can say
			}
			tried++
			t.Run(filepath.Base(file)+"/"+version, func(t *testing.T) {
				t.Parallel()
				items := []*yaml.RNode{node(t, sspOf(version, tc))}
				existing, _ := tc["existing"].([]any)
				for _, one := range existing {
					object, _ := one.(map[string]any)
					items = append(items, node(t, object))
				}
				list, found := engine.Function{}.Predict(items, engine.Given(nil), prediction.ThroughAdmission)
				if len(list) != 1 || found.Failed() {
					t.Fatalf("want one prediction, got %d: %s", len(list), found)
				}
				f := list[0].Forecast
				got := []any{}
				for _, part := range []any{f.DataImportCrons, f.DataSourcesBySSP} {
					var objects []any
					if err := json.Unmarshal(encoded(t, part), &objects); err != nil {
						t.Fatal(err)
					}
					got = append(got, objects...)
				}
				want := documents(t, strings.TrimSuffix(file, ".yaml")+".out")
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("(-operators +predicted):\n%s", diff)
				}
				if refused := len(want) == 0; refused != (f.SSPRejected != "") {
					t.Errorf("an empty answer is a refusal: got %q", f.SSPRejected)
				}
			})
		}
	}
	if tried != 12 {
		t.Errorf("want 6 cases in two versions, got %d", tried)
	}
}

func sspOf(version string, tc map[string]any) map[string]any {
	namespace := "kubevirt-hyperconverged"
	if tc["namespace"] == "openshift-virtualization-os-images" {
		namespace = "openshift-cnv"
	}
	spec := map[string]any{
		"commonTemplates":             map[string]any{"namespace": "openshift", "dataImportCronTemplates": tc["dataImportCronTemplates"]},
		"enableMultipleArchitectures": tc["enableMultipleArchitectures"],
	}
	if tc["workloadArchitectures"] != nil || tc["controlPlaneArchitectures"] != nil {
		spec["cluster"] = map[string]any{
			"workloadArchitectures": tc["workloadArchitectures"], "controlPlaneArchitectures": tc["controlPlaneArchitectures"],
		}
	}
	return map[string]any{
		"apiVersion": "ssp.kubevirt.io/" + version, "kind": "SSP",
		"metadata": map[string]any{"name": "ssp-kubevirt-hyperconverged", "namespace": namespace}, "spec": spec,
	}
}

func yamlMap(t *testing.T, file string) map[string]any {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := k8syaml.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func documents(t *testing.T, file string) []any {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	out := []any{}
	for text := range strings.SplitSeq(string(data), "---\n") {
		if strings.TrimSpace(text) == "" {
			continue
		}
		var one any
		if err := k8syaml.Unmarshal([]byte(text), &one); err != nil {
			t.Fatal(err)
		}
		out = append(out, one)
	}
	return out
}
