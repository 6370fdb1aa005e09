package admission

import (
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// TestNoHyperConverged: only what is no CR of a known version is an error.
func TestNoHyperConverged(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, cr, want string }{
		{"nothing", ``, "cannot read the CR"},
		{"no JSON", `{`, "cannot read the CR"},
		{"no object", `[]`, "expected a JSON object"},
		{"null", `null`, "expected a JSON object"},
		{"another kind", `{"apiVersion":"v1","kind":"Node"}`, `kind "Node" is not known: expected "HyperConverged"`},
		{"another group", `{"apiVersion":"example.com/v1","kind":"HyperConverged"}`, `unknown apiVersion "example.com/v1"`},
		{"an unknown version", `{"apiVersion":"hco.kubevirt.io/v1alpha1","kind":"HyperConverged"}`, `unknown apiVersion "hco.kubevirt.io/v1alpha1"`},
		{"a version that is no string", `{"apiVersion":1,"kind":"HyperConverged"}`, `unknown apiVersion ""`},
	} {
		result, err := Admit(Input{CR: []byte(tc.cr)})
		if err == nil || !strings.Contains(err.Error(), tc.want) || result.Stored != nil {
			t.Errorf("%s: error %v, want one with %q", tc.reason, err, tc.want)
		}
	}
}

// TestTable: whether HCO panics depends on the table of the running release.
func TestTable(t *testing.T) {
	t.Parallel()
	cr := written(t, v1beta1, "spec: {dataImportCronTemplates: [{metadata: {name: rhel9-image-cron}, spec: "+sourceless+"}]}")
	for _, tc := range []struct {
		table hyperconverged.Table
		panic bool
	}{
		{hyperconverged.OpenShift(), true},
		{hyperconverged.Upstream(), false},
		{hyperconverged.Table{}, false},
	} {
		result, err := Admit(Input{CR: cr, Table: tc.table})
		if err != nil {
			t.Fatal(err)
		}
		if got := result.Admission.Panic != ""; got != tc.panic || result.Admission.Admitted() == tc.panic || (result.Stored == nil) != tc.panic {
			t.Errorf("table %q: panic %v, want %v: %+v", tc.table.Name, got, tc.panic, result.Admission)
		}
	}
}

// TestChanged: a CR that has all that would be added is stored as written.
func TestChanged(t *testing.T) {
	t.Parallel()
	first := admit(t, "", v1, "spec: {}")
	if !first.Admission.Changed {
		t.Error("defaults are a change")
	}
	again(t, Input{CR: first.Stored, Table: hyperconverged.Upstream()})
}
