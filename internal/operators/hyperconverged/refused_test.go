package hyperconverged

import (
	"strings"
	"testing"
)

const off = `dataimportcrontemplate.kubevirt.io/enable: "false"`

// TestRefused is what HCO's webhooks refuse, and what breaks behind them.
func TestRefused(t *testing.T) {
	t.Parallel()
	enable := func(value string) string { return "dataimportcrontemplate.kubevirt.io/enable: " + value }
	for _, tc := range []struct {
		reason    string
		templates []string
		want      string
	}{
		{"nothing", nil, ""},
		{"a good one", []string{named("app", goodSpec)}, ""},
		{"the switch may be in any case", []string{named("app", goodSpec, enable(`"TRUE"`)), named("b", "null", enable(`"False"`))}, ""},
		{
			reason:    "the switch is a bool",
			templates: []string{named("app", goodSpec, enable(`"yes"`))},
			want:      "error GA404 [0].metadata.annotations[dataimportcrontemplate.kubevirt.io/enable]",
		},
		{
			reason:    "an empty switch is no bool",
			templates: []string{named("app", "null", enable(`""`))},
			want:      "error GA404 [0].metadata.annotations[dataimportcrontemplate.kubevirt.io/enable]",
		},
		{"an enabled template has a spec", []string{named("app", "null")}, "error GA405 [0].spec"},
		{"a disabled one need not", []string{named("app", "null", off)}, ""},
		{"two of one name", []string{named("a", goodSpec), named("b", goodSpec), named("a", goodSpec)}, "error GA403 [2].metadata.name"},
		{"disabled ones count", []string{named("a", goodSpec), named("a", "null", off)}, "error GA403 [1].metadata.name"},
		{
			reason:    "three of one name are told twice",
			templates: []string{named("a", goodSpec), named("a", goodSpec), named("a", goodSpec)},
			want:      "error GA403 [1].metadata.name, error GA403 [2].metadata.name",
		},
		{"case makes another name", []string{named("a", goodSpec), named("A", goodSpec)}, "error GA443 [1].metadata.name"},
		{
			reason: "Kubernetes allows other names",
			templates: []string{
				named("a_b", goodSpec), named("' x'", goodSpec), named("x.", goodSpec), named(strings.Repeat("n", 254), goodSpec), named("A", "null", off),
			},
			want: "error GA443 [0].metadata.name, error GA443 [1].metadata.name, error GA443 [2].metadata.name, error GA443 [3].metadata.name",
		},
		{"a variable of Flux gets a value", []string{named("'${NAME}-cron'", goodSpec)}, ""},
		{"a DataSource has a name too", []string{named("a", strings.Replace(goodSpec, "d,", "A_b,", 1))}, "error GA443 [0].spec.managedDataSource"},
		{
			"a namespace, and a label",
			[]string{"{metadata: {name: a, namespace: A_b}, spec: " + goodSpec + "}", "{metadata: {name: b, labels: {a: b c}}, spec: " + goodSpec + "}"},
			"error GA443 [0].metadata.namespace, error GA443 [1].metadata.labels",
		},
		{"a name", []string{"{spec: " + goodSpec + "}"}, "error GA412 [0].metadata.name"},
		{"metadata may be missing altogether", []string{"{}", "{metadata: null}"}, "error GA412 [0].metadata.name, error GA412 [1].metadata.name"},
		{"HCO panics on a predefined name without a source", []string{named("fedora-image-cron", noSource)}, "error GA406 [0].spec.template.spec.source"},
		{"CDI refuses a custom one without a source", []string{named("app", noSource)}, "error GA406 [0].spec.template.spec.source"},
		{"an empty source is there", []string{named("fedora-image-cron", strings.Replace(noSource, "{}", "{source: {}}", 1))}, ""},
		{"SSP fails on an empty managedDataSource", []string{named("app", noData)}, "error GA420 [0].spec.managedDataSource"},
		{
			reason:    "labels of a predefined template are HCO's",
			templates: []string{"{metadata: {name: fedora-image-cron, labels: {a: b}}, spec: " + fedoraSpec + "}"},
			want:      "warning GA113 [0].metadata.labels",
		},
		{"labels of a custom one are its own", []string{"{metadata: {name: app, labels: {a: b}}, spec: " + goodSpec + "}"}, ""},
		{"a disabled one is not looked into", []string{named("fedora-image-cron", noSource, off), named("app", noData, off)}, ""},
	} {
		cr := mustParse(t, strings.Join(tc.templates, ", "))
		if got := messages(Refused(cr, Upstream())); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}

// TestRefusedWithoutCommonImport: HCO then drops every entry with a predefined
// name, whatever it holds, before it could panic.
func TestRefusedWithoutCommonImport(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, template, want string }{
		{"dropped", named("fedora-image-cron", fedoraSpec), "warning GA115 [0]"},
		{"dropped before HCO panics", named("fedora-image-cron", noSource), "warning GA406 [0].spec.template.spec.source, warning GA115 [0]"},
		{"the webhook refuses it all the same", named("fedora-image-cron", "null"), "error GA405 [0].spec, warning GA115 [0]"},
		{"switched off is not dropped", named("fedora-image-cron", "null", off), ""},
		{"a custom one is not touched", named("app", goodSpec), ""},
	} {
		cr := mustParse(t, tc.template)
		cr.CommonImport = false
		if got := messages(Refused(cr, Upstream())); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}
