package check

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/output"
	"github.com/goldenarch/goldenarch/internal/prediction"
	"github.com/goldenarch/goldenarch/internal/subject"
)

// Result is what Check found out.
type Result struct {
	// Findings are those of Render, and then what the forecast adds.
	Findings finding.List
	// Forecast is that of the rendered CRs. Where they could not be rendered it is
	// that of the CRs as they are.
	Forecast []forecast.Prediction
	// Rendered says that there was no error, so that the items are those that
	// Render returns.
	Rendered bool
	Items    []*yaml.RNode
	// CRs are those of the input.
	CRs []CR

	before []*yaml.RNode // the items of the input
	places places
	parsed *hyperconverged.Parsed
}

// New returns a check before its run: the findings so far, and the CRs as the
// input has them.
func New(found finding.List, items []*yaml.RNode, crs *hyperconverged.Parsed) Result {
	return Result{Findings: found, CRs: readCRs(items, crs), before: slices.Clone(items), parsed: crs}
}

// Judge judges the result of a run, what it has decided and its items, by what the
// operators will make of it.
func (c *Result) Judge(p prediction.Predictor, all subject.Decided, items []*yaml.RNode, spec *v1alpha1.GoldenImagesSpec) {
	var more finding.List
	c.Forecast, more = p.All(items, spec, prediction.ThroughAdmission, prediction.ImagesOf(all))
	for i := range c.Forecast {
		more = append(more, c.Forecast[i].Warnings...)
	}
	more = all.WithoutLiveGaps(more)
	if err := c.judgeFields(all.Release, p.Source.Strict); err != nil {
		*c = Result{Findings: finding.List{{ID: finding.Unreadable, Severity: finding.Error, Text: err.Error()}}}
		return
	}
	c.add(c.withoutRepeats(more))
	// What cannot be read goes to no admission; that has been reported.
	c.Forecast = slices.DeleteFunc(c.Forecast, func(one forecast.Prediction) bool { return one.Admission == nil && !prediction.IsOfSSP(one) })
	if c.Rendered {
		c.judgeForecast()
	}
	c.partial(p, items, all, spec)
	c.disproved(all)
	failOnUnreadCRs(c.Findings)
	if !c.Rendered {
		return
	}
	c.compare(items)
	if c.Items = output.Product(items); len(c.Items) == 0 {
		failWithoutManifests(c.Findings)
	}
}

// judgeForecast judges the predictions of the rendered CRs.
func (c *Result) judgeForecast() {
	for i := range c.Forecast {
		if prediction.IsOfSSP(c.Forecast[i]) {
			c.judgeSSP(c.Forecast[i])
			continue
		}
		c.judge(c.Forecast[i])
		c.compareLive(c.Forecast[i])
	}
}

// add adds what the forecast says of the input, unless the run has said it. The
// run changes objects, and what it says has the lines of the user's files.
func (c *Result) add(list finding.List) {
	for _, f := range list {
		if c.find(f.Object, func(reported finding.Finding) bool {
			return reported.ID == f.ID && (reported.Text == f.Text || f.ID == finding.ReleaseNeeded)
		}) >= 0 {
			continue
		}
		f.Line = c.line(f.Object, f.Field)
		c.Findings = append(c.Findings, f)
	}
}

// judge makes errors of what the forecast of a rendered CR predicts. That SSP
// refuses the cluster, for its nodes, no CR can mend: of that the run has warned.
func (c *Result) judge(f forecast.Prediction) {
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

// failOnUnreadCRs makes errors of the CRs that goldenarch does not read: a check that
// has not looked at a CR must not pass.
func failOnUnreadCRs(found finding.List) {
	for i := range found {
		if found[i].ID == finding.CRUnread {
			found[i].Severity = finding.Error
		}
	}
}

// failWithoutManifests makes an error of it that the input has nothing for the cluster:
// render fails there too, and a check of the wrong directory must not pass.
func failWithoutManifests(found finding.List) {
	for i := range found {
		if found[i].ID == finding.NoCR {
			found[i].Severity, found[i].Text = finding.Error, "there is nothing to check: the input has no manifests for the cluster"
		}
	}
}
