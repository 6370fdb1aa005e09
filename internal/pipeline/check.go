package pipeline

import (
	"context"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
)

// Checked is what Check found out.
type Checked struct {
	// Findings are those of Render, and then what the forecast adds.
	Findings finding.List
	// Forecast is that of the rendered CRs. Where they could not be rendered it is
	// that of the CRs as they are.
	Forecast []forecast.Foretold
	// Rendered says that there was no error, so that the items are those that
	// Render returns.
	Rendered bool
	Items    []*yaml.RNode
	// CRs are those of the input.
	CRs []CheckedCR
}

// Check runs the function as Render does, and judges the result by what the
// operators will make of it: what goes to the cluster is what is rendered. What
// the API server or HCO refuses, and what an operator stops at, is an error.
func (f Function) Check(ctx context.Context, items []*yaml.RNode, given *yaml.RNode) Checked {
	config, extra, found := f.load(given, items)
	if found.Failed() {
		return Checked{Findings: found}
	}
	found = append(found, leftOutNodes(items)...)
	items = append(items, extra...)
	c := Checked{Findings: found, CRs: checkedCRs(items)}
	before := slices.Clone(items)
	items, list, all := f.run(ctx, items, &config.Spec)
	c.Findings = append(c.Findings, ofConfig(list, config)...)
	c.Rendered = !list.Failed()
	var more finding.List
	c.Forecast, more = f.foretellAll(items, &config.Spec, true, all.images())
	for i := range c.Forecast {
		more = append(more, c.Forecast[i].Warnings...)
	}
	more = all.withoutUnseen(more)
	if err := c.judgeFields(all.release, f.Strict); err != nil {
		return Checked{Findings: finding.List{{ID: finding.Unreadable, Severity: finding.Error, Text: err.Error()}}}
	}
	c.add(c.withoutRepeats(more))
	// What cannot be read goes to no admission; that has been told.
	c.Forecast = slices.DeleteFunc(c.Forecast, func(one forecast.Foretold) bool { return one.Admission == nil && !isOfSSP(one) })
	if !c.Rendered {
		f.partial(&c, items, all, &config.Spec)
		c.disproved(all)
		return c
	}
	for i := range c.Forecast {
		if isOfSSP(c.Forecast[i]) {
			c.judgeSSP(c.Forecast[i])
			continue
		}
		c.judge(c.Forecast[i])
		c.compareLive(c.Forecast[i])
	}
	f.partial(&c, items, all, &config.Spec)
	c.disproved(all)
	c.compare(before, items)
	if c.Items = Product(items); len(c.Items) == 0 {
		nothingToCheck(c.Findings)
	}
	return c
}

// add adds what the forecast says of the input, unless the run has said it. The
// run changes objects, and what it says has the lines of the user's files.
func (c *Checked) add(list finding.List) {
	for _, f := range list {
		if slices.ContainsFunc(c.Findings, func(told finding.Finding) bool {
			return told.ID == f.ID && told.Object == f.Object && (told.Text == f.Text || f.ID == finding.ReleaseNeeded)
		}) {
			continue
		}
		f.Line = c.line(f.Object, f.Field)
		c.Findings = append(c.Findings, f)
	}
}

// judge makes errors of what the forecast of a rendered CR foresees. That SSP
// refuses the cluster, for its nodes, no CR can mend: of that the run has warned.
func (c *Checked) judge(f forecast.Foretold) {
	f.Forecast.SSPRejected = ""
	at := finding.Finding{Severity: finding.Error, Object: f.Object, Do: "correct the CR"}
	for _, r := range f.Refusals() {
		at.ID, at.Text, at.Field = finding.AdmissionRefuses, "the CR is refused: "+r.String(), c.field(f.Object, r.Field)
		at.Line = c.line(f.Object, r.Field)
		c.Findings = append(c.Findings, at)
	}
	for _, why := range f.Forecast.Failures() {
		at.ID, at.Text, at.Field = finding.OperatorStops, why, ""
		at.Line = c.line(f.Object, "")
		c.Findings = append(c.Findings, at)
	}
}

// nothingToCheck makes an error of it that the input has nothing for the cluster:
// render fails there too, and a check of the wrong directory must not pass.
func nothingToCheck(found finding.List) {
	for i := range found {
		if found[i].ID == finding.NoCR {
			found[i].Severity, found[i].Text = finding.Error, "there is nothing to check: no manifests for the cluster were read"
		}
	}
}
