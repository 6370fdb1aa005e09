package pipeline

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// CheckedCR is a CR as the input has it.
type CheckedCR struct {
	Object finding.Object
	// TemplatesPath is the path of its list of templates, and Templates their
	// names, in order; of a CR that cannot be read there are none.
	TemplatesPath string
	Templates     []string
	// Changes are the paths of the fields that are rendered otherwise.
	Changes []string

	// statesGate says that it states the multi-arch gate.
	statesGate bool

	path string     // in its item
	node *yaml.Node // as it was, for the lines
	tree map[string]any
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
	if version, err := hyperconverged.ParseVersion(o.at.APIVersion); err == nil {
		cr.TemplatesPath = strings.Trim(o.path+"."+version.Paths().Templates.String(), ".")
	}
	model, _ := hyperconverged.Parse(data)
	if model == nil {
		return
	}
	cr.statesGate = statesGate(model)
	for _, t := range model.Templates {
		cr.Templates = append(cr.Templates, t.Name())
	}
}

// line returns the line of a field of a CR, 0 for another object.
func (c *Checked) line(at finding.Object, field string) int {
	for _, cr := range c.CRs {
		if cr.Object == at {
			return lineOf(cr.node, strings.TrimPrefix(strings.TrimPrefix(field, cr.path), "."))
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
	known := make(map[*yaml.RNode]bool, len(before))
	for _, item := range before {
		known[item] = true
	}
	var emitted []string
	for _, item := range after {
		if !known[item] {
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
