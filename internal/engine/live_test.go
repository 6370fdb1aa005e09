package engine_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/engine/prediction"
)

// TestLiveAnswersForItself: of each case, the live CR that HCO's own code gives and
// the same CR in Git predict the status of that live CR, without Nodes. The table of
// another build of HCO beside it makes no difference, but for what a CR customizes.
func TestLiveAnswersForItself(t *testing.T) {
	t.Parallel()
	tried := map[string]int{}
	for name, tc := range predictCases(t, "chain-stored.jsonl.gz") {
		status, _ := tc.Expected["status"].([]any)
		if tc.Expected["error"] != "" || len(status) == 0 {
			continue
		}
		for _, table := range []string{"upstream", "openshift"} {
			if table == "openshift" && customizes(status) {
				continue
			}
			tried[table]++
			t.Run(name+"/"+table, func(t *testing.T) {
				t.Parallel()
				git := asMap(t, tc.Input.HyperConverged)
				live := liveOf(t, git, tc.Expected)
				delete(git, "status")
				got := predicted(t, git, live, "{predefined: "+table+"}")
				if diff := cmp.Diff(any(status), got); diff != "" {
					t.Errorf("status (-live +predicted):\n%s", diff)
				}
			})
		}
	}
	if tried["upstream"] < 150 || tried["openshift"] < 50 {
		t.Errorf("too few cases: %v", tried)
	}
}

func customizes(status []any) bool {
	for _, one := range status {
		if s, _ := one.(map[string]any); s["modified"] == true {
			return true
		}
	}
	return false
}

// liveOf returns a CR as the cluster would have it, with the status that HCO's own
// code computed for it.
func liveOf(t *testing.T, git, expected map[string]any) map[string]any {
	t.Helper()
	given := map[string]map[string]any{}
	whole, _ := expected["sspTemplates"].([]any)
	for _, one := range whole {
		template, _ := one.(map[string]any)
		metadata, _ := template["metadata"].(map[string]any)
		name, _ := metadata["name"].(string)
		given[name] = template
	}
	var templates []any
	list, _ := expected["status"].([]any)
	for _, one := range list {
		s, _ := one.(map[string]any)
		name, _ := s["name"].(string)
		entry := map[string]any{"metadata": map[string]any{"name": name}, "spec": withheldSpec}
		if template, ok := given[name]; ok {
			entry = asMap(t, encoded(t, template))
		}
		metadata, _ := entry["metadata"].(map[string]any)
		notes, _ := metadata["annotations"].(map[string]any)
		if notes == nil {
			notes = map[string]any{}
		}
		if s["architectures"] != nil {
			notes["ssp.kubevirt.io/dict.architectures"] = s["architectures"]
		}
		metadata["annotations"] = notes
		of := map[string]any{"commonTemplate": s["commonTemplate"], "modified": s["modified"]}
		if s["originalSupportedArchitectures"] != "" {
			of["originalSupportedArchitectures"] = s["originalSupportedArchitectures"]
		}
		if s["deployed"] != nil {
			of["conditions"] = []any{map[string]any{"type": "Deployed", "status": "False", "reason": "UnsupportedArchitectures"}}
		}
		entry["status"] = of
		templates = append(templates, entry)
	}
	out := maps.Clone(git)
	out["status"] = map[string]any{
		"dataImportCronTemplates": templates,
		"versions":                []any{map[string]any{"name": "operator", "version": "1.20.0-unstable"}},
		"nodeInfo": map[string]any{
			"workloadsArchitectures":      expected["workloadArchitectures"],
			"controlPlaneArchitectures":   expected["controlPlaneArchitectures"],
			"defaultWorkloadArchitecture": expected["defaultWorkloadArchitecture"],
		},
	}
	return out
}

// withheldSpec stands for that of a template which HCO withholds from SSP.
var withheldSpec = map[string]any{
	"managedDataSource": "withheld", "schedule": "0 */12 * * *", "template": map[string]any{"spec": map[string]any{}},
}

// predicted returns the status that is predicted of a CR of Git, with the live CR.
func predicted(t *testing.T, git, live map[string]any, spec string) any {
	t.Helper()
	config := yaml.MustParse("apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\nspec: " + spec)
	function := engine.Function{Live: []*yaml.RNode{node(t, live)}}
	list, found := function.Predict([]*yaml.RNode{node(t, git)}, engine.Given(config), prediction.AsWritten)
	if len(list) != 1 {
		t.Fatalf("want one prediction, got %d: %s", len(list), found)
	}
	var out any
	if err := json.Unmarshal(encoded(t, list[0].Forecast.Status), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func node(t *testing.T, object map[string]any) *yaml.RNode {
	t.Helper()
	text, err := k8syaml.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return yaml.MustParse(string(text))
}

func asMap(t *testing.T, data []byte) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func encoded(t *testing.T, value any) []byte {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestLiveOfOpenShift: the same for dumps in the shape of HCO 1.17 and 1.19 on
// OpenShift, with templates that the documented table does not have, or has
// otherwise.
func TestLiveOfOpenShift(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/live/*.yaml")
	if err != nil || len(files) < 4 {
		t.Fatalf("want at least 4 dumps, got %d (%v)", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var live map[string]any
			if err := k8syaml.Unmarshal(data, &live); err != nil {
				t.Fatal(err)
			}
			git := maps.Clone(live)
			delete(git, "status")
			status, _ := live["status"].(map[string]any)
			list, _ := status["dataImportCronTemplates"].([]any)
			if diff := cmp.Diff(summary(t, list), predicted(t, git, live, "{}")); diff != "" {
				t.Errorf("status (-live +predicted):\n%s", diff)
			}
		})
	}
}

// summary returns what a prediction says of the entries of a status.
func summary(t *testing.T, list []any) any {
	t.Helper()
	var out []any
	for _, one := range list {
		var entry struct {
			Metadata struct {
				Name        string            `json:"name"`
				Namespace   string            `json:"namespace"`
				Annotations map[string]string `json:"annotations"`
			} `json:"metadata"`
			Status struct {
				CommonTemplate                 bool   `json:"commonTemplate"`
				Modified                       bool   `json:"modified"`
				OriginalSupportedArchitectures string `json:"originalSupportedArchitectures"`
				Conditions                     []any  `json:"conditions"`
			} `json:"status"`
		}
		if err := json.Unmarshal(encoded(t, one), &entry); err != nil {
			t.Fatal(err)
		}
		row := map[string]any{
			"name": entry.Metadata.Name, "namespace": entry.Metadata.Namespace, "architectures": nil, "deployed": nil,
			"originalSupportedArchitectures": entry.Status.OriginalSupportedArchitectures,
			"commonTemplate":                 entry.Status.CommonTemplate, "modified": entry.Status.Modified,
		}
		if claim, ok := entry.Metadata.Annotations["ssp.kubevirt.io/dict.architectures"]; ok {
			row["architectures"] = claim
		}
		if len(entry.Status.Conditions) > 0 {
			row["deployed"] = "False"
		}
		out = append(out, row)
	}
	return out
}
