package report

import (
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/admission"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// cronOf is a cron of the template "t" for an architecture, "" for that of its node, with what the image has.
func cronOf(a string, outcome forecast.Outcome, image ...arch.Arch) forecast.CronOutcome {
	return forecast.CronOutcome{Template: "t", Architecture: arch.Arch(a), Outcome: outcome, Image: forecast.Image{Architectures: arch.NewSet(image...)}}
}

// predictionOf is a prediction with one template, for nodes with amd64 and arm64.
func predictionOf(t forecast.TemplateOutcome, crons ...forecast.CronOutcome) forecast.Prediction {
	t.Name = "t"
	return forecast.Prediction{
		Object: finding.Object{Kind: "HyperConverged", Name: "a"}, Admission: &admission.Result{},
		Forecast: forecast.Forecast{WorkloadArchitectures: []string{"amd64", "arm64"}, Templates: []forecast.TemplateOutcome{t}, Crons: crons},
	}
}

// TestBoots: what nodes with amd64 and arm64 get of a template, and the sentence about it. Nothing boots that only some node gets.
func TestBoots(t *testing.T) {
	t.Parallel()
	deployed := forecast.TemplateOutcome{Outcome: forecast.Deployed, Class: hyperconverged.ClassCustom}
	declared := "amd64,arm64"
	for _, tc := range []struct {
		reason, want, sentence string
		template               forecast.TemplateOutcome
		crons                  []forecast.CronOutcome
	}{
		{
			"a cron for each", "boots boots", "The golden image boots on amd64 and arm64.", deployed,
			[]forecast.CronOutcome{cronOf("amd64", forecast.Created, "amd64", "arm64"), cronOf("arm64", forecast.Created, "amd64", "arm64")},
		},
		{
			"an import fails", "boots no", "1 of 1 golden images does not boot on arm64.", deployed,
			[]forecast.CronOutcome{cronOf("amd64", forecast.Created, "amd64"), cronOf("arm64", forecast.ImportFails, "amd64")},
		},
		{
			"the gate is off, and the image has both", "depends depends", "1 of 1 golden images boots on some nodes only, and nothing says on which.",
			deployed,
			[]forecast.CronOutcome{cronOf("", forecast.Created, "amd64", "arm64")},
		},
		{
			"the gate is off, and an index has one, which only its nodes import", "depends no",
			"1 of 1 golden images does not boot on arm64, 1 boots on some nodes only.",
			deployed,
			[]forecast.CronOutcome{cronOf("", forecast.Created, "amd64")},
		},
		{
			"the gate is off, and a manifest is that of one, which any node imports", "boots no", "1 of 1 golden images does not boot on arm64.",
			deployed,
			[]forecast.CronOutcome{{Template: "t", Outcome: forecast.Created, Image: forecast.Image{Architectures: arch.Named("amd64"), Single: true}}},
		},
		{
			"nobody knows the image", "? no", "1 of 1 golden images does not boot on arm64, 1 could not be judged.",
			deployed,
			[]forecast.CronOutcome{cronOf("amd64", forecast.Created)},
		},
		{
			"HCO ships it and declares both", "boots boots", "The golden image boots on amd64 and arm64.",
			forecast.TemplateOutcome{Outcome: forecast.Deployed, Class: hyperconverged.ClassPredefined, Claim: &declared},
			[]forecast.CronOutcome{cronOf("amd64", forecast.Created), cronOf("arm64", forecast.Created)},
		},
		{
			"no node fits it", "no no", "1 of 1 golden images does not boot on amd64, 1 not on arm64.",
			forecast.TemplateOutcome{Outcome: forecast.NotDeployed},
			nil,
		},
		{"a person disabled it", "", "The CR has no golden images.", forecast.TemplateOutcome{Outcome: forecast.Disabled}, nil},
		{
			"goldenarch disabled it", "no no", "1 of 1 golden images does not boot on amd64, 1 not on arm64.",
			forecast.TemplateOutcome{Outcome: forecast.Disabled, DisabledBecause: hyperconverged.NoSupportedArchitecture},
			nil,
		},
		{
			"an error prevents a prediction", "? ?", "1 of 1 golden images could not be judged.",
			forecast.TemplateOutcome{Outcome: forecast.InError},
			nil,
		},
	} {
		one := predictionOf(tc.template, tc.crons...)
		var got []string
		for _, r := range imagesOf(one).Templates {
			got = append(got, string(r.Boots["amd64"]), string(r.Boots["arm64"]))
		}
		if text := strings.Join(got, " "); text != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, text)
		}
		c := Check{Summary: check.Summary{Forecast: []forecast.Prediction{one}, CRs: []check.CR{{Object: one.Object}}}}
		if got := c.tell().sentence(); got != tc.sentence {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.sentence, got)
		}
	}
}

// TestSentenceOfClusters counts the clusters in which everything boots, and those of them that fail all the same.
func TestSentenceOfClusters(t *testing.T) {
	t.Parallel()
	deployed := forecast.TemplateOutcome{Outcome: forecast.Deployed}
	both := []forecast.CronOutcome{cronOf("amd64", forecast.Created, "amd64", "arm64"), cronOf("arm64", forecast.Created, "amd64", "arm64")}
	one := both[:1]
	for _, tc := range []struct {
		want     string
		clusters []forecast.Prediction
		fails    []bool
	}{
		{"All 2 clusters boot everything.", []forecast.Prediction{predictionOf(deployed, both...), predictionOf(deployed, both...)}, []bool{false, false}},
		{
			"All 2 clusters pass. In 1 of them some golden images do not boot on all nodes.",
			[]forecast.Prediction{predictionOf(deployed, both...), predictionOf(deployed, one...)},
			[]bool{false, false},
		},
		{
			"1 of 2 clusters boot everything. 1 does not.",
			[]forecast.Prediction{predictionOf(deployed, both...), predictionOf(deployed, one...)},
			[]bool{false, true},
		},
		{"1 of 2 clusters boot everything. 1 could not be judged.", []forecast.Prediction{predictionOf(deployed, both...), {}}, []bool{false, true}},
		{
			"All 2 clusters boot everything. 1 of them fails the check all the same.",
			[]forecast.Prediction{predictionOf(deployed, both...), predictionOf(deployed, both...)},
			[]bool{false, true},
		},
	} {
		c := Check{Repository: &Repository{}}
		for i, p := range tc.clusters {
			name := string(rune('a' + i))
			p.Object.Cluster = name
			verdict := check.RightAsCommitted
			if tc.fails[i] {
				verdict = check.NotRight
			}
			if p.Forecast.Templates != nil {
				c.Forecast, c.CRs = append(c.Forecast, p), append(c.CRs, check.CR{Object: p.Object})
			}
			c.Repository.Clusters = append(c.Repository.Clusters, Cluster{Name: name, Verdict: verdict})
		}
		if got := c.tell().sentence(); got != tc.want {
			t.Errorf("want %q, got %q", tc.want, got)
		}
	}
}
