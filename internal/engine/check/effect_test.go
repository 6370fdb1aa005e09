package check

import (
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/admission"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// TestEffect: what the operators do with a template decides whether a committed CR is right, so
// two effects are equal only if the cluster gets the same.
func TestEffect(t *testing.T) {
	t.Parallel()
	cron := func(template string, a arch.Arch, outcome forecast.Outcome) forecast.CronOutcome {
		return forecast.CronOutcome{Template: template, Architecture: a, Outcome: outcome}
	}
	for _, tc := range []struct {
		reason    string
		outcome   forecast.Outcome
		workloads []string
		crons     []forecast.CronOutcome
		want      string
	}{
		{
			reason: "what HCO drops has no other effect", outcome: forecast.NotDeployed,
			crons: []forecast.CronOutcome{cron("a", "amd64", forecast.Created)}, want: "HCO does not deploy it",
		},
		{reason: "a template without a cron", outcome: forecast.Deployed, want: "nothing imports it"},
		{
			reason: "architectures are sorted and distinct", outcome: forecast.Deployed,
			crons: []forecast.CronOutcome{cron("a", "s390x", forecast.Created), cron("a", "amd64", forecast.Created), cron("a", "amd64", forecast.Created)},
			want:  "SSP imports it for amd64,s390x",
		},
		{
			reason: "the crons of another template do not count", outcome: forecast.Deployed,
			crons: []forecast.CronOutcome{cron("b", "amd64", forecast.Created), cron("a", "arm64", forecast.Created)},
			want:  "SSP imports it for arm64",
		},
		{
			reason: "each outcome is named, in one order", outcome: forecast.Deployed,
			crons: []forecast.CronOutcome{cron("a", "amd64", forecast.Refused), cron("a", "arm64", forecast.Created)},
			want:  "SSP imports it for arm64, its DataImportCron for amd64 is refused",
		},
		{
			reason: "on one architecture, an import without one is for that one", outcome: forecast.Deployed, workloads: []string{"arm64"},
			crons: []forecast.CronOutcome{cron("a", "", forecast.Created)}, want: "SSP imports it for arm64",
		},
		{
			reason: "on several, nobody knows which one it is for", outcome: forecast.Deployed, workloads: []string{"amd64", "arm64"},
			crons: []forecast.CronOutcome{cron("a", "", forecast.Created)}, want: "SSP imports it for one architecture only",
		},
	} {
		f := forecast.Forecast{WorkloadArchitectures: tc.workloads, Crons: tc.crons}
		got := effect(f, forecast.TemplateOutcome{Name: "a", Outcome: tc.outcome}, f.CronsByTemplate()["a"])
		if got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}

// TestFieldFinding: a mistake of the author is an error, and a field of another release is not.
func TestFieldFinding(t *testing.T) {
	t.Parallel()
	known, err := v1alpha1.ParseRelease("1.19")
	if err != nil {
		t.Fatal(err)
	}
	const path = "spec.enableCommonBootImageImports"
	for _, tc := range []struct {
		reason   string
		unknown  admission.UnknownField
		severity finding.Severity
		id       finding.ID
		do       string
	}{
		{
			"a misspelled field",
			admission.UnknownField{Path: path, Origin: admission.Misspelled, Meant: "spec.enableCommonBootImageImport"},
			finding.Error, finding.FieldMisplaced, "rename it to enableCommonBootImageImport",
		},
		{
			"a field at another place",
			admission.UnknownField{Path: path, Origin: admission.Misplaced, Meant: "spec.a.b"},
			finding.Error, finding.FieldMisplaced, "move it to spec.a.b",
		},
		{
			"a field of the other version",
			admission.UnknownField{Path: path, Origin: admission.OtherVersion},
			finding.Error, finding.FieldMisplaced, "use apiVersion hco.kubevirt.io/v1, or remove the field",
		},
		{
			"a field of a later release may be right once HCO is upgraded",
			admission.UnknownField{Path: path, Origin: admission.OtherRelease, Releases: "from 1.20 on"},
			finding.Warning, finding.FieldOfOtherRelease, "remove it, or correct the declared release",
		},
		{
			"a field of an earlier release is a leftover",
			admission.UnknownField{Path: path, Origin: admission.OtherRelease, Releases: "until 1.17"},
			finding.Warning, finding.FieldOfOtherRelease, "remove it",
		},
		{"a field of no release", admission.UnknownField{Path: path, Origin: admission.Nowhere}, finding.Warning, finding.FieldMisplaced, "remove it"},
	} {
		got := fieldFinding(tc.unknown, hyperconverged.V1beta1, known)
		if got.Severity != tc.severity || got.ID != tc.id || got.Do != tc.do || got.Field != path || !strings.HasSuffix(got.Text, refusesField) {
			t.Errorf("%s: want %s %s %q, got %s %s %q (%s)", tc.reason, tc.severity, tc.id, tc.do, got.Severity, got.ID, got.Do, got.Text)
		}
	}
}

// TestReplace: one field is reported once, and an error of the run, which names the fix, stays.
func TestReplace(t *testing.T) {
	t.Parallel()
	at := finding.Object{Kind: "HyperConverged", Name: "a"}
	reported := func(severity finding.Severity, field, text string) finding.Finding {
		return finding.Finding{ID: finding.FieldMisplaced, Severity: severity, Object: at, Field: field, Text: text}
	}
	for _, tc := range []struct {
		reason string
		run    finding.List
		want   string
	}{
		{"nothing is reported yet", nil, "new"},
		{"a warning about the field gives way", finding.List{reported(finding.Warning, "spec.x", "old")}, "new"},
		{"so does one about a field below it", finding.List{reported(finding.Warning, "spec.x.y", "old")}, "new"},
		{"an error stays", finding.List{reported(finding.Error, "spec.x", "old")}, "old"},
		{"a field with a longer name is another one", finding.List{reported(finding.Warning, "spec.xy", "old")}, "old new"},
		{
			"another CR has a finding of its own",
			finding.List{{ID: finding.FieldMisplaced, Object: finding.Object{Kind: "HyperConverged", Name: "b"}, Field: "spec.x", Text: "old"}},
			"old new",
		},
	} {
		c := Result{Summary: Summary{Findings: tc.run}}
		c.replace(reported(finding.Error, "spec.x", "new"))
		var got []string
		for _, f := range c.Findings {
			got = append(got, f.Text)
		}
		if strings.Join(got, " ") != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}

// TestSnapshot: a snapshot holds what an item had before a run replaced it.
func TestSnapshot(t *testing.T) {
	t.Parallel()
	item, edited := yaml.MustParse("a: 1\n"), yaml.MustParse("a: 2\n")
	kept := Snapshot([]*yaml.RNode{item, yaml.NewRNode(nil)})
	object.Replace(item, edited.YNode())
	if got := kept[0].MustString(); got != "a: 1\n" || item.MustString() != "a: 2\n" {
		t.Errorf("the snapshot has %q, the item %q", got, item.MustString())
	}
	if kept[1].YNode() != nil {
		t.Error("an item without a node stays one")
	}
}
