package prediction

import (
	"strconv"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

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
func (p Partly) RefusedTemplates(one forecast.Prediction) Faults {
	out := Faults{}
	o, is := p.objects()[one.Object]
	if !is {
		return out
	}
	data, err := o.JSON()
	if err != nil {
		return out
	}
	version, err := hyperconverged.ParseVersion(one.Object.APIVersion)
	if err != nil {
		return out
	}
	path := version.Paths().Templates.String()
	for _, r := range one.Refusals() {
		out.Add(path, r.Field, r.String())
	}
	cr, found := p.parsed.Parse(data)
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
