package pipeline

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// faults says why templates of a CR have no prediction, by their place in its list.
type faults map[int]string

// add adds an error that is about a template. path is that of the list.
func (f faults) add(path, field, text string) {
	rest, below := strings.CutPrefix(field, path+"[")
	place, _, closed := strings.Cut(rest, "]")
	i, err := strconv.Atoi(place)
	if !below || !closed || err != nil {
		return
	}
	if _, told := f[i]; !told {
		f[i] = text
	}
}

// faultsOf returns the templates of a CR that have an error. An import that fails
// is a prediction, and not the lack of one.
func (c *Checked) faultsOf(cr CheckedCR) faults {
	out := faults{}
	for _, f := range c.Findings {
		if f.Severity == finding.Error && f.Object == cr.Object && f.ID != finding.ImportFails && f.ID != finding.ClaimWrong {
			out.add(cr.TemplatesPath, f.Field, f.Message())
		}
	}
	return out
}

// partial predicts of each CR with an error in a template what becomes of the
// others: as they are rendered, as far as they could be.
func (f Function) partial(c *Checked, items []*yaml.RNode, d decided, spec *v1alpha1.GoldenImagesSpec) {
	written := map[string]object{}
	if !c.Rendered {
		edited, _ := write(d.list, d.plans) // what cannot be written is shown as it is
		for _, s := range d.list {
			o := s.object
			if item := edited[s.item]; item != nil {
				o.item, o.node = item, s.in(item)
			}
			written[identity(o.at)] = o
		}
	}
	for _, cr := range c.CRs {
		at := slices.IndexFunc(c.Forecast, func(one forecast.Foretold) bool { return one.Object == cr.Object })
		if wrong := c.faultsOf(cr); at >= 0 && len(wrong) > 0 {
			c.Forecast[at].Partial = f.foretellWithout(items, written, cr.Object, wrong, spec, true, d.images())
		}
	}
}

// refusedTemplates returns the templates for which the API server or HCO refuses a
// whole CR, or HCO fails at it.
func refusedTemplates(items []*yaml.RNode, one forecast.Foretold) faults {
	out := faults{}
	list := objects(items)
	at := slices.IndexFunc(list, func(o object) bool { return o.at == one.Object })
	if at < 0 {
		return out
	}
	data, err := list[at].json()
	if err != nil {
		return out
	}
	version, err := hyperconverged.ParseVersion(one.Object.APIVersion)
	if err != nil {
		return out
	}
	path := version.Paths().Templates.String()
	for _, r := range one.Refusals() {
		out.add(path, r.Field, r.String())
	}
	cr, found := hyperconverged.Parse(data)
	if cr != nil {
		found = append(found, hyperconverged.Refused(cr, hyperconverged.None())...)
	}
	for _, f := range found {
		if f.Severity == finding.Error {
			out.add(path, f.Field, f.Message())
		}
	}
	return out
}

// foretellWithout predicts what becomes of a CR without the templates that have an
// error, and puts a row for each of those among the others. It returns nil where
// nothing can be said of the others either.
func (f Function) foretellWithout(items []*yaml.RNode, written map[string]object, at finding.Object, wrong faults, spec *v1alpha1.GoldenImagesSpec, admit bool, known images) *forecast.Forecast {
	in := f.predictionInput(items, spec)
	i := slices.IndexFunc(in.crs, func(o object) bool { return o.at == at })
	if i < 0 {
		return nil
	}
	o := in.crs[i]
	if w, is := written[identity(at)]; is {
		o = w
	}
	data, names, kept := withoutTemplates(o, wrong)
	if data == nil {
		return nil
	}
	one := in.foretell(o, data, spec, admit, known)
	out := one.Forecast
	if len(one.Refusals()) > 0 || out.Error != "" || out.Nothing != "" || len(out.WorkloadArchitectures) == 0 {
		return nil
	}
	out.Crons = slices.DeleteFunc(out.Crons, func(c forecast.CronFate) bool { return ofTable(out.Templates, names, c.Template) })
	out.Templates = withFaults(out.Templates, wrong, names, kept)
	return &out
}

// withoutTemplates returns a CR without the templates that have an error, the names
// of those, and the places of the others. It returns nil if it cannot be read.
func withoutTemplates(o object, wrong faults) (data []byte, names map[int]string, kept []int) {
	tree, err := o.tree()
	if err != nil {
		return nil, nil, nil
	}
	version, err := hyperconverged.ParseVersion(o.at.APIVersion)
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

// withFaults puts a row for each template with an error where the CR has it. A
// template of HCO's table that it is in the way of is not shown as well.
func withFaults(rows []forecast.TemplateFate, wrong faults, names map[int]string, kept []int) []forecast.TemplateFate {
	var ofCR, ofTable []forecast.TemplateFate
	for _, row := range rows {
		if row.Index < 0 {
			if !contains(names, row.Name) {
				ofTable = append(ofTable, row)
			}
			continue
		}
		row.Index = kept[row.Index]
		ofCR = append(ofCR, row)
	}
	for i, name := range names {
		ofCR = append(ofCR, forecast.TemplateFate{Name: name, Index: i, Fate: forecast.InError, Why: wrong[i]})
	}
	slices.SortStableFunc(ofCR, func(a, b forecast.TemplateFate) int { return a.Index - b.Index })
	return append(ofCR, ofTable...)
}

// ofTable reports whether a template is HCO's own, of the name of one with an error.
func ofTable(rows []forecast.TemplateFate, names map[int]string, name string) bool {
	return contains(names, name) && slices.ContainsFunc(rows, func(row forecast.TemplateFate) bool { return row.Name == name && row.Index < 0 })
}

func contains(names map[int]string, name string) bool {
	for _, one := range names {
		if one == name {
			return true
		}
	}
	return false
}
