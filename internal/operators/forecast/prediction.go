package forecast

import (
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/admission"
)

// Prediction is all that is predicted of one CR of an input.
type Prediction struct {
	// Object is the CR.
	Object finding.Object
	// Admission is what the API server and HCO's webhooks say on create; nil
	// where the CR is taken as written.
	Admission *admission.Result
	// Forecast is what the operators make of it. Of a CR that is refused it is
	// empty.
	Forecast Forecast
	// Partial is the forecast of the CR without the templates that have an error,
	// with a row for each of those; nil where there is none, or where nothing can
	// be predicted of the others either. What the CR is judged by is Forecast.
	Partial *Forecast
	// Warnings say what the forecast is built on, and what it does not see.
	Warnings finding.List
}

// Shown returns the forecast that a table shows, nil if there is none: one template
// with an error must not hide what becomes of the others.
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
	// Who refuses it, and in which words.
	Who, What string
	// Field is the one that it is about, "" if the words do not begin with one.
	Field string
}

// String returns who says what.
func (r Refusal) String() string { return r.Who + ": " + r.What }

// Refusals says why nothing of the CR reaches the cluster. Nil if nobody refuses it.
func (f Prediction) Refusals() []Refusal {
	a := f.Admission
	if a == nil || a.Stored != nil {
		return nil
	}
	var out []Refusal
	for _, fault := range a.SchemaErrors {
		r := Refusal{Who: "the API server", What: fault}
		if field, _, ok := strings.Cut(fault, ": "); ok && !strings.Contains(field, " ") {
			r.Field = field
		}
		out = append(out, r)
	}
	for _, r := range []Refusal{
		{Who: "HCO panics", What: a.Admission.Panic},
		{Who: "HCO's mutating webhook", What: a.Admission.MutatorDenied},
		{Who: "HCO's patch does not apply", What: a.Admission.PatchError},
		{Who: "HCO's validating webhook", What: a.Admission.ValidatorDenied},
	} {
		if r.What != "" {
			out = append(out, r)
		}
	}
	return out
}

// Failures says where an operator gives up: HCO on the CR, or SSP on all
// templates. Nil if none does.
func (f Forecast) Failures() []string {
	var out []string
	for _, said := range []struct{ who, what string }{
		{"HCO: ", f.Error}, {"SSP's webhook: ", f.SSPRejected}, {"SSP, on every pass: ", f.SSPError},
	} {
		if said.what != "" {
			out = append(out, said.who+said.what)
		}
	}
	if f.Blocked != nil {
		out = append(out, f.Blocked.Why+": "+strings.Join(f.Blocked.Crons, ", "))
	}
	return out
}
