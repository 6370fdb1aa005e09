package hyperconverged

import (
	"cmp"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/shape"
)

// violated reports the part of the CR that cannot be decoded. It uses the paths and the
// terms of the CR instead of Go's types.
func violated(path string, data []byte, into any, err error) finding.List {
	found := refused(shape.Faults(path, data, into))
	if len(found) == 0 {
		found = finding.List{{
			ID: finding.SchemaViolated, Severity: finding.Error, Field: path,
			Text: refusal + strings.TrimPrefix(err.Error(), "json: "), Do: "correct the value",
		}}
	}
	return found
}

// tooLarge reports quantities of the CR that are too large for calculations.
func tooLarge(faults []shape.Fault) finding.List {
	var found finding.List
	for _, fault := range faults {
		found = append(found, finding.Finding{
			ID: finding.SchemaViolated, Severity: finding.Error, Field: fault.Path, Current: fault.Value,
			Text: fault.Path + " " + fault.Text + ": the operators write out all of its digits", Do: fault.Do,
		})
	}
	return found
}

const refusal = "the API server would refuse the CR: "

// refused reports the values of the CR that the API server refuses.
func refused(faults []shape.Fault) finding.List {
	var found finding.List
	for _, fault := range faults {
		found = append(found, finding.Finding{
			ID: finding.SchemaViolated, Severity: finding.Error, Field: fault.Path, Current: fault.Value,
			Text: refusal + cmp.Or(fault.Path, "it") + " " + fault.Text, Do: fault.Do,
		})
	}
	return found
}
