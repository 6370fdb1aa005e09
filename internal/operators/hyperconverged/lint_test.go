package hyperconverged

import (
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
)

// fills is a spec that fills this DataSource.
func fills(dataSource string) string {
	return strings.Replace(goodSpec, "managedDataSource: d", "managedDataSource: "+dataSource, 1)
}

func TestSharedDataSource(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason    string
		templates []string
		want      string
	}{
		{"each its own", []string{named("a", fills("x")), named("b", fills("other"))}, ""},
		{"two custom ones", []string{named("b", fills("x")), named("a", fills("x"))}, "warning GA112 [0].spec.managedDataSource"},
		{"a custom one beside a predefined one", []string{named("fedora40", fills("fedora"))}, "warning GA112 [0].spec.managedDataSource"},
		{
			reason:    "of three, each but the first by name",
			templates: []string{named("a", fills("x")), named("b", fills("x")), named("c", fills("x"))},
			want:      "warning GA112 [1].spec.managedDataSource, warning GA112 [2].spec.managedDataSource",
		},
		{"the predefined one is switched off", []string{named("fedora40", fills("fedora")), named("fedora-image-cron", "null", off)}, ""},
		{"one of them is switched off", []string{named("a", fills("x")), named("b", fills("x"), off)}, ""},
		{"another namespace is another DataSource", []string{named("a", fills("x")), "{metadata: {name: b, namespace: images}, spec: " + fills("x") + "}"}, ""},
		{"an empty name is told elsewhere", []string{named("a", fills(`""`)), named("b", fills(`""`))}, ""},
		{"one name twice is told elsewhere", []string{named("a", fills("x")), named("a", fills("x"))}, ""},
	} {
		cr := mustParse(t, strings.Join(tc.templates, ", "))
		if got := messages(Lint(cr, Upstream())); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}

// TestSharedDataSourceOfTable: the CR has no entry of two predefined templates that a user states.
func TestSharedDataSourceOfTable(t *testing.T) {
	t.Parallel()
	table := None().WithStated([]v1alpha1.PredefinedTemplate{{Name: "a", ManagedDataSource: "x"}, {Name: "b", ManagedDataSource: "x"}})
	found := Lint(mustParse(t, ""), table)
	if len(found) != 1 || found[0].Field != "spec.dataImportCronTemplates" {
		t.Errorf("got %v", found)
	}
}

func TestLint(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason  string
		version Version
		spec    string
		notes   map[string]string
		want    string
	}{
		{"nothing", V1, "{}", nil, ""},
		{"a JSON patch", V1, "{}", map[string]string{SSPPatchAnnotation: "{"}, "warning GA413 metadata.annotations[ssp.kubevirt.io/jsonpatch]"},
		{"a JSON patch without operations", V1, "{}", map[string]string{"kubevirt.kubevirt.io/jsonpatch": "[]"}, ""},
		{
			reason:  "a dead feature gate that somebody relies on",
			version: V1beta1,
			spec:    "{featureGates: {enableCommonBootImageImport: false}}",
			want:    "warning GA414 spec.featureGates.enableCommonBootImageImport",
		},
		{"a dead feature gate that says what is so", V1beta1, "{featureGates: {enableCommonBootImageImport: true}}", nil, ""},
		{"a feature gate twice", V1, "{featureGates: [{name: a}, {name: b}, {name: A}]}", nil, "error GA419 spec.featureGates[2]"},
	} {
		cr, found := parseYAML(t, tc.version, tc.spec)
		if cr == nil {
			t.Fatalf("%s: %s", tc.reason, found)
		}
		cr.Annotations = tc.notes
		if got := messages(Lint(cr, None())); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}

// TestName: there is one HyperConverged in a cluster, of one name.
func TestName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"kubevirt-hyperconverged": "", "": "error GA421 metadata.name", "hco": "error GA421 metadata.name",
		// The pattern of the CRD accepts these, and HCO ignores them.
		"dev-kubevirt-hyperconverged": "error GA421 metadata.name", "kubevirt-hyperconverged-2": "error GA421 metadata.name",
	} {
		cr, _ := parseYAML(t, V1, "{}")
		cr.Name = name
		if got := messages(Lint(cr, None())); got != want {
			t.Errorf("name %q: want %q, got %q", name, want, got)
		}
	}
}
