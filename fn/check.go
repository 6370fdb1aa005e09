package fn

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/finding"
	"github.com/goldenarch/goldenarch/forecast"
	"github.com/goldenarch/goldenarch/hyperconverged"
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

// CheckedCR is a CR as the input has it.
type CheckedCR struct {
	Object finding.Object
	// TemplatesPath is the path of its list of templates, and Templates their
	// names, in order; of a CR that cannot be read there are none.
	TemplatesPath string
	Templates     []string
	// Changes are the paths of the fields that are rendered otherwise.
	Changes []string

	path string     // in its item
	node *yaml.Node // as it was, for the lines
	tree map[string]any
}

// Check runs the function as Render does, and judges the result by what the
// operators will make of it: what goes to the cluster is what is rendered. What
// the API server or HCO refuses, and what an operator stops at, is an error.
func (f Function) Check(ctx context.Context, items []*yaml.RNode, given *yaml.RNode) Checked {
	config, found := f.config(given, items)
	if found.Failed() {
		return Checked{Findings: found}
	}
	extra, list := f.inputs(config.Spec.Inputs)
	if found = append(found, list...); found.Failed() {
		return Checked{Findings: found}
	}
	items = append(items, extra...)
	c := Checked{Findings: found, CRs: checkedCRs(items)}
	before := slices.Clone(items)
	items, list = f.Run(ctx, items, &config.Spec)
	c.Findings = append(c.Findings, ofConfig(list, config)...)
	c.Rendered = !list.Failed()
	var more finding.List
	c.Forecast, more = foretellAll(items, &config.Spec, true)
	for i := range c.Forecast {
		more = append(more, c.Forecast[i].Warnings...)
	}
	c.add(more)
	// What cannot be read goes to no admission; that has been told.
	c.Forecast = slices.DeleteFunc(c.Forecast, func(one forecast.Foretold) bool { return one.Admission == nil })
	if !c.Rendered {
		return c
	}
	for i := range c.Forecast {
		c.judge(c.Forecast[i])
	}
	c.compare(before, items)
	if c.Items = Product(items); len(c.Items) == 0 {
		nothingToCheck(c.Findings)
	}
	return c
}

// checkedCRs takes down the CRs before the run changes them.
func checkedCRs(items []*yaml.RNode) []CheckedCR {
	var out []CheckedCR
	for _, o := range objects(items) {
		if !isCR(o) {
			continue
		}
		cr := CheckedCR{Object: o.at, path: o.path, node: o.node.Copy().YNode()}
		cr.read(o)
		out = append(out, cr)
	}
	return out
}

// read takes what can be read of a CR. What cannot, the run has told.
func (cr *CheckedCR) read(o object) {
	data, err := o.json()
	if err != nil {
		return
	}
	if err := json.Unmarshal(data, &cr.tree); err != nil {
		return
	}
	model, _ := hyperconverged.Parse(data)
	if model == nil {
		return
	}
	cr.TemplatesPath = strings.Trim(o.path+"."+model.Version.Paths().Templates.String(), ".")
	for _, t := range model.Templates {
		cr.Templates = append(cr.Templates, t.Name())
	}
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
		f.Line = c.line(f.Object, "")
		c.Findings = append(c.Findings, f)
	}
}

// line returns the line of a field of a CR, 0 for another object.
func (c *Checked) line(at finding.Object, field string) int {
	for _, cr := range c.CRs {
		if cr.Object == at {
			return lineOf(cr.node, field)
		}
	}
	return 0
}

// field returns the path of a field of a CR in its item.
func (c *Checked) field(at finding.Object, field string) string {
	for _, cr := range c.CRs {
		if cr.Object == at {
			return strings.Trim(cr.path+"."+field, ".")
		}
	}
	return field
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

// compare tells how the input differs from what is rendered.
func (c *Checked) compare(before, after []*yaml.RNode) {
	const do = "nothing, if goldenarch renders on the way to the cluster; else commit what 'goldenarch render' writes"
	rendered := checkedCRs(after)
	for i, cr := range c.CRs {
		j := slices.IndexFunc(rendered, func(r CheckedCR) bool { return identity(r.Object) == identity(cr.Object) })
		if j < 0 {
			continue
		}
		changes := changed(cr.tree, rendered[j].tree, "")
		if c.CRs[i].Changes = changes; len(changes) == 0 {
			continue
		}
		c.Findings = append(c.Findings, finding.Finding{
			ID: finding.NotAsRendered, Severity: finding.Info, Object: cr.Object, Line: lineOf(cr.node, ""), Do: do,
			Text: fmt.Sprintf("render changes %s of the CR: %s", counted(len(changes), "field"), firstOf(changes)),
		})
	}
	var emitted []string
	for _, item := range after {
		if !slices.Contains(before, item) {
			emitted = append(emitted, refer(item).String())
		}
	}
	if len(emitted) > 0 {
		c.Findings = append(c.Findings, finding.Finding{
			ID: finding.NotAsRendered, Severity: finding.Info, Do: do,
			Text: fmt.Sprintf("render emits %s that the input does not have: %s", counted(len(emitted), "object"), firstOf(emitted)),
		})
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

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// firstOf names some, and says if there are more.
func firstOf(list []string) string {
	const shown = 3
	if len(list) > shown {
		return strings.Join(list[:shown], ", ") + ", …"
	}
	return strings.Join(list, ", ")
}
