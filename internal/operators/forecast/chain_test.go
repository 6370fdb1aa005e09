package forecast

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/test/filetest"
)

// chainCase is what the three operators' own code made of a CR
// (testdata/README.md).
type chainCase struct {
	Name  string `json:"name"`
	Input struct {
		Nodes []struct {
			Metadata struct {
				Name   string            `json:"name"`
				Labels map[string]string `json:"labels"`
			} `json:"metadata"`
			Status struct {
				NodeInfo struct {
					Architecture arch.Arch `json:"architecture"`
				} `json:"nodeInfo"`
			} `json:"status"`
		} `json:"nodes"`
		HyperConverged json.RawMessage `json:"hyperConverged"`
	} `json:"input"`
	Expected map[string]any `json:"expected"`
}

// TestChain holds the forecast against what HCO, SSP and CDI made of each CR.
func TestChain(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"chain", "chain-stored"} {
		for _, tc := range filetest.JSONLines[chainCase](t, "testdata/"+file+".jsonl.gz") {
			t.Run(file+"/"+tc.Name, func(t *testing.T) {
				t.Parallel()
				compare(t, tc.Expected, predictCase(t, tc))
			})
		}
	}
}

func predictCase(t *testing.T, tc chainCase) Forecast {
	t.Helper()
	cr, found := hyperconverged.Parse(tc.Input.HyperConverged)
	if cr == nil {
		t.Fatalf("read the CR: %v", found)
	}
	var nodes []cluster.Node
	for _, n := range tc.Input.Nodes {
		nodes = append(nodes, cluster.Node{Name: n.Metadata.Name, Count: 1, Architecture: n.Status.NodeInfo.Architecture, Labels: n.Metadata.Labels})
	}
	// HCO sees all nodes of its cluster.
	all := cluster.Facts{Class: cluster.Observed, Object: finding.Object{Kind: "Node"}, Nodes: nodes, AllNodes: true}
	known, _ := cluster.Decide([]cluster.Facts{all}, cluster.Placement(cr.Workloads), "")
	var live struct {
		Status struct {
			Schedule string `json:"dataImportSchedule"`
		} `json:"status"`
	}
	if err := json.Unmarshal(tc.Input.HyperConverged, &live); err != nil {
		t.Fatal(err)
	}
	return Predict(Input{
		CR: cr, Table: hyperconverged.Upstream(), Schedule: live.Status.Schedule,
		Cluster: cluster.Architectures{Workload: known.Workload, ControlPlane: known.ControlPlane, Default: known.Default},
	})
}

// afterSSP are the fields that SSP and CDI decide.
var afterSSP = []string{"sspError", "dataImportCrons", "dataSourcesBySSP", "dataSourcesOfDICTsNotGiven", "cdiVerdicts", "dataSourcesAfterCDI"}

// compare holds each field of the operators' answer against the forecast's.
func compare(t *testing.T, want map[string]any, forecast Forecast) {
	t.Helper()
	data, err := json.Marshal(forecast)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	for field, value := range want {
		if field == "cdiReconcileErrors" { // empty in all cases
			continue
		}
		if strings.Contains(forecast.SSPError, "metadata.labels") && slices.Contains(afterSSP, field) {
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
