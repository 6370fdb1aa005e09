package prediction

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/goldenarch/goldenarch/internal/engine/input"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// Without predicts what happens to a CR without the templates that have an error, and
// inserts a row for each of those. It returns nil if it cannot predict the others
// either.
func (in Inputs) Without(written map[string]object.Object, at finding.Object, wrong Faults) *forecast.Forecast {
	o, ok := written[kinds.Identity(at)]
	if !ok {
		o = in.places[at]
	}
	data, faulty, kept := withoutTemplates(o, wrong)
	if data == nil {
		return nil
	}
	one := in.predict(o, data)
	out := one.Forecast
	if len(one.Refusals()) > 0 || out.Error != "" || out.NoImagesBecause != "" || len(out.WorkloadArchitectures) == 0 {
		return nil
	}
	out.Crons = slices.DeleteFunc(out.Crons, func(c forecast.CronOutcome) bool { return ofTable(out.Templates, faulty, c.Template) })
	out.Templates = withFaults(out.Templates, faulty, kept)
	return &out
}

// withoutTemplates returns a CR without the templates that have an error, the rows of
// those, and the indexes of the others. It returns nil if it cannot read the CR.
func withoutTemplates(o object.Object, wrong Faults) (data []byte, faulty []forecast.TemplateOutcome, kept []int) {
	tree, err := o.Tree()
	if err != nil {
		return nil, nil, nil
	}
	version, err := hyperconverged.ParseVersion(o.At.APIVersion)
	if err != nil {
		return nil, nil, nil
	}
	path := version.Paths().Templates
	above := expansion.Object(tree).Child(path[:len(path)-1]...)
	list, _ := above[path[len(path)-1]].([]any)
	left := []any{}
	for i, template := range list {
		if _, ok := wrong[i]; !ok {
			left, kept = append(left, template), append(kept, i)
			continue
		}
		fields, _ := template.(map[string]any)
		entry := expansion.Object(fields)
		row := forecast.TemplateOutcome{Index: i, Name: entry.Text("metadata", "name"), Outcome: forecast.InError, Why: wrong[i]}
		if claim, declares := entry.Child("metadata", "annotations")[hyperconverged.ClaimAnnotation].(string); declares {
			row.Claim = &claim
		}
		faulty = append(faulty, row)
	}
	if len(faulty) == 0 {
		return nil, nil, nil
	}
	above[path[len(path)-1]] = left
	if data, err = json.Marshal(tree); err != nil {
		return nil, nil, nil
	}
	return data, faulty, kept
}

// withFaults inserts the rows of the templates with an error at their places in the CR. It
// removes the row of a predefined template of the same name.
func withFaults(rows, faulty []forecast.TemplateOutcome, kept []int) []forecast.TemplateOutcome {
	ofCR := slices.Clone(faulty)
	var ofTable []forecast.TemplateOutcome
	for _, row := range rows {
		if row.Index < 0 {
			if !contains(faulty, row.Name) {
				ofTable = append(ofTable, row)
			}
			continue
		}
		row.Index = kept[row.Index]
		ofCR = append(ofCR, row)
	}
	slices.SortStableFunc(ofCR, func(a, b forecast.TemplateOutcome) int { return a.Index - b.Index })
	return append(ofCR, ofTable...)
}

// ofTable reports whether a predefined template of HCO has the name of a template with
// an error.
func ofTable(rows, faulty []forecast.TemplateOutcome, name string) bool {
	return contains(faulty, name) && slices.ContainsFunc(rows, func(row forecast.TemplateOutcome) bool { return row.Name == name && row.Index < 0 })
}

func contains(rows []forecast.TemplateOutcome, name string) bool {
	return slices.ContainsFunc(rows, func(row forecast.TemplateOutcome) bool { return row.Name == name })
}

// Faults says why templates of a CR have no prediction, by their index in its list.
type Faults map[int]string

// Add adds an error about a template. path is the path of the list.
func (f Faults) Add(path, field, text string) {
	rest, below := strings.CutPrefix(field, path+"[")
	place, _, closed := strings.Cut(rest, "]")
	i, err := strconv.Atoi(place)
	if !below || !closed || err != nil {
		return
	}
	if _, reported := f[i]; !reported {
		f[i] = text
	}
}

// RefusedTemplates returns the templates that make the API server or HCO refuse the
// whole CR, or make HCO fail.
func (in Inputs) RefusedTemplates(one forecast.Prediction) Faults {
	out := Faults{}
	version, err := hyperconverged.ParseVersion(one.Object.APIVersion)
	if err != nil {
		return out // of SSP
	}
	data, err := input.JSON(in.places[one.Object], in.Parsed)
	if err != nil {
		return out
	}
	path := version.Paths().Templates.String()
	for _, r := range one.Refusals() {
		out.Add(path, r.Field, r.String())
	}
	cr, found := in.Parsed.Parse(data)
	if cr != nil {
		found = append(found, hyperconverged.Refused(cr, hyperconverged.None())...)
	}
	for _, f := range found {
		if f.Severity == finding.Error {
			out.Add(path, f.Field, f.Message())
		}
	}
	return out
}
