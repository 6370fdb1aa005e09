package check

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/engine/join"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

// Snapshot returns items that keep what they hold while a run puts edited objects in the
// place of the originals.
func Snapshot(items []*yaml.RNode) []*yaml.RNode {
	out := make([]*yaml.RNode, len(items))
	for i, item := range items {
		if out[i] = item; item.YNode() != nil {
			top := *item.YNode()
			out[i] = yaml.NewRNode(&top)
		}
	}
	return out
}

// comparison compares the predictions for the committed CRs with those for the rendered ones.
type comparison struct {
	*Result
	predictions

	run     Run
	changes map[finding.Object][]change // see [Result.changes]
	emitted []string                    // see [Result.emittedBy]
}

// byIdentity returns predictions by the identity of their CR, the first of several.
func byIdentity(list []forecast.Prediction) map[string]forecast.Prediction {
	out := map[string]forecast.Prediction{}
	for _, one := range slices.Backward(list) {
		out[kinds.Identity(one.Object)] = one
	}
	return out
}

// findings returns what the operators do otherwise with the committed CRs than with the
// rendered ones, and the emitted objects that are not in the input.
func (c comparison) findings() finding.List {
	var found finding.List
	for _, cr := range c.CRs {
		committed, ok := c.committed[identityOf(cr)]
		rendered, both := c.rendered[identityOf(cr)]
		if !ok || !both || isRefused(committed) || isRefused(rendered) {
			continue // the refusal is an error of its own
		}
		found = append(found, c.compare(cr, committed, rendered)...)
	}
	if len(c.emitted) > 0 {
		found = append(found, finding.Finding{
			ID: finding.EmittedNotCommitted, Severity: finding.Error,
			Text: fmt.Sprintf("goldenarch emits %s that the input does not have, or has with other content, so the cluster does not get them: %s",
				finding.Count(len(c.emitted), "object"), finding.FirstOf(c.emitted)),
			Do: "commit what 'goldenarch render' writes", // fix has no file for a new object
		})
	}
	return found
}

// isRefused reports whether an operator does nothing with a CR.
func isRefused(one forecast.Prediction) bool {
	one.Forecast.SSPRejected = "" // because of the nodes: a finding of the run says it
	return one.Admission == nil || len(one.Refusals()) > 0 || len(one.Forecast.Failures()) > 0
}

// compare compares the predictions for one CR.
func (c comparison) compare(cr CR, committed, rendered forecast.Prediction) finding.List {
	changes := c.changes[cr.Object]
	if len(changes) == 0 {
		return nil
	}
	at := c.run.advised(finding.Finding{
		ID: finding.DiffersAsCommitted, Severity: finding.Error, Object: cr.Object, Line: c.line(cr.Object, ""), Changes: cr.lines(changes),
	})
	if before, after := committed.Forecast.WorkloadArchitectures, rendered.Forecast.WorkloadArchitectures; !slices.Equal(before, after) {
		at.Text = fmt.Sprintf("with the committed CR workloads run on nodes with %s, with what goldenarch renders on nodes with %s", listed(before), listed(after))
		return finding.List{at}
	}
	if s := c.joinedOf(cr); s != nil && s.Spec.Gate == v1alpha1.GateDisable && s.LiveGateOn && !s.CR.Gate.IsStated() {
		at.Text = fmt.Sprintf("spec.gate: Disable wants the multi-arch gate %s off. The live CR has it on, and the committed CR does not state it, so an apply leaves it on",
			hyperconverged.GateName)
		return finding.List{at}
	}
	differs := false
	if committed.Forecast.MultiArchEnabled != rendered.Forecast.MultiArchEnabled && !c.importsNothing(cr, committed, rendered) {
		if c.find(cr.Object, func(f finding.Finding) bool { return f.ID == finding.GateAlert }) < 0 {
			at, differs = c.gate(at, committed, rendered), true
			if c.As == Committed {
				c.remove(cr.Object, finding.GateOn)
			}
		}
		// What is wrong beside the gate, which is as it is.
		if one := c.inputs.WithGate(cr.Object, committed.Forecast.MultiArchEnabled); !isRefused(one) {
			rendered = one
		}
	}
	if committed.Forecast.MultiArchEnabled == rendered.Forecast.MultiArchEnabled {
		if of, ok := c.templates(cr, at, committed, rendered); ok && differs {
			at = at.And(of)
		} else if ok {
			at, differs = of, true
		}
	}
	if !differs {
		return nil
	}
	return finding.List{at}
}

// importsNothing reports whether a cluster gets no image of a CR, however its gate is: there
// is no template, and HCO ships none.
func (c comparison) importsNothing(cr CR, committed, rendered forecast.Prediction) bool {
	s := c.joinedOf(cr)
	return s != nil && len(committed.Forecast.Crons)+len(rendered.Forecast.Crons) == 0 &&
		(!s.CR.CommonImport || s.Spec.Predefined == v1alpha1.PredefinedNone)
}

// joinedOf returns the CR as the run has read it; nil if it has not.
func (c comparison) joinedOf(cr CR) *join.Joined {
	i := slices.IndexFunc(c.run.Decided.Joined, func(s join.Joined) bool { return kinds.Identity(s.At) == identityOf(cr) })
	if i < 0 {
		return nil
	}
	return &c.run.Decided.Joined[i]
}

// gate reports a multi-arch gate that is not as goldenarch renders it, where no alert says so. The
// finding takes the place of the run's about it.
func (c comparison) gate(out finding.Finding, committed, rendered forecast.Prediction) finding.Finding {
	out.Text = fmt.Sprintf("the committed CR has the multi-arch gate %s %s, and goldenarch renders it %s",
		hyperconverged.GateName, onOrOff(committed), onOrOff(rendered))
	out.Current, out.Proposed = committed.Forecast.MultiArchEnabled, rendered.Forecast.MultiArchEnabled
	if i := c.find(out.Object, func(f finding.Finding) bool { return f.ID == finding.GateOn }); i >= 0 {
		reported := c.Findings[i]
		out.Field, out.Line, out.Text = reported.Field, reported.Line, reported.Unchanged.Text
	}
	return out
}

func onOrOff(one forecast.Prediction) string {
	if one.Forecast.MultiArchEnabled {
		return "on"
	}
	return "off"
}

// templates reports the templates with which the operators do something else as committed
// than as rendered. An alert about a template, or an error of the run about it, says it already.
func (c comparison) templates(cr CR, out finding.Finding, committed, rendered forecast.Prediction) (finding.Finding, bool) {
	after, deployed := map[string]string{}, map[string]bool{}
	crons := rendered.Forecast.CronsByTemplate()
	for _, t := range rendered.Forecast.Templates {
		after[t.Name], deployed[t.Name] = effect(rendered.Forecast, t, crons[t.Name]), t.Outcome == forecast.Deployed
	}
	var texts, all []string
	alike := map[string][]string{} // names, by what differs
	crons = committed.Forecast.CronsByTemplate()
	for _, t := range committed.Forecast.Templates {
		before := effect(committed.Forecast, t, crons[t.Name])
		then, ok := after[t.Name]
		alerts := func(a forecast.Alert) bool { return a.Template == t.Name }
		// That SSP refuses a template is an error of its own. Where HCO does not deploy it as rendered, the
		// cluster gets nothing of it either way.
		isRefused := t.Outcome == forecast.Refused && !deployed[t.Name]
		if !ok || before == then || isRefused || slices.ContainsFunc(committed.Forecast.Alerts, alerts) {
			continue
		}
		field := ""
		if t.Index >= 0 && cr.TemplatesPath != "" {
			field = fieldpath.Element(cr.TemplatesPath, t.Index)
		}
		if field != "" && c.find(cr.Object, func(f finding.Finding) bool { return f.Severity == finding.Error && f.Field == field }) >= 0 {
			continue
		}
		is := "committed"
		if c.run.Dump {
			is = "on the cluster"
		}
		text := fmt.Sprintf("as the CR is %s, %s; as goldenarch renders it, %s", is, before, then)
		if alike[text] == nil {
			texts = append(texts, text)
		}
		alike[text] = append(alike[text], strconv.Quote(t.Name))
		all, out.Template, out.Field, out.Line = append(all, t.Name), t.Name, field, c.line(cr.Object, field)
	}
	if len(all) > 1 {
		out.Template, out.Field, out.Line = "", cr.TemplatesPath, c.line(cr.Object, cr.TemplatesPath)
	}
	for i, text := range texts {
		texts[i] = templatesText(alike[text]) + ": " + text
	}
	out.Text = strings.Join(texts, ". ")
	return out, len(all) > 0
}

// templatesText names templates at the beginning of a text.
func templatesText(quoted []string) string {
	if len(quoted) == 1 {
		return "template " + quoted[0]
	}
	return "templates " + finding.Shortened(quoted, len(quoted))
}

// effect says what the operators do with a template and its crons. On a cluster of one architecture, an
// import without an architecture is one for that architecture.
func effect(f forecast.Forecast, t forecast.TemplateOutcome, crons []*forecast.CronOutcome) string {
	switch t.Outcome {
	case forecast.Deployed:
	case forecast.Refused:
		return "SSP refuses it"
	default:
		return "HCO does not deploy it"
	}
	byOutcome := map[forecast.Outcome][]string{}
	for _, cron := range crons {
		what := string(cron.Architecture)
		switch {
		case what != "":
		case len(f.WorkloadArchitectures) == 1:
			what = f.WorkloadArchitectures[0]
		default:
			what = "one architecture only"
		}
		byOutcome[cron.Outcome] = append(byOutcome[cron.Outcome], what)
	}
	var parts []string
	for _, one := range outcomes {
		if names := slices.Compact(slices.Sorted(slices.Values(byOutcome[one.outcome]))); len(names) > 0 {
			parts = append(parts, fmt.Sprintf(one.text, strings.Join(names, ",")))
		}
	}
	if len(parts) == 0 {
		return "nothing imports it"
	}
	return strings.Join(parts, ", ")
}

// outcomes say in words what happens to the crons of a template, for some architectures.
var outcomes = []struct {
	outcome forecast.Outcome
	text    string
}{
	{forecast.Created, "SSP imports it for %s"},
	{forecast.Refused, "its DataImportCron for %s is refused"},
	{forecast.Overwritten, "another template takes its place for %s"},
	{forecast.Removed, "SSP removes it for %s"},
	{forecast.NotCreated, "SSP does not create it for %s"},
	{forecast.ImportFails, "its import for %s fails"},
}

func listed(architectures []string) string {
	return cmp.Or(strings.Join(architectures, ","), "no architecture")
}
