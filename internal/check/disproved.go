package check

import (
	"fmt"
	"slices"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/internal/subject"
	"github.com/goldenarch/goldenarch/internal/verdict"
)

// disproved reports declared architectures that the image does not have. Those that
// reach the cluster are an error, whatever spec.existing says: SSP creates
// DataImportCrons for them, and CDI cannot import them. Those that render corrects are
// a warning.
func (c *Result) disproved(d subject.Decided) {
	places := firsts(c.Forecast, func(one forecast.Prediction) string { return kinds.Identity(one.Object) })
	for i, s := range d.Subjects {
		at, predicted := places[kinds.Identity(s.At)]
		for _, p := range d.Plans[i].Proofs {
			var failing arch.Set
			if predicted && c.Forecast[at].Shown() != nil {
				failing = importsThatFail(*c.Forecast[at].Shown(), p.Name)
			}
			field := c.field(s.At, s.CR.TemplatePath(p.Index))
			switch {
			case len(failing) > 0 && !p.Ignored && !c.repaired(s.At, field):
				c.failTemplate(s, p, field, failing)
			case !c.hasWarned(s.At, field):
				c.reportStale(s, p, field)
			}
		}
	}
}

// importsThatFail returns the architectures for which the import of a template fails.
func importsThatFail(f forecast.Forecast, template string) arch.Set {
	var out []arch.Arch
	for _, cron := range f.Crons {
		if cron.Template == template && cron.Outcome == forecast.ImportFails {
			out = append(out, cron.Architecture)
		}
	}
	return arch.NewSet(out...)
}

// failTemplate turns the run's finding about the declared architectures into an error,
// or adds an error if there is no such finding.
func (c *Result) failTemplate(s subject.Subject, p plan.Proof, field string, failing arch.Set) {
	then := fmt.Sprintf("SSP still creates DataImportCrons for %s, and their imports fail", failing)
	if i := c.find(s.At, func(f finding.Finding) bool { return f.Field == field && f.ID == finding.ClaimWrong }); i >= 0 {
		c.Findings[i].Severity, c.Findings[i].Text = finding.Error, c.Findings[i].Text+"; "+then
		return
	}
	c.Findings = append(c.Findings, finding.Finding{
		ID: finding.ImportFails, Severity: finding.Error, Object: s.At, Field: field, Line: c.line(s.At, s.CR.TemplatePath(p.Index)),
		Current: declaredText(p), Proposed: p.Architectures.String(),
		Text: fmt.Sprintf("%s has %s, but template %q also declares %s: %s", p.Image, orNoArchitecture(p.Architectures), p.Name, failing, then),
		Do:   "correct the declared architectures",
	})
}

// repaired reports whether render would correct the declared architectures of a
// template if another error did not prevent it. Only because of that error does the
// prediction show the wrong value.
func (c *Result) repaired(at finding.Object, field string) bool {
	return c.As == verdict.Rendered && !c.Rendered && c.find(at, func(f finding.Finding) bool {
		return f.Field == field && (f.ID == finding.ClaimNarrowed || f.ID == finding.ClaimReplaced)
	}) >= 0
}

// hasWarned reports whether the run has a warning about the declared architectures of a
// template.
func (c *Result) hasWarned(at finding.Object, field string) bool {
	ids := []finding.ID{
		finding.ClaimMalformed, finding.ClaimUnknown, finding.ClaimEmpty, finding.ClaimNarrowed, finding.ClaimWrong,
		finding.ClaimIgnored, finding.ClaimReplaced,
	}
	return c.find(at, func(f finding.Finding) bool { return f.Field == field && slices.Contains(ids, f.ID) }) >= 0
}
