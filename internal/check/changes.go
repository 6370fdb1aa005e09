package check

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/internal/subject"
	"github.com/goldenarch/goldenarch/internal/verdict"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// changedFields returns the fields in which two decoded objects differ. A field that
// only one of them has counts as one field, whatever it contains. List elements with
// names are compared by name. Their paths are those in the first object, or in the
// second if only that one has them.
func changedFields(before, after any, path string) []change {
	if reflect.DeepEqual(before, after) {
		return nil
	}
	switch b := before.(type) {
	case map[string]any:
		if a, ok := after.(map[string]any); ok {
			return changedKeys(b, a, path)
		}
	case []any:
		if a, ok := after.([]any); ok {
			return changedElements(b, a, path)
		}
	}
	return []change{{path, before, after}}
}

func changedKeys(before, after map[string]any, path string) []change {
	all := maps.Clone(before)
	maps.Copy(all, after)
	var out []change
	for _, key := range slices.Sorted(maps.Keys(all)) {
		at := fieldPath(path, key)
		b, had := before[key]
		a, has := after[key]
		if had != has {
			out = append(out, change{at, valueOrAbsent(b, had), valueOrAbsent(a, has)})
			continue
		}
		out = append(out, changedFields(b, a, at)...)
	}
	return out
}

func changedElements(before, after []any, path string) []change {
	names, others := elementNames(before), elementNames(after)
	byName := names != nil && others != nil
	had, has := indices(names), indices(others)
	var out []change
	for i, b := range before {
		j := i
		if byName {
			var found bool
			if j, found = has[names[i]]; !found {
				j = len(after)
			}
		}
		at := fmt.Sprintf("%s[%d]", path, i)
		if j >= len(after) {
			out = append(out, change{at, b, absent{}})
			continue
		}
		out = append(out, changedFields(b, after[j], at)...)
	}
	for j, a := range after {
		isNew := j >= len(before)
		if byName {
			_, found := had[others[j]]
			isNew = !found
		}
		if isNew {
			out = append(out, change{fmt.Sprintf("%s[%d]", path, j), absent{}, a})
		}
	}
	return out
}

// elementNames returns the names of the elements of a list. It returns nil unless each
// element has a unique name.
func elementNames(list []any) []string {
	var out []string
	for _, element := range list {
		object, _ := element.(map[string]any)
		metadata, _ := object["metadata"].(map[string]any)
		name, ok := metadata["name"].(string)
		if !ok {
			return nil
		}
		out = append(out, name)
	}
	if len(indices(out)) < len(out) {
		return nil
	}
	return out
}

// indices returns the index of each name.
func indices(names []string) map[string]int {
	out := make(map[string]int, len(names))
	for i, name := range names {
		out[name] = i
	}
	return out
}

// fieldPath returns the path of a field below a path, as findings show it: a key that
// is not an identifier is in brackets.
func fieldPath(path, key string) string {
	for _, r := range key {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_' {
			return path + "[" + key + "]"
		}
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

// change is a field that has another value after rendering.
type change struct {
	path          string
	before, after any
}

// absent is the value of a missing field.
type absent struct{}

func valueOrAbsent(value any, has bool) any {
	if !has {
		return absent{}
	}
	return value
}

// String returns the path, and the value before and after.
func (c change) String() string {
	return fmt.Sprintf("%s (%s -> %s)", c.path, shown(c.before), shown(c.after))
}

// longestValue is how many characters of a value a message shows.
const longestValue = 80

// shown returns a value as JSON, and shortens a long one.
func shown(value any) string {
	if _, is := value.(absent); is {
		return "not set"
	}
	data, err := json.Marshal(value)
	if err != nil {
		return "another value"
	}
	if text := string(data); len(text) > longestValue {
		return strings.ToValidUTF8(text[:longestValue], "") + "…"
	}
	return string(data)
}

// compare reports how the input differs from the rendered items.
func (c *Result) compare(after []*yaml.RNode) {
	const do = "apply the output of 'goldenarch render', or commit it"
	rendered := readCRs(after, c.parsed)
	places := firsts(rendered, identityOf)
	for i, cr := range c.CRs {
		j, is := places[identityOf(cr)]
		if !is {
			continue
		}
		changes := shownChanges(cr.tree, rendered[j].tree)
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
		if len(texts) == 0 {
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
	emitted := c.emittedBy(after)
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

// shownChanges returns the fields in which two CRs differ, without the records of what was
// there before: no operator reads them.
func shownChanges(before, after any) []change {
	return slices.DeleteFunc(changedFields(before, after, ""), change.isRecord)
}

// isRecord reports whether a change only records what was there before.
func (c change) isRecord() bool {
	leaves := c.leaves()
	return len(leaves) > 0 && !slices.ContainsFunc(leaves, func(leaf change) bool {
		return leaf.path != "metadata.annotations["+hyperconverged.GateRecord+"]" && leaf.path != "metadata.annotations["+hyperconverged.EnableRecord+"]" &&
			!strings.HasSuffix(leaf.path, ".metadata.annotations["+hyperconverged.ClaimRecord+"]")
	})
}

// namesGate reports whether a change only sets the multi-arch gate, and a finding about the
// gate says so.
func (c *Result) namesGate(cr CR, one change) bool {
	gate := c.find(cr.Object, func(f finding.Finding) bool { return f.ID == finding.GateOn || f.ID == finding.GateAsCommitted })
	if gate < 0 {
		return false
	}
	return !slices.ContainsFunc(one.leaves(), func(leaf change) bool {
		return strings.Trim(cr.path+"."+leaf.path, ".") != c.Findings[gate].Field
	})
}

// changed reports whether rendering changes a CR.
func (c *Result) changed(after []*yaml.RNode) bool {
	rendered := readCRs(after, c.parsed)
	places := firsts(rendered, identityOf)
	return slices.ContainsFunc(c.CRs, func(cr CR) bool {
		j, is := places[identityOf(cr)]
		return is && len(changedFields(cr.tree, rendered[j].tree, "")) > 0
	})
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
func (c *Result) reportStale(s subject.Subject, p plan.Proof, field string) {
	if p.Declared == nil {
		return
	}
	meant, unknown := p.Declared.Meant()
	var text string
	switch wrong := meant.Minus(p.Architectures); {
	case len(wrong) > 0:
		text = fmt.Sprintf("template %q declares %s, but %s has %s", p.Name, wrong, p.Image, orNoArchitecture(p.Architectures))
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

func orNoArchitecture(set arch.Set) string {
	if len(set) == 0 {
		return "no architecture"
	}
	return set.String()
}

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
