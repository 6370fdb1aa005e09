package forecast

import (
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/admission"
)

// Prediction is everything that goldenarch predicts for one CR of an input.
type Prediction struct {
	// Object is the CR.
	Object finding.Object
	// Admission is the answer of the API server and HCO's webhooks on create; nil if the
	// forecast uses the CR as written.
	Admission *admission.Result
	// Forecast is what the operators do with the CR. It is empty for a refused CR.
	Forecast Forecast
	// Partial is the forecast of the CR without the templates that have an error, with a
	// row for each of those. It is nil if no template has an error, or if nothing can be
	// predicted for the others either. Callers judge the CR by Forecast.
	Partial *Forecast
	// Warnings say what the forecast is based on, and what it does not include.
	Warnings finding.List
}

// Shown returns the forecast for a table; nil if the operators get no CR. One template with
// an error must not hide the results for the others.
func (f Prediction) Shown() *Forecast {
	switch {
	case f.Partial != nil:
		return f.Partial
	case len(f.Refusals()) > 0:
		return nil
	default:
		return &f.Forecast
	}
}

// Refusal is why nothing of a CR reaches the cluster.
type Refusal struct {
	// Who says which component refuses it, and What is its message.
	Who, What string
	// Field is the field that the message begins with; "" if it begins with none.
	Field string
}

// String says which component refuses the CR, with its message.
func (r Refusal) String() string { return r.Who + ": " + r.What }

// Refusals returns why nothing of the CR reaches the cluster; nil if no component refuses
// it.
func (f Prediction) Refusals() []Refusal {
	a := f.Admission
	if a == nil || a.Stored != nil {
		return nil
	}
	var out []Refusal
	for _, fault := range a.SchemaErrors {
		r := Refusal{Who: "the API server refuses the CR", What: fault}
		if field, _, ok := strings.Cut(fault, ": "); ok && !strings.Contains(field, " ") {
			r.Field = field
		}
		out = append(out, r)
	}
	for _, r := range []Refusal{
		{Who: "HCO panics on the CR", What: a.Admission.Panic},
		{Who: "HCO's mutating webhook refuses the CR", What: a.Admission.MutatorDenied},
		{Who: "HCO's patch of the CR does not apply", What: a.Admission.PatchError},
		{Who: "HCO's validating webhook refuses the CR", What: a.Admission.ValidatorDenied},
	} {
		if r.What != "" {
			out = append(out, r)
		}
	}
	return out
}

// Failures says where an operator fails: HCO on the CR, or SSP on all templates. It returns
// nil if neither fails.
func (f Forecast) Failures() []string {
	var out []string
	for _, said := range []struct{ who, what string }{
		{"HCO: ", f.Error}, {"SSP's webhook refuses the SSP CR: ", f.SSPRejected}, {"SSP fails on each reconcile: ", f.SSPError},
	} {
		if said.what != "" {
			out = append(out, said.who+said.what)
		}
	}
	if f.Blocked != nil {
		out = append(out, f.Blocked.String())
	}
	return out
}
