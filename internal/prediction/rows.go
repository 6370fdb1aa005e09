package prediction

import (
	"slices"

	"github.com/goldenarch/goldenarch/internal/operators/forecast"
)

// withFaults inserts a row for each template with an error at its place in the CR. It
// removes the row of a predefined template of the same name.
func withFaults(rows []forecast.TemplateOutcome, wrong Faults, names map[int]string, kept []int) []forecast.TemplateOutcome {
	var ofCR, ofTable []forecast.TemplateOutcome
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
		ofCR = append(ofCR, forecast.TemplateOutcome{Name: name, Index: i, Outcome: forecast.InError, Why: wrong[i]})
	}
	slices.SortStableFunc(ofCR, func(a, b forecast.TemplateOutcome) int { return a.Index - b.Index })
	return append(ofCR, ofTable...)
}

// ofTable reports whether a predefined template of HCO has the name of a template with
// an error.
func ofTable(rows []forecast.TemplateOutcome, names map[int]string, name string) bool {
	return contains(names, name) && slices.ContainsFunc(rows, func(row forecast.TemplateOutcome) bool { return row.Name == name && row.Index < 0 })
}

func contains(names map[int]string, name string) bool {
	for _, one := range names {
		if one == name {
			return true
		}
	}
	return false
}
