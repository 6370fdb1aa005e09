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
)

// CR is a CR as the input has it.
type CR struct {
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

// readCRs takes down the CRs before the run changes them.
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

// read takes what can be read of a CR. The run reports the rest.
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

// line returns the line of a field of a CR, 0 for another object.
func (c *Result) line(at finding.Object, field string) int {
	if cr := c.cr(at); cr != nil {
		return object.LineOf(cr.node, strings.TrimPrefix(strings.TrimPrefix(field, cr.path), "."))
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
