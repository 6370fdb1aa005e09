package pipeline

import (
	"fmt"
	"slices"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/plan"
)

// decided is what a run has decided of each CR, in the order of the input.
type decided struct {
	list  []subject
	plans []plan.Plan
	// release is that of the configuration, else that of the live CR.
	release v1alpha1.Release
	// blind says that the live CR cannot be read, so that what it would tell is
	// missing everywhere.
	blind bool
}

// images is what is known of the images of templates: by the identity of the CR,
// and by the name of the template.
type images map[string]map[string]forecast.Image

// withoutUnseen leaves out what is missing only because the live CR cannot be read:
// the error about that says it.
func (d decided) withoutUnseen(list finding.List) finding.List {
	unseen := []finding.ID{finding.NoNodeFacts, finding.ReleaseNeeded, finding.PredefinedUnknown}
	return slices.DeleteFunc(list, func(f finding.Finding) bool { return d.blind && slices.Contains(unseen, f.ID) })
}

func (d decided) images() images {
	out := images{}
	for i, s := range d.list {
		known := map[string]forecast.Image{}
		for _, p := range d.plans[i].Proofs {
			known[p.Name] = forecast.Image{Name: p.Image, Architectures: p.Architectures}
		}
		out[identity(s.at)] = known
	}
	return out
}

// disproved tells of declared architectures that the image does not have. Those
// that reach the cluster are an error, whatever spec.existing says: SSP makes
// DataImportCrons for them, and CDI cannot import them. Those that render repairs
// are a warning.
func (c *Checked) disproved(d decided) {
	for i, s := range d.list {
		at := slices.IndexFunc(c.Forecast, func(one forecast.Foretold) bool { return identity(one.Object) == identity(s.at) })
		for _, p := range d.plans[i].Proofs {
			var failing arch.Set
			if at >= 0 && c.Forecast[at].Shown() != nil {
				failing = importsThatFail(*c.Forecast[at].Shown(), p.Name)
			}
			field := c.field(s.at, s.CR.TemplatePath(p.Index))
			switch {
			case len(failing) > 0 && !p.Ignored && !c.repaired(s.at, field):
				c.failTemplate(s, p, field, failing)
			case !c.told(s.at, field):
				c.stale(s, p, field)
			}
		}
	}
}

// importsThatFail returns the architectures for which the import of a template
// fails.
func importsThatFail(f forecast.Forecast, template string) arch.Set {
	var out []arch.Arch
	for _, cron := range f.Crons {
		if cron.Template == template && cron.Fate == forecast.ImportFails {
			out = append(out, cron.Architecture)
		}
	}
	return arch.NewSet(out...)
}

// failTemplate makes an error of what the run has said of the declared
// architectures, or adds one where it has said nothing.
func (c *Checked) failTemplate(s subject, p plan.Proof, field string, failing arch.Set) {
	then := fmt.Sprintf("SSP makes DataImportCrons for %s all the same, and their import fails", failing)
	for i, f := range c.Findings {
		if f.Object == s.at && f.Field == field && f.ID == finding.ClaimWrong {
			c.Findings[i].Severity, c.Findings[i].Text = finding.Error, f.Text+"; "+then
			return
		}
	}
	c.Findings = append(c.Findings, finding.Finding{
		ID: finding.ImportFails, Severity: finding.Error, Object: s.at, Field: field, Line: c.line(s.at, s.CR.TemplatePath(p.Index)),
		Current: declaredText(p), Proposed: p.Architectures.String(),
		Text: fmt.Sprintf("%s has %s, and template %q declares %s too: %s", p.Image, orNoArchitecture(p.Architectures), p.Name, failing, then),
		Do:   "correct the declared architectures, or let goldenarch do it (spec.existing: Narrow)",
	})
}

// stale warns of declared architectures that are wrong in the files and that
// render corrects without a word, since it wrote them itself.
func (c *Checked) stale(s subject, p plan.Proof, field string) {
	if p.Declared == nil {
		return
	}
	meant, unknown := p.Declared.Meant()
	var text string
	switch wrong := meant.Minus(p.Architectures); {
	case len(wrong) > 0:
		text = fmt.Sprintf("template %q declares %s, and %s has %s", p.Name, wrong, p.Image, orNoArchitecture(p.Architectures))
	case len(meant)+len(unknown) == 0:
		text = fmt.Sprintf("the declared architectures of template %q are %q, which names none", p.Name, *p.Declared)
	default:
		return
	}
	c.Findings = append(c.Findings, finding.Finding{
		ID: finding.DeclaredStale, Severity: finding.Warning, Object: s.at, Field: field, Line: c.line(s.at, s.CR.TemplatePath(p.Index)),
		Current: declaredText(p), Proposed: p.Architectures.String(),
		Text: text + ": the files would fail without render, which corrects it",
		Do:   "commit what 'goldenarch render' writes",
	})
}

// repaired reports whether render would correct the declared architectures of a
// template: another error keeps it from that, and only so does the wrong value
// show in the prediction.
func (c *Checked) repaired(at finding.Object, field string) bool {
	return !c.Rendered && slices.ContainsFunc(c.Findings, func(f finding.Finding) bool {
		return f.Object == at && f.Field == field && (f.ID == finding.ClaimNarrowed || f.ID == finding.ClaimReplaced)
	})
}

// told reports whether the run has warned of the declared architectures of a
// template.
func (c *Checked) told(at finding.Object, field string) bool {
	ids := []finding.ID{
		finding.ClaimMalformed, finding.ClaimUnknown, finding.ClaimNothingLeft, finding.ClaimNarrowed, finding.ClaimWrong,
		finding.ClaimIgnored, finding.ClaimReplaced,
	}
	return slices.ContainsFunc(c.Findings, func(f finding.Finding) bool {
		return f.Object == at && f.Field == field && slices.Contains(ids, f.ID)
	})
}

func declaredText(p plan.Proof) string {
	if p.Declared == nil {
		return ""
	}
	return string(*p.Declared)
}

func orNoArchitecture(set arch.Set) string {
	if len(set) == 0 {
		return "no architecture"
	}
	return set.String()
}
