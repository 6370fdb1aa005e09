package prediction_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/engine/prediction"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
)

// summaries shows findings as "severity id field: the beginning of the text".
func summaries(found finding.List) []string {
	var out []string
	for _, f := range found {
		text, _, _ := strings.Cut(f.Text, " ")
		out = append(out, string(f.Severity)+" "+string(f.ID)+" "+f.Field+" "+text)
	}
	return out
}

// TestFindings: which of the predicted outcomes is a finding, and about which field.
func TestFindings(t *testing.T) {
	t.Parallel()
	paths := prediction.Places{List: "spec.list", BootNamespace: "spec.boot"}
	cron := func(template string, outcome forecast.Outcome) forecast.CronOutcome {
		return forecast.CronOutcome{Name: template + "-amd64", Template: template, Outcome: outcome, Why: "why"}
	}
	for _, tc := range []struct {
		reason string
		f      forecast.Forecast
		want   []string
		text   string // part of the first text, or fix
	}{
		{reason: "nothing is wrong", f: forecast.Forecast{Crons: []forecast.CronOutcome{cron("app", forecast.Created)}}},
		{
			reason: "a refused cron stops SSP", f: forecast.Forecast{Crons: []forecast.CronOutcome{cron("app", forecast.Refused)}},
			want: []string{"warning " + string(finding.CronRefused) + " spec.list[1] DataImportCron"}, text: "SSP then stops",
		},
		{
			reason: "a lost cron", f: forecast.Forecast{Crons: []forecast.CronOutcome{cron("app", forecast.Removed)}},
			want: []string{"warning " + string(finding.CronLost) + " spec.list[1] DataImportCron"}, text: "correct the template",
		},
		{
			reason: "an import of HCO's own template fails: the CR does not have it, so the field is the list",
			f:      forecast.Forecast{Crons: []forecast.CronOutcome{cron("fedora", forecast.ImportFails)}},
			want:   []string{"warning " + string(finding.PredefinedLacks) + " spec.list DataImportCron"}, text: "add the template to the CR",
		},
		{
			reason: "one finding for each template, not for each architecture",
			f:      forecast.Forecast{Crons: []forecast.CronOutcome{cron("app", forecast.Refused), cron("app", forecast.Refused), cron("other", forecast.Refused)}},
			want: []string{
				"warning " + string(finding.CronRefused) + " spec.list[1] DataImportCron", "warning " + string(finding.CronRefused) + " spec.list DataImportCron",
			},
		},
		{
			reason: "two crons of one name", f: forecast.Forecast{SSPRandom: "two crons"},
			want: []string{"warning " + string(finding.CronDuplicate) + " spec.list two"}, text: "rename one of the templates",
		},
		{
			reason: "a reference that gets no image, at the template of its DataSource",
			f: forecast.Forecast{
				Templates:  []forecast.TemplateOutcome{{Name: "app", Index: 1, ManagedDataSource: "app-source"}},
				References: []forecast.Reference{{Name: "app-source", Target: "app-source-arm64", DefaultArchitecture: "arm64", State: forecast.ByPVC, Why: "why"}},
			},
			want: []string{"warning " + string(finding.ReferenceUnfilled) + " spec.list[1] DataSource"},
			text: "use the DataSources with the architecture in their names",
		},
		{
			reason: "a machine of another default architecture waits for the disk",
			f: forecast.Forecast{
				DefaultOfMachines: "amd64",
				References:        []forecast.Reference{{Name: "app", Target: "app-arm64", DefaultArchitecture: "arm64", State: forecast.ByPVC}},
			},
			want: []string{"warning " + string(finding.ReferenceUnfilled) + " spec.list DataSource"}, text: "KubeVirt's default architecture is amd64",
		},
		{
			reason: "a reference to the namespace of the template",
			f: forecast.Forecast{
				Templates:  []forecast.TemplateOutcome{{Name: "app", Index: 1, ManagedDataSource: "app"}},
				References: []forecast.Reference{{Name: "app", Target: "app-arm64", State: forecast.CrossNamespace}},
			},
			want: []string{"warning " + string(finding.TemplateNamespace) + " spec.list[1] DataSource"}, text: "remove metadata.namespace",
		},
		{
			reason: "a reference to the namespace that the CR gives the predefined templates",
			f:      forecast.Forecast{References: []forecast.Reference{{Name: "fedora", Target: "fedora-arm64", State: forecast.CrossNamespace}}},
			want:   []string{"warning " + string(finding.TemplateNamespace) + " spec.boot DataSource"}, text: "remove spec.boot, or use",
		},
		{
			reason: "that namespace has the image, and SSP points at the one of a volume",
			f: forecast.Forecast{
				Crons:      []forecast.CronOutcome{{Namespace: "b", ManagedDataSource: "fedora-arm64", Outcome: forecast.Created}},
				References: []forecast.Reference{{Namespace: "a", Name: "fedora", Target: "fedora-arm64", State: forecast.ByPVC}},
			},
			want: []string{"warning " + string(finding.ReferenceUnfilled) + " spec.boot DataSource"}, text: "remove spec.boot, or use",
		},
		{
			reason: "what is filled, and what a refused cron explains, is no finding",
			f: forecast.Forecast{References: []forecast.Reference{
				{Name: "a", Filled: true, State: forecast.ByCron}, {Name: "b", State: forecast.ByRefusedCron},
			}},
		},
		{
			reason: "unknown control-plane architectures are one finding for all DataSources",
			f: forecast.Forecast{References: []forecast.Reference{
				{Name: "a", State: forecast.UnknownTarget}, {Name: "b", State: forecast.UnknownTarget},
			}},
			want: []string{"warning " + string(finding.DefaultUnknown) + " spec.list nothing"}, text: `"a", "b"`,
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			tc.f.Templates = append(tc.f.Templates, forecast.TemplateOutcome{Name: "app", Index: 1})
			got := prediction.Findings(paths, tc.f)
			if diff := cmp.Diff(tc.want, summaries(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if len(got) > 0 && !strings.Contains(got[0].Text+" "+got[0].Do, tc.text) {
				t.Errorf("want %q in %s", tc.text, got[0])
			}
		})
	}
}

// TestFaults: an error about a field of a template is a fault of that template, the first one
// counts.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		fields []string
		want   prediction.Faults
	}{
		{"a field of a template", []string{"spec.list[2].metadata.name"}, prediction.Faults{2: "0"}},
		{"the template itself", []string{"spec.list[0]"}, prediction.Faults{0: "0"}},
		{"the first error of a template", []string{"spec.list[1].a", "spec.list[1].b", "spec.list[3]"}, prediction.Faults{1: "0", 3: "2"}},
		{"another list", []string{"spec.lists[1]", "spec.other[1]", "list[1]"}, prediction.Faults{}},
		{"the list, and what is not an index", []string{"spec.list", "spec.list[a]", "spec.list[1"}, prediction.Faults{}},
	} {
		got := prediction.Faults{}
		for i, field := range tc.fields {
			got.Add("spec.list", field, string(rune('0'+i)))
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestOfClusters: an SSP CR beside another CR is of the same cluster.
func TestOfClusters(t *testing.T) {
	t.Parallel()
	ssp := forecast.Prediction{Object: finding.Object{APIVersion: "ssp.kubevirt.io/v1beta3", Kind: "SSP"}}
	cr := forecast.Prediction{Object: finding.Object{APIVersion: "hco.kubevirt.io/v1beta1", Kind: "HyperConverged"}}
	other := forecast.Prediction{Object: finding.Object{APIVersion: "example.com/v1", Kind: "SSP"}}
	for _, tc := range []struct {
		reason string
		list   []forecast.Prediction
		want   int
	}{
		{"only an SSP CR", []forecast.Prediction{ssp}, 1},
		{"both", []forecast.Prediction{cr, ssp}, 1},
		{"two clusters", []forecast.Prediction{cr, cr}, 2},
		{"a kind of that name of another group", []forecast.Prediction{cr, other}, 2},
	} {
		given := len(tc.list)
		if got := prediction.OfClusters(tc.list); len(got) != tc.want || len(tc.list) != given {
			t.Errorf("%s: want %d, got %d", tc.reason, tc.want, len(got))
		}
	}
	if !prediction.IsOfSSP(ssp) || prediction.IsOfSSP(cr) || prediction.IsOfSSP(other) {
		t.Error("only the SSP CR is of SSP")
	}
}
