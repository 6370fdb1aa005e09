package forecast

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// TestShape is which keys of the JSON are null: all that the operators never get
// to. Alerts and caveats are lists always.
func TestShape(t *testing.T) {
	t.Parallel()
	hco := "crons, dataImportCrons, dataSources, dataSourcesAfterCDI, dataSourcesBySSP, dataSourcesOfDICTsNotGiven, references"
	all := hco + ", sspTemplates, status, templates"
	for _, tc := range []struct {
		reason  string
		cr      *hyperconverged.CR
		cluster cluster.Architectures
		null    string
	}{
		{"all is well", on(t, dict("c", "x", claims("amd64"))), mixed(), ""},
		{"nothing to do", on(t, ""), mixed(), ""},
		{"HCO fails", on(t, dict("c", "x", "")+","+dict("c", "x", "")), mixed(), all},
		{
			"HCO cannot convert the CR",
			crOf(t, "v1beta1", "metadata: {name: kubevirt-hyperconverged, annotations: {hco.kubevirt.io/v1-only-fields: '{'}}"), mixed(), all,
		},
		{"SSP refuses", on(t, dict("c", "x", "")), nodes(nil, arch.NewSet(arch.RISCV64)), hco},
		{"SSP fails", on(t, dict("c", "''", claims("amd64"))), mixed(), hco},
		{"SSP's result is random", on(t, dict("c", "x", claims("amd64"))+","+dict("c-amd64", "other", "")), mixed(), hco},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			data, err := json.Marshal(Predict(Input{CR: tc.cr, Cluster: tc.cluster}))
			if err != nil {
				t.Fatal(err)
			}
			var got map[string]any
			if err := json.Unmarshal(data, &got); err != nil {
				t.Fatal(err)
			}
			null := slices.DeleteFunc(slices.Sorted(maps.Keys(got)), func(key string) bool {
				return got[key] != nil || slices.Contains([]string{"blocked", "cdiVerdicts", "sspCluster", "sspEnableMultipleArchitectures"}, key)
			})
			if list := strings.Join(null, ", "); list != tc.null {
				t.Errorf("null: want %q, got %q", tc.null, list)
			}
		})
	}
}
