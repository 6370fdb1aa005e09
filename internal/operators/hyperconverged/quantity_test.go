package hyperconverged_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// TestParseQuantities: a quantity that nobody can compute with is a finding, and
// reading the CR ends.
func TestParseQuantities(t *testing.T) {
	t.Parallel()
	for _, quantity := range []string{`"1e999999999"`, `"1e-999999999"`, `1e999999999`, `"` + strings.Repeat("9", 1<<20) + `"`} {
		for field, part := range map[string]string{
			"storage.resources.requests[storage]": `"storage":{"resources":{"requests":{"storage":%s}}}`,
			"storage.resources.limits[storage]":   `"storage":{"resources":{"limits":{"storage":%s}}}`,
			"pvc.resources.requests[storage]":     `"pvc":{"resources":{"requests":{"storage":%s}}}`,
		} {
			for version, templates := range map[string]string{
				"v1beta1": `"spec":{"dataImportCronTemplates":[%s]}`,
				"v1":      `"spec":{"workloadSources":{"dataImportCronTemplates":[%s]}}`,
			} {
				template := `{"metadata":{"name":"a"},"spec":{"template":{"spec":{` + fmt.Sprintf(part, quantity) + `}}}}`
				data := `{"apiVersion":"hco.kubevirt.io/` + version + `","kind":"HyperConverged","metadata":{"name":"a"},` + fmt.Sprintf(templates, template) + `}`
				cr, found := hyperconverged.Parse([]byte(data))
				if cr != nil || len(found) != 1 || found[0].ID != finding.SchemaViolated || !strings.HasSuffix(found[0].Field, field) {
					t.Errorf("%s of %s: want one finding about %s, got %.300s", quantity[:10], version, field, found)
				}
				if len(found.String()) > 1000 {
					t.Errorf("%s: the finding repeats all of it", quantity[:10])
				}
			}
		}
	}
}
