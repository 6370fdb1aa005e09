package check

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/output"
	"github.com/goldenarch/goldenarch/internal/prediction"
	"github.com/goldenarch/goldenarch/internal/settings"
	"github.com/goldenarch/goldenarch/internal/subject"
	"github.com/goldenarch/goldenarch/internal/verdict"
)

// Result is the result of Check.
type Result struct {
	// Findings are those of Render, followed by those of the forecast.
	Findings finding.List
	// Forecast predicts what the operators do with the CRs: as they are committed, or as
	// they are rendered, whichever the check judges. If rendering failed, it is about the
	// CRs as they are.
	Forecast []forecast.Prediction
	// Rendered says that there was no error, so that the items are those that Render
	// returns.
	Rendered bool
	Items    []*yaml.RNode
	// CRs are the CRs of the input.
	CRs []CR
	// Pods are the objects with pods that were checked.
	Pods []finding.Object
	// As says which form the check judges.
	As verdict.As
	// NeedsRendering says that the check judges what is rendered, and that the operators do
	// something else with what is committed.
	NeedsRendering bool

	before []*yaml.RNode // the items of the input
	places places
	parsed *hyperconverged.Parsed
}

// Summary returns the result without what only the check needs: the items, and the CRs as
// they were. Of many clusters, these take much memory.
func (c Result) Summary() Result {
	out := Result{
		Findings: c.Findings, Forecast: c.Forecast, Rendered: c.Rendered, CRs: slices.Clone(c.CRs), Pods: c.Pods, As: c.As, NeedsRendering: c.NeedsRendering,
	}
	for i := range out.CRs {
		out.CRs[i].node, out.CRs[i].tree = nil, nil
	}
	return out
}

// New returns the state of a check before its run: the findings so far, and the CRs as
// they are in the input.
func New(found finding.List, items []*yaml.RNode, crs *hyperconverged.Parsed) Result {
	return Result{Findings: found, CRs: readCRs(items, crs), before: slices.Clone(items), parsed: crs}
}

// Run is a run that a check judges.
type Run struct {
	Predictor prediction.Predictor
	// Decided is what the run decided.
	Decided  subject.Decided
	Settings *settings.Settings
	// As says whether the committed or the rendered form gets to the cluster, given the files
	// with the CRs; nil for the committed one.
	As func(files []string) verdict.As
	// Committed are the items as they are in the files, Rendered those that the run made.
	Committed, Rendered []*yaml.RNode
	// OnlyGate are the committed items with the gate of the rendered ones, WithoutGate the
	// rendered ones with that of the committed ones; nil if the run leaves the gate.
	OnlyGate, WithoutGate []*yaml.RNode
	// Fix is the command that writes what is missing; "" if there is none.
	Fix string
}

// judged returns the items that the check judges.
func (c *Result) judged(r Run) []*yaml.RNode {
	if c.As == verdict.Rendered {
		return r.Rendered
	}
	return r.Committed
}

// Judge judges the result of a run by what the operators will do with what gets to the
// cluster.
func (c *Result) Judge(run Run) {
	p, all := run.Predictor, run.Decided
	differs := c.changed(run.Rendered) || len(c.emittedBy(run.Rendered)) > 0
	c.As = verdict.Committed
	if run.As != nil && (differs || !c.Rendered) {
		var files []string
		for _, cr := range c.CRs {
			files = append(files, cr.Object.File)
		}
		c.As = run.As(files)
	}
	var more finding.List
	c.Forecast, more = p.All(c.judged(run), run.Settings, prediction.ThroughAdmission, prediction.ImagesOf(all))
	for i := range c.Forecast {
		more = append(more, c.Forecast[i].Warnings...)
	}
	more = all.WithoutLiveGaps(more)
	if err := c.judgeFields(all.Release, p.Source.Strict); err != nil {
		*c = Result{Findings: finding.List{{ID: finding.Unreadable, Severity: finding.Error, Text: err.Error()}}}
		return
	}
	c.add(c.withoutRepeats(more))
	// A CR that cannot be read has no admission; the run has reported it.
	c.Forecast = slices.DeleteFunc(c.Forecast, func(one forecast.Prediction) bool { return one.Admission == nil && !prediction.IsOfSSP(one) })
	if c.Rendered {
		c.judgeForecast()
	}
	c.partial(run)
	c.disproved(all)
	failOnUnreadCRs(c.Findings)
	failOnDuplicateKeys(c.Findings)
	if !c.Rendered {
		return
	}
	if differs {
		c.judgeCommitted(run)
	}
	c.compare(run.Rendered)
	if c.Items = output.Product(run.Rendered); len(c.Items) == 0 {
		failWithoutManifests(c.Findings)
	}
}

// judgeCommitted compares what the operators do with the committed CRs and with the rendered
// ones. Where the committed form gets to the cluster, a difference is a finding.
func (c *Result) judgeCommitted(run Run) {
	other := run.Rendered
	if c.As == verdict.Rendered {
		other = run.Committed
	}
	list, _ := run.Predictor.All(other, run.Settings, prediction.ThroughAdmission, prediction.ImagesOf(run.Decided))
	as, rendered := byIdentity(c.Forecast), byIdentity(list)
	if c.As == verdict.Rendered {
		as, rendered = rendered, as
	}
	both := committed{Result: c, run: run, as: as, rendered: rendered, renderedCRs: readCRs(run.Rendered, c.parsed)}
	found := both.findings()
	if c.As == verdict.Rendered {
		c.NeedsRendering = len(found) > 0 || slices.ContainsFunc(list, func(one forecast.Prediction) bool { return !prediction.IsOfSSP(one) && isRefused(one) })
		return
	}
	for _, f := range found {
		if f.ID == finding.GateAsCommitted {
			c.remove(f.Object, finding.GateOn)
		}
	}
	c.Findings = append(c.Findings, found...)
}

// judgeForecast judges the predictions.
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

// add adds the findings of the forecast that the run has not reported. The run changes
// objects, and its findings have the lines of the user's files.
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

// judge turns the problems that the forecast of a CR predicts into errors. If
// SSP refuses the cluster because of its nodes, no CR can fix that, so the run has
// reported it as a warning.
func (c *Result) judge(f forecast.Prediction) {
	f.Forecast.SSPRejected = ""
	at := finding.Finding{Severity: finding.Error, Object: f.Object, Do: "correct the CR"}
	for _, r := range f.Refusals() {
		at.ID, at.Text, at.Field = finding.AdmissionRefuses, r.String(), c.field(f.Object, r.Field)
		at.Line = c.line(f.Object, r.Field)
		c.Findings = append(c.Findings, at)
	}
	for _, why := range f.Forecast.Failures() {
		at.ID, at.Text, at.Field = finding.OperatorStops, why, ""
		at.Line = c.line(f.Object, "")
		c.Findings = append(c.Findings, at)
	}
}

// failOnUnreadCRs turns findings about CRs that goldenarch does not read into errors: a
// check must not pass without having read a CR.
func failOnUnreadCRs(found finding.List) {
	for i := range found {
		if found[i].ID == finding.CRUnread {
			found[i].Severity = finding.Error
		}
	}
}

// failOnDuplicateKeys turns findings about duplicate keys into errors, also with equal values:
// kustomize build refuses them.
func failOnDuplicateKeys(found finding.List) {
	for i := range found {
		if found[i].ID == finding.DuplicateKey {
			found[i].Severity = finding.Error
			found[i].Text = strings.Replace(found[i].Text, "with the same value: goldenarch keeps the first one when it edits the object",
				"with the same value: kustomize build refuses the file", 1)
		}
	}
}

// failWithoutManifests reports an error if the input has no manifests for the cluster:
// render fails there too, and a check of the wrong directory must not pass.
func failWithoutManifests(found finding.List) {
	for i := range found {
		if found[i].ID == finding.NoCR {
			found[i].Severity, found[i].Text = finding.Error, "there is nothing to check: the input has no manifests for the cluster"
		}
	}
}
