package check

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/engine/join"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// changes returns the fields of the CRs that rendering changes, without the annotations that nothing
// reads any more.
func (c *Result) changes(rendered []CR) map[finding.Object][]change {
	out := map[finding.Object][]change{}
	places := firsts(rendered, identityOf)
	for _, cr := range c.CRs {
		if j, ok := places[identityOf(cr)]; ok {
			if all := slices.DeleteFunc(cr.changesTo(rendered[j]), change.isRetired); len(all) > 0 {
				out[cr.Object] = all
			}
		}
	}
	return out
}

// compare reports how the input differs from what rendering makes of it.
func (c *Result) compare(all map[finding.Object][]change, emitted []string) {
	const do = "apply the output of 'goldenarch render', or commit it"
	for i, cr := range c.CRs {
		changes := all[cr.Object]
		if len(changes) == 0 {
			continue
		}
		var texts []string
		for _, one := range changes {
			c.CRs[i].Changes = append(c.CRs[i].Changes, one.path)
			if !c.namesGate(cr, one) {
				texts = append(texts, one.String())
			}
		}
		c.showChanges(cr, changes)
		differs := func(f finding.Finding) bool { return f.ID == finding.DiffersAsCommitted }
		if len(texts) == 0 || c.find(cr.Object, differs) >= 0 {
			continue
		}
		what := "render changes "
		if len(texts) < len(c.CRs[i].Changes) {
			what = "beside the multi-arch gate, render changes "
		}
		c.Findings = append(c.Findings, finding.Finding{
			ID: finding.NotAsRendered, Severity: finding.Info, Object: cr.Object, Line: yamlnode.Line(cr.node, ""), Do: do,
			Text: fmt.Sprintf("%s%s of the CR: %s", what, finding.Count(len(texts), "field"), finding.FirstOf(texts)),
		})
	}
	if c.find(finding.Object{}, func(f finding.Finding) bool { return f.ID == finding.EmittedNotCommitted }) >= 0 {
		return // it names the same objects
	}
	if len(emitted) > 0 {
		c.Findings = append(c.Findings, finding.Finding{
			ID: finding.NotAsRendered, Severity: finding.Info, Do: do,
			Text: fmt.Sprintf("goldenarch emits %s that the input does not have: %s", finding.Count(len(emitted), "object"), finding.FirstOf(emitted)),
		})
	}
}

// showChanges gives each error and warning about a field of a CR what rendering changes there, for the form that is committed.
func (c *Result) showChanges(cr CR, changes []change) {
	if c.As == Rendered {
		return
	}
	lines := cr.lines(changes)
	byPath := func(a, b finding.Change) int { return strings.Compare(a.Path, b.Path) }
	slices.SortFunc(lines, byPath)
	for _, i := range c.about(cr.Object) {
		f := &c.Findings[i]
		if f.Field == "" || f.Changes != nil || !f.Severity.AtLeast(finding.Warning) {
			continue
		}
		first, _ := slices.BinarySearchFunc(lines, finding.Change{Path: f.Field}, byPath)
		for _, one := range lines[first:] {
			if !strings.HasPrefix(one.Path, f.Field) {
				break
			}
			if fieldpath.IsAt(one.Path, f.Field) {
				f.Changes = append(f.Changes, one)
			}
		}
	}
}

// namesGate reports whether a change only sets the multi-arch gate, and a finding about the
// gate says so.
func (c *Result) namesGate(cr CR, one change) bool {
	gate := c.find(cr.Object, func(f finding.Finding) bool { return f.ID == finding.GateOn || f.ID == finding.GateAlert })
	if gate < 0 {
		return false
	}
	field := c.Findings[gate].Field
	at := func(path string) string { return fieldpath.Below(cr.path, path) }
	if element, ok := one.after.(map[string]any); ok && element["name"] == hyperconverged.GateName && strings.HasPrefix(at(one.path), field+"[") {
		return true // a new element of the list of gates
	}
	return !slices.ContainsFunc(one.leaves(), func(leaf change) bool { return at(leaf.path) != field })
}

// compareLive reports, once for each CR, how the cluster differs now from what it will
// have. It reports nothing without the live CR, or for a CR that never reaches HCO.
func (c *Result) compareLive(f forecast.Prediction) {
	live := f.Forecast.Live
	if live == nil {
		return
	}
	var changes []string
	for _, t := range live {
		if t.Changed {
			changes = append(changes, fmt.Sprintf("%s (now %s, then %s)", t.Template, t.Now, t.Then))
		}
	}
	text := fmt.Sprintf("this commit does not change any of the %d templates of the cluster", len(live))
	if len(changes) > 0 {
		text = fmt.Sprintf("this commit changes %d of %d templates of the cluster: %s", len(changes), len(live), strings.Join(changes, ", "))
	}
	c.Findings = append(c.Findings, finding.Finding{
		ID: finding.LiveDiffers, Severity: finding.Info, Object: f.Object, Line: c.line(f.Object, ""), Text: text,
	})
}

// reportStale warns of declared architectures that are wrong in the files. render
// corrects them silently if goldenarch itself wrote them.
func (c *Result) reportStale(s join.Joined, p plan.Proof, field string) {
	if p.Declared == nil {
		return
	}
	meant, unknown := p.Declared.Meant()
	var text string
	switch wrong := meant.Minus(p.Architectures); {
	case len(wrong) > 0:
		text = fmt.Sprintf("template %q declares %s, but %s has %s", p.Name, wrong, p.Image, listed(p.Architectures.Strings()))
	case len(meant)+len(unknown) == 0:
		text = fmt.Sprintf("template %q declares %q, which names no architecture", p.Name, *p.Declared)
	default:
		return
	}
	c.Findings = append(c.Findings, finding.Finding{
		ID: finding.DeclaredStale, Severity: finding.Warning, Object: s.At, Field: field, Line: c.line(s.At, s.CR.TemplatePath(p.Index)),
		Current: declaredText(p), Proposed: p.Architectures.String(),
		Text: text + ": imports fail if you apply the files without goldenarch render",
		Do:   "commit what 'goldenarch render' writes",
	})
}

func declaredText(p plan.Proof) string {
	if p.Declared == nil {
		return ""
	}
	return string(*p.Declared)
}

// disproved reports declared architectures that the image does not have. Those that
// reach the cluster are an error, whatever spec.existing says: SSP creates
// DataImportCrons for them, and CDI cannot import them. Those that render corrects are
// a warning.
func (c *Result) disproved(run Run) {
	d := run.Decided
	predicted := byIdentity(c.Forecast)
	for i, s := range d.Joined {
		var crons map[string][]*forecast.CronOutcome
		if one, ok := predicted[kinds.Identity(s.At)]; ok && one.Shown() != nil {
			crons = one.Shown().CronsByTemplate()
		}
		for _, p := range d.Plans[i].Proofs {
			failing := importsThatFail(crons[p.Name])
			field := c.field(s.At, s.CR.TemplatePath(p.Index))
			switch {
			case len(failing) > 0 && !p.Ignored && !c.repaired(s.At, field):
				c.failTemplate(run, s, p, failing)
			case !c.hasWarned(s.At, field):
				c.reportStale(s, p, field)
			}
		}
	}
}

// importsThatFail returns the architectures for which the imports of a template's crons fail
// because of its image.
func importsThatFail(crons []*forecast.CronOutcome) arch.Set {
	var out []arch.Arch
	for _, cron := range crons {
		if cron.Outcome == forecast.ImportFails && !cron.Broken {
			out = append(out, cron.Architecture)
		}
	}
	return arch.NewSet(out...)
}

// failTemplate turns the run's finding about the declared architectures into an error,
// or adds an error if there is no such finding.
func (c *Result) failTemplate(run Run, s join.Joined, p plan.Proof, failing arch.Set) {
	field := c.field(s.At, s.CR.TemplatePath(p.Index))
	has := func(ids ...finding.ID) int {
		return c.find(s.At, func(f finding.Finding) bool { return f.Field == field && slices.Contains(ids, f.ID) })
	}
	then := fmt.Sprintf("SSP still creates DataImportCrons for %s, and their imports fail", failing)
	if i := has(finding.ClaimWrong); i >= 0 {
		c.Findings[i].Severity, c.Findings[i].Text = finding.Error, c.Findings[i].Text+"; "+then
		return
	}
	f := finding.Finding{
		ID: finding.ImportFails, Severity: finding.Error, Object: s.At, Field: field, Line: c.line(s.At, s.CR.TemplatePath(p.Index)), Template: p.Name,
		Current: declaredText(p), Proposed: p.Architectures.String(),
		Text: fmt.Sprintf("%s has %s, but template %q also declares %s: %s", p.Image, listed(p.Architectures.Strings()), p.Name, failing, then),
		Do:   "correct the declared architectures",
	}
	if c.As == Committed && has(finding.ClaimNarrowed, finding.ClaimReplaced) >= 0 {
		f = run.advised(f) // which corrects them
	}
	c.Findings = append(c.Findings, f)
}

// repaired reports whether render would correct the declared architectures of a
// template if another error did not prevent it. Only because of that error does the
// prediction show the wrong value.
func (c *Result) repaired(at finding.Object, field string) bool {
	return c.As == Rendered && !c.Rendered && c.find(at, func(f finding.Finding) bool {
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

// emittedBy returns the objects that goldenarch emits and that the input does not have as they
// are.
func (c *Result) emittedBy(after []*yaml.RNode) []string {
	known := make(map[*yaml.RNode]bool, len(c.before))
	for _, item := range c.before {
		known[item] = true
	}
	var out []string
	for _, item := range after {
		if !known[item] {
			out = append(out, object.Ref(item).String())
		}
	}
	return out
}
