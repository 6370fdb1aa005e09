package check

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/engine/join"
	"github.com/goldenarch/goldenarch/internal/engine/output"
	"github.com/goldenarch/goldenarch/internal/engine/prediction"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/machine"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/workload"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Summary is what a check says, without what only the check itself needs.
type Summary struct {
	// Findings are those of Render, followed by those of the forecast.
	Findings finding.List
	// Forecast predicts what the operators do with the CRs: as they are committed, or as
	// they are rendered, whichever the check judges. If rendering failed, it is about the
	// CRs as they are.
	Forecast []forecast.Prediction
	// Rendered says that there was no error, so that the items are those that Render
	// returns.
	Rendered bool
	// CRs are the CRs of the input.
	CRs []CR
	// Pods are the objects with pods that were checked.
	Pods []finding.Object
	// Crons are the DataImportCrons in Git that were checked.
	Crons []finding.Object
	// Supports says which architectures the operators among them support.
	Supports []workload.Support
	// Machines are the virtual machines that were checked, and MachinesKnown says that
	// something states their cluster.
	Machines      []machine.Result
	MachinesKnown bool
	// As says which form the check judges.
	As As
	// NeedsRendering says that the check judges what is rendered, and that the operators do
	// something else with what is committed.
	NeedsRendering bool
	// Ignored is how many findings exceptions omit, by what states that.
	Ignored map[string]int
}

// Add adds what another check says: several clusters are rendered if each of them is.
func (s *Summary) Add(other Summary) {
	s.Findings, s.Forecast = append(s.Findings, other.Findings...), append(s.Forecast, other.Forecast...)
	s.CRs, s.Crons = append(s.CRs, other.CRs...), append(s.Crons, other.Crons...)
	s.Pods, s.Supports = append(s.Pods, other.Pods...), append(s.Supports, other.Supports...)
	s.Machines, s.MachinesKnown = append(s.Machines, other.Machines...), s.MachinesKnown || other.MachinesKnown
	s.Rendered, s.NeedsRendering = s.Rendered && other.Rendered, s.NeedsRendering || other.NeedsRendering
	for by, n := range other.Ignored {
		s.Ignored[by] += n
	}
}

// Result is the result of Check.
type Result struct {
	Summary

	// Items are those that Render returns.
	Items []*yaml.RNode
	// Exceptions are those of the run, and Stated are those that lower findings. [Result.Except] sets Stated.
	Exceptions finding.Exceptions
	Stated     []finding.Stated

	before []*yaml.RNode // the items of the input
	places places
	parsed *hyperconverged.Parsed
}

// Summarized returns the summary without the CRs as they were. Of many clusters, these take much memory.
func (c Result) Summarized() Summary {
	out := c.Summary
	out.CRs = slices.Clone(c.CRs)
	for i := range out.CRs {
		out.CRs[i].node, out.CRs[i].data = nil, nil
	}
	return out
}

// Except applies the exceptions to all findings of the check. After an error of the run the
// check did not come to all its findings, so that an exception may have been needed.
func (c *Result) Except() {
	applied := c.Exceptions.Apply(c.Findings)
	c.Findings, c.Ignored = applied.List, applied.Ignored
	for _, one := range applied.Stated {
		one.Used = one.Used || !c.Rendered
		if left := c.Exceptions.Any().Apply(finding.List{one.Finding}); len(left.List) > 0 {
			one.Finding = left.List[0]
			c.Stated = append(c.Stated, one)
		}
	}
}

// New returns the state of a check before its run: the findings so far, and the CRs as
// they are in the input.
func New(found finding.List, items []*yaml.RNode, crs *hyperconverged.Parsed) Result {
	return Result{Summary: Summary{Findings: found, CRs: readCRs(items, crs)}, before: slices.Clone(items), parsed: crs}
}

// Caller is what the caller of a check states about it.
type Caller struct {
	// As says whether the committed or the rendered form gets to the cluster; "" for the committed one.
	As As
	// FixCommand is the command that writes what is missing; "" if there is none.
	FixCommand string
	// MayRender says that a plugin may run goldenarch on the way to the cluster, although nobody states that.
	MayRender bool
	// Dump says that the CR is the one of the cluster, which nobody commits.
	Dump bool
	// OnServer names what applies the files with the CRs on the server side; "", or nil, if nothing is known to. A check
	// calls it if a CR has an unknown field. Without Argo CD, it names only what else does.
	OnServer func(files []string, argoCD bool) string
}

// Run is a run that a check judges.
type Run struct {
	Caller

	Predictor prediction.Predictor
	// Decided is what the run decided.
	Decided join.Decided
	// Committed are the items as they are in the files, Rendered those that the run made.
	Committed, Rendered []*yaml.RNode
	// Pods are the problems of pods as they are in the files that rendering solves.
	Pods finding.List

	// refused says that goldenarch writes nothing, because of an error.
	refused bool
}

// advised returns a finding that says how to write what is missing.
func (r Run) advised(f finding.Finding) finding.Finding {
	f.Do, f.Run = r.fix(), r.command()
	return f
}

// command is the command that writes what is missing; "" if none does.
func (r Run) command() string {
	if r.refused {
		return ""
	}
	return r.FixCommand
}

// fix says how to write what is missing.
func (r Run) fix() string {
	do := "commit what 'goldenarch render' writes"
	switch {
	case r.Dump:
		do = "make this change in Git where the CR comes from, or on the cluster with oc edit"
	case r.FixCommand != "":
		do = "run " + r.FixCommand + ", and commit what it writes"
	}
	if r.refused {
		do = "correct what keeps goldenarch from writing, which the other errors say. Then " + do
	}
	if r.MayRender {
		do += "; or, if a plugin of Argo CD runs goldenarch on this directory, state that: as: rendered in the entry of goldenarch.yaml, or --as rendered"
	}
	return do
}

// judged returns the items that the check judges.
func (c *Result) judged(r Run) []*yaml.RNode {
	if c.As == Rendered {
		return r.Rendered
	}
	return r.Committed
}

// Judge judges the result of a run by what the operators will do with what gets to the
// cluster.
func (c *Result) Judge(run Run) {
	rendered := readCRs(run.Rendered, c.parsed)
	changes := c.changes(rendered)
	emitted := c.emittedBy(run.Rendered)
	differs := len(changes)+len(emitted) > 0
	if len(emitted) > 0 {
		run.FixCommand = "" // fix makes no objects
	}
	c.As = cmp.Or(run.As, Committed)
	if err := c.judgeFields(run); err != nil {
		*c = Result{Summary: Summary{Findings: finding.List{{ID: finding.Unreadable, Severity: finding.Error, Text: err.Error()}}}}
		return
	}
	var more finding.List
	judged := run.Predictor.Read(c.judged(run))
	c.Forecast, more = judged.All()
	for i := range c.Forecast {
		more = append(more, c.Forecast[i].Warnings...)
	}
	more = run.Decided.WithoutLiveGaps(more)
	run.refused = !c.Rendered || slices.ContainsFunc(c.Findings, func(f finding.Finding) bool {
		return f.ID == finding.FieldMisplaced && f.Severity == finding.Error
	})
	c.add(c.withoutRepeats(more))
	// A CR that cannot be read has no admission; the run has reported it.
	c.Forecast = slices.DeleteFunc(c.Forecast, func(one forecast.Prediction) bool { return one.Admission == nil && !prediction.IsOfSSP(one) })
	if c.Rendered {
		c.judgeForecast()
	}
	c.partial(run, judged)
	c.disproved(run)
	failOnUnreadCRs(c.Findings)
	c.judgePods(run)
	if !c.Rendered {
		return
	}
	predicted := c.predictions(run, judged, differs)
	c.judgeAlerts(run, predicted)
	if differs {
		c.judgeCommitted(comparison{Result: c, predictions: predicted, run: run, changes: changes, emitted: emitted})
	}
	c.compare(changes, emitted)
	if c.Items = output.Product(run.Rendered); len(c.Items) == 0 {
		failWithoutManifests(c.Findings)
	}
}

// files returns the files of the CRs.
func (c *Result) files() []string {
	var out []string
	for _, cr := range c.CRs {
		out = append(out, cr.Object.File)
	}
	return out
}

// judgePods judges pods that rendering changes. Where the committed form gets to the cluster,
// a problem of it is a finding, in the place of the note that rendering solves it.
func (c *Result) judgePods(run Run) {
	if c.As == Rendered {
		c.NeedsRendering = c.NeedsRendering || run.Pods.Failed()
		return
	}
	written := []finding.ID{finding.AffinityWritten, finding.PodFixed, finding.ConstraintReplaced}
	for _, problem := range run.Pods {
		c.removeFunc(func(f finding.Finding) bool {
			return f.Object == problem.Object && strings.HasPrefix(f.Field, problem.Field) && slices.Contains(written, f.ID)
		})
		if problem.Severity == finding.Error {
			problem = run.advised(problem)
		}
		c.Findings = append(c.Findings, problem)
	}
}

// predictions has what is predicted for each CR, by its identity: for the committed one and for the
// rendered one.
type predictions struct {
	committed, rendered map[string]forecast.Prediction
	inputs              prediction.Inputs // of the rendered ones
}

// predictions returns the predictions for both forms, which are the same unless they differ. in is read from the form that the
// check judges.
func (c *Result) predictions(run Run, in prediction.Inputs, differ bool) predictions {
	judged := byIdentity(c.Forecast)
	switch {
	case !differ:
		return predictions{judged, judged, in}
	case c.As == Rendered:
		list, _ := run.Predictor.Read(run.Committed).All()
		return predictions{byIdentity(list), judged, in}
	default:
		in = run.Predictor.Read(run.Rendered)
		list, _ := in.All()
		return predictions{judged, byIdentity(list), in}
	}
}

// judgeAlerts adds a finding for each alert of HCO that fires with the form that the check
// judges. It takes the place of those that the run has about the rendered form, and of the one that
// says that goldenarch turns on the gate.
func (c *Result) judgeAlerts(run Run, predicted predictions) {
	judged := predicted.committed
	if c.As == Rendered {
		judged = predicted.rendered
	}
	for _, s := range run.Decided.Joined {
		at := kinds.Identity(s.At)
		c.remove(s.At, finding.PredefinedUnknown) // each view of the prediction marks what only documentation says
		c.remove(s.At, finding.AlertFires)
		c.remove(s.At, finding.GateAlert)
		for _, f := range run.alerts(s, judged[at].Forecast, predicted.rendered[at].Forecast) {
			if f.ID == finding.GateAlert {
				c.remove(s.At, finding.GateOn)
			}
			f.Object, f.Line, f.Field = s.At, c.line(s.At, f.Field), c.field(s.At, f.Field)
			c.Findings = append(c.Findings, f)
		}
		c.withoutRepeatedErrors(s.At, judged[at].Forecast.Alerts)
	}
}

// alerts returns a finding for each alert of HCO that fires with a forecast for a CR.
func (r Run) alerts(s join.Joined, f, rendered forecast.Forecast) finding.List {
	return prediction.Watched{
		Joined: s, Forecast: f, Images: r.Predictor.Images[kinds.Identity(s.At)], Rendered: rendered.Alerts, Fix: r.fix(), Run: r.command(), Dump: r.Dump,
	}.Alerts()
}

// withoutRepeatedErrors leaves the run's findings about templates that no node can use as the
// warnings that they are, where an alert about the template is an error. It omits those that the
// alert repeats with the same fix.
func (c *Result) withoutRepeatedErrors(cr finding.Object, alerts []forecast.Alert) {
	isNamed := func(f finding.Finding) bool {
		return slices.ContainsFunc(alerts, func(a forecast.Alert) bool {
			return a.Template != "" && a.Template == f.Template && a.Name == forecast.NoSupportedArchitecture
		})
	}
	for _, i := range c.about(cr) {
		if f := &c.Findings[i]; f.ID == finding.Unsupported && isNamed(*f) {
			f.Unchanged.Severity = ""
		}
	}
	c.removeFunc(func(f finding.Finding) bool { return f.Object == cr && f.ID == finding.TemplateDisabled && isNamed(f) })
}

// judgeCommitted compares what the operators do with the committed CRs and with the rendered
// ones. Where the committed form gets to the cluster, a difference is a finding.
func (c *Result) judgeCommitted(both comparison) {
	found := both.findings()
	if c.As == Rendered {
		refused := func(one forecast.Prediction) bool { return !prediction.IsOfSSP(one) && isRefused(one) }
		fires := func(s join.Joined) bool {
			at := kinds.Identity(s.At)
			return both.run.alerts(s, both.committed[at].Forecast, both.rendered[at].Forecast).Failed()
		}
		c.NeedsRendering = len(found) > 0 || slices.ContainsFunc(slices.Collect(maps.Values(both.committed)), refused) ||
			slices.ContainsFunc(both.run.Decided.Joined, fires)
		return
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

// judge turns the problems that the forecast of a CR predicts into errors. If SSP refuses
// the architectures of the cluster, the run has reported it as a warning, with the fix.
func (c *Result) judge(f forecast.Prediction) {
	if f.Forecast.SSPRejected != "" {
		for _, i := range c.about(f.Object) {
			if c.Findings[i].ID == finding.ArchitectureRefused {
				c.Findings[i].Severity = finding.Error
			}
		}
		f.Forecast.SSPRejected = ""
	}
	single := len(f.Forecast.WorkloadArchitectures) == 1 && !f.Forecast.MultiArchEnabled
	for _, i := range c.about(f.Object) { // the prediction is not what happens
		if c.Findings[i].ID == finding.JSONPatch && !(single && hyperconverged.IsPatchOfKubeVirt(c.Findings[i])) {
			c.Findings[i].Severity = finding.Error
		}
	}
	c.failBroken(f)
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

// failBroken turns the run's warnings about templates into errors if their DataImportCrons
// never import anything.
func (c *Result) failBroken(f forecast.Prediction) {
	cr := c.cr(f.Object)
	if cr == nil {
		return
	}
	crons := f.Forecast.CronsByTemplate()
	for _, t := range f.Forecast.Templates {
		if !slices.ContainsFunc(crons[t.Name], func(cron *forecast.CronOutcome) bool { return cron.Broken }) {
			continue
		}
		for _, i := range c.about(f.Object) {
			if one := &c.Findings[i]; one.ID == finding.CronBroken && strings.HasPrefix(one.Field, fieldpath.Element(cr.TemplatesPath, t.Index)+".") {
				one.Severity = finding.Error
			}
		}
	}
}

// failOnUnreadCRs turns findings about CRs that goldenarch does not read into errors: a
// check must not pass without having read a CR. Those about examples and scripts become warnings.
func failOnUnreadCRs(found finding.List) {
	for i := range found {
		switch {
		case found[i].ID != finding.CRUnread:
		case found[i].Severity == finding.Info:
			found[i].Severity = finding.Warning
		default:
			found[i].Severity = finding.Error
		}
	}
}

// failWithoutManifests reports an error if the input has no manifests for the cluster:
// render fails there too, and a check of the wrong directory must not pass.
func failWithoutManifests(found finding.List) {
	for i := range found {
		if found[i].ID == finding.NoCR {
			found[i].Severity, found[i].Text = finding.Error, "there is nothing to check: the input has no manifests for the cluster"
			found[i].Unchanged = finding.Advice{}
		}
	}
}

// line returns the line of a field of a CR, or 0 for another object.
func (c *Result) line(at finding.Object, field string) int {
	if cr := c.cr(at); cr != nil {
		return yamlnode.Line(cr.node, strings.TrimPrefix(strings.TrimPrefix(field, cr.path), "."))
	}
	return 0
}

// field returns the path of a field of a CR in its item.
func (c *Result) field(at finding.Object, field string) string {
	if cr := c.cr(at); cr != nil {
		return fieldpath.Below(cr.path, field)
	}
	return field
}

// faultsOf returns the templates of a CR that have an error. A failing import does not
// count: it is a prediction, not the lack of one.
func (c *Result) faultsOf(cr CR) prediction.Faults {
	out := prediction.Faults{}
	for _, i := range c.about(cr.Object) {
		f := c.Findings[i]
		if !strings.HasPrefix(f.Field, cr.TemplatesPath) {
			continue // about no template; there may be as many for each of as many CRs
		}
		if f.Severity == finding.Error && f.ID != finding.ImportFails && f.ID != finding.ClaimWrong && f.ID != finding.CronBroken {
			out.Add(cr.TemplatesPath, f.Field, f.Message())
		}
	}
	return out
}

// partial predicts, for each CR with an error in a template, what happens to the other
// templates. Where the rendered form gets to the cluster, it uses the CR as far as the run
// could render it.
func (c *Result) partial(run Run, judged prediction.Inputs) {
	d := run.Decided
	written := map[string]object.Object{}
	if !c.Rendered && c.As == Rendered {
		edited, _ := output.Write(d.Joined, d.Plans) // a CR that cannot be written is predicted unchanged
		for _, s := range d.Joined {
			o := s.Object
			if item := edited[s.Item]; item != nil {
				o.Item, o.Node = item, s.InCopy(item)
			}
			written[kinds.Identity(o.At)] = o
		}
	}
	places := firsts(c.Forecast, func(one forecast.Prediction) finding.Object { return one.Object })
	for _, cr := range c.CRs {
		at, predicted := places[cr.Object]
		if wrong := c.faultsOf(cr); predicted && len(wrong) > 0 {
			c.Forecast[at].Partial = judged.Without(written, cr.Object, wrong)
		}
	}
}

// sameFact are the findings that report the same as a warning of the webhook about a
// field.
var sameFact = []finding.ID{finding.DeadFeatureGate, finding.FieldMisplaced, finding.FieldOfOtherRelease}

// withoutRepeats returns the findings of a forecast without the warnings of HCO's
// webhook that another finding repeats.
func (c *Result) withoutRepeats(list finding.List) finding.List {
	return slices.DeleteFunc(list, func(f finding.Finding) bool {
		if f.ID != finding.WebhookWarns {
			return false
		}
		return c.find(f.Object, func(reported finding.Finding) bool {
			return reported.Field == f.Field && slices.Contains(sameFact, reported.ID)
		}) >= 0
	})
}

// judgeSSP reports the problems of an SSP CR. It is an error if SSP refuses it or stops
// at it, since the CR itself says which architectures the cluster has.
func (c *Result) judgeSSP(f forecast.Prediction) {
	for _, why := range f.Forecast.Failures() {
		c.Findings = append(c.Findings, finding.Finding{
			ID: finding.SSPStops, Severity: finding.Error, Object: f.Object, Text: why, Do: "correct the CR",
		})
	}
	for _, one := range prediction.Findings(prediction.Places{List: forecast.SSPTemplatesPath}, f.Forecast) {
		one.Object = f.Object
		c.Findings = append(c.Findings, one)
	}
	c.judgeImagesOfSSP(f)
}

// judgeImagesOfSSP reports that nobody looks up the images of an SSP CR. Beside a HyperConverged CR, HCO
// replaces the SSP CR.
func (c *Result) judgeImagesOfSSP(f forecast.Prediction) {
	var names []string
	for _, t := range f.Forecast.Templates {
		if t.Outcome == forecast.Deployed {
			names = append(names, t.Name)
		}
	}
	if len(names) == 0 || len(c.CRs) > 0 || len(f.Forecast.Failures()) > 0 {
		return
	}
	c.Findings = append(c.Findings, finding.Finding{
		ID: finding.Unresolved, Severity: finding.Error, Object: f.Object, Field: forecast.SSPTemplatesPath,
		Text: "goldenarch looks up no image of an SSP CR, so nothing says whether its golden images boot on the nodes: " + finding.Shortened(names, 3),
		Do: "check the HyperConverged CR, from which HCO writes the SSP CR. On a cluster without HCO, compare the declared architectures with what " +
			"'goldenarch resolve IMAGE' prints, and list the file in .krmignore",
	})
}

// cr returns the CR of the input that an object is, or nil for another object.
func (c *Result) cr(at finding.Object) *CR {
	if c.places.crs == nil {
		c.places.crs = firsts(c.CRs, func(cr CR) finding.Object { return cr.Object })
	}
	if i, ok := c.places.crs[at]; ok {
		return &c.CRs[i]
	}
	return nil
}

// about returns the indexes of the findings about an object, in order.
func (c *Result) about(at finding.Object) []int {
	if c.places.findings == nil {
		c.places.findings = map[finding.Object][]int{}
	}
	for ; c.places.indexed < len(c.Findings); c.places.indexed++ {
		object := c.Findings[c.places.indexed].Object
		c.places.findings[object] = append(c.places.findings[object], c.places.indexed)
	}
	return c.places.findings[at]
}

// find returns the index of the first finding about an object that meets a condition,
// or -1 if no finding does.
func (c *Result) find(at finding.Object, is func(finding.Finding) bool) int {
	for _, i := range c.about(at) {
		if is(c.Findings[i]) {
			return i
		}
	}
	return -1
}

// remove removes the findings about an object with an id.
func (c *Result) remove(at finding.Object, id finding.ID) {
	c.removeFunc(func(f finding.Finding) bool { return f.Object == at && f.ID == id })
}

// removeFunc removes the findings that meet a condition.
func (c *Result) removeFunc(meets func(finding.Finding) bool) {
	c.Findings = slices.DeleteFunc(c.Findings, meets)
	c.places.findings, c.places.indexed = nil, 0
}
