package engine_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/engine/prediction"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/test/filetest"
)

// predictCase is what the operators' own code made of a CR
// (forecast/testdata/README.md).
type predictCase struct {
	Name  string `json:"name"`
	Input struct {
		Nodes          []json.RawMessage `json:"nodes"`
		HyperConverged json.RawMessage   `json:"hyperConverged"`
	} `json:"input"`
	Expected map[string]any `json:"expected"`
}

func predictCases(t *testing.T, file string) map[string]predictCase {
	t.Helper()
	out := map[string]predictCase{}
	for _, c := range filetest.JSONLines[predictCase](t, "../operators/forecast/testdata/"+file) {
		out[c.Name] = c
	}
	if len(out) < 200 {
		t.Fatalf("%s: %d cases", file, len(out))
	}
	return out
}

// TestPredictAsWritten: a CR and its Nodes, without admission,
// give what the operators made of them.
func TestPredictAsWritten(t *testing.T) {
	t.Parallel()
	for name, tc := range predictCases(t, "chain.jsonl.gz") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			comparePrediction(t, tc.Expected, predict(t, tc, prediction.AsWritten))
		})
	}
}

// TestPredictAdmitted: a CR as written that is admitted first gives what the
// operators made of the object that an API server stores.
func TestPredictAdmitted(t *testing.T) {
	t.Parallel()
	stored := predictCases(t, "chain-stored.jsonl.gz")
	for name, tc := range predictCases(t, "chain.jsonl.gz") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := predict(t, tc, prediction.ThroughAdmission)
			want, admitted := stored[name]
			if !admitted {
				if got.Admission.Stored != nil || got.Forecast.Status != nil {
					t.Error("nothing is foretold of a CR that is refused")
				}
				return
			}
			comparePrediction(t, want.Expected, got)
		})
	}
}

func predict(t *testing.T, tc predictCase, how prediction.Admission) forecast.Prediction {
	t.Helper()
	parse := func(data []byte) *yaml.RNode {
		item, err := yaml.Parse(string(data))
		if err != nil {
			t.Fatal(err)
		}
		return item
	}
	items := []*yaml.RNode{parse(tc.Input.HyperConverged)}
	var nodes []*yaml.RNode // all of the cluster, unlike Nodes among the items
	known, architecture := false, regexp.MustCompile(`"architecture":"[^"]`)
	for _, data := range tc.Input.Nodes {
		nodes = append(nodes, parse(data))
		known = known || architecture.Match(data)
	}
	if !known { // --nodes refuses a list that shows no architecture, and HCO's status says that it sees none
		items, nodes = append(nodes, items...), nil
		if err := items[len(items)-1].PipeE(yaml.LookupCreate(yaml.MappingNode, "status", "nodeInfo")); err != nil {
			t.Fatal(err)
		}
	}
	out, found := engine.Function{Nodes: nodes}.Predict(items, engine.Given(nil), how)
	if found.Failed() || len(out) != 1 {
		t.Fatalf("%d forecasts: %s", len(out), found)
	}
	return out[0]
}

func comparePrediction(t *testing.T, want map[string]any, predicted forecast.Prediction) {
	t.Helper()
	data, err := json.Marshal(predicted.Forecast)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	afterSSP := []string{"sspError", "dataImportCrons", "dataSourcesBySSP", "dataSourcesOfDICTsNotGiven", "cdiVerdicts", "dataSourcesAfterCDI"}
	for field, value := range want {
		if field == "cdiReconcileErrors" { // empty in all cases
			continue
		}
		if strings.Contains(predicted.Forecast.SSPError, "metadata.labels") && slices.Contains(afterSSP, field) {
			continue // the client of the program that answered takes any label, and an API server does not
		}
		if text, ok := value.(string); ok && field == "sspError" {
			value = strings.TrimPrefix(text, "reconcile 1: ") // the program that answered counts SSP's passes
		}
		if diff := cmp.Diff(value, got[field]); diff != "" {
			t.Errorf("%s (-operators +forecast):\n%s", field, diff)
		}
	}
}
