package check

import (
	"encoding/json"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/prediction"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// CR is a CR as it is in the input.
type CR struct {
	Object finding.Object
	// TemplatesPath is the path of its list of templates. Templates are their names, in
	// order. Both are empty for a CR that cannot be read.
	TemplatesPath string
	Templates     []string
	// Changes are the paths of the fields that rendering changes.
	Changes []string

	// statesGate says that the CR states the multi-arch gate.
	statesGate bool

	path string     // path in its item
	node *yaml.Node // the node before the run, for line numbers
	tree map[string]any
}

// readCRs saves the CRs before the run changes them.
func readCRs(items []*yaml.RNode, crs *hyperconverged.Parsed) []CR {
	var out []CR
	for _, o := range object.All(items) {
		if !kinds.IsCR(o) {
			continue
		}
		cr := CR{Object: o.At, path: o.Path, node: o.Node.Copy().YNode()}
		cr.read(o, crs)
		out = append(out, cr)
	}
	return out
}

// read reads as much of a CR as it can. The run reports the rest.
func (cr *CR) read(o object.Object, crs *hyperconverged.Parsed) {
	data, err := o.JSON()
	if err != nil {
		return
	}
	if err := json.Unmarshal(data, &cr.tree); err != nil {
		return
	}
	if version, err := hyperconverged.ParseVersion(o.At.APIVersion); err == nil {
		cr.TemplatesPath = strings.Trim(o.Path+"."+version.Paths().Templates.String(), ".")
	}
	model, _ := crs.Parse(data)
	if model == nil {
		return
	}
	cr.statesGate = prediction.StatesGate(model)
	for _, t := range model.Templates {
		cr.Templates = append(cr.Templates, t.Name())
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
		return strings.Trim(cr.path+"."+field, ".")
	}
	return field
}
