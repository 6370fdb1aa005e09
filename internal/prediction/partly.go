package prediction

import (
	"encoding/json"
	"slices"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/settings"
)

// Partly predicts CRs without some of their templates.
type Partly struct {
	inputs  func() inputs
	objects func() map[finding.Object]object.Object
	spec    *settings.Settings
	how     Admission
	known   Images
	parsed  *hyperconverged.Parsed
}

// Partly returns a predictor for CRs of the items without some of their templates. It
// reads the items once, when it first needs them.
func (p Predictor) Partly(items []*yaml.RNode, spec *settings.Settings, how Admission, known Images) Partly {
	return Partly{
		inputs:  sync.OnceValue(func() inputs { return p.readInputs(items, spec) }),
		objects: sync.OnceValue(func() map[finding.Object]object.Object { return byPlace(object.All(items)) }),
		spec:    spec, how: how, known: known, parsed: p.Parsed,
	}
}

// byPlace returns objects by their location, the first if several have the same one.
func byPlace(list []object.Object) map[finding.Object]object.Object {
	out := make(map[finding.Object]object.Object, len(list))
	for _, o := range slices.Backward(list) {
		out[o.At] = o
	}
	return out
}

// Without predicts what happens to a CR without the templates that have an error, and
// inserts a row for each of those. It returns nil if it cannot predict the others
// either.
func (p Partly) Without(written map[string]object.Object, at finding.Object, wrong Faults) *forecast.Forecast {
	o, is := p.objects()[at]
	if !is {
		return nil
	}
	if w, is := written[kinds.Identity(at)]; is {
		o = w
	}
	data, names, kept := withoutTemplates(o, wrong)
	if data == nil {
		return nil
	}
	one := p.inputs().predict(o, data, p.spec, p.how, p.known)
	out := one.Forecast
	if len(one.Refusals()) > 0 || out.Error != "" || out.NoImagesBecause != "" || len(out.WorkloadArchitectures) == 0 {
		return nil
	}
	out.Crons = slices.DeleteFunc(out.Crons, func(c forecast.CronOutcome) bool { return ofTable(out.Templates, names, c.Template) })
	out.Templates = withFaults(out.Templates, wrong, names, kept)
	return &out
}

// withoutTemplates returns a CR without the templates that have an error, the names of
// those, and the indexes of the others. It returns nil if it cannot read the CR.
func withoutTemplates(o object.Object, wrong Faults) (data []byte, names map[int]string, kept []int) {
	tree, err := o.Tree()
	if err != nil {
		return nil, nil, nil
	}
	version, err := hyperconverged.ParseVersion(o.At.APIVersion)
	if err != nil {
		return nil, nil, nil
	}
	path := version.Paths().Templates
	above := tree
	for _, key := range path[:len(path)-1] {
		above, _ = above[key].(map[string]any)
	}
	list, _ := above[path[len(path)-1]].([]any)
	left := []any{}
	names = map[int]string{}
	for i, template := range list {
		if _, is := wrong[i]; !is {
			left, kept = append(left, template), append(kept, i)
			continue
		}
		fields, _ := template.(map[string]any)
		metadata, _ := fields["metadata"].(map[string]any)
		names[i], _ = metadata["name"].(string)
	}
	if len(names) == 0 {
		return nil, nil, nil
	}
	above[path[len(path)-1]] = left
	if data, err = json.Marshal(tree); err != nil {
		return nil, nil, nil
	}
	return data, names, kept
}
