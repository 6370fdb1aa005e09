package forecast

import (
	"github.com/goldenarch/goldenarch/admission"
	"github.com/goldenarch/goldenarch/finding"
)

// Foretold is all that is foretold of one CR of an input.
type Foretold struct {
	// Object is the CR.
	Object finding.Object
	// Admission is what the API server and HCO's webhooks say on create; nil
	// where the CR is taken as written.
	Admission *admission.Result
	// Forecast is what the operators make of it. Of a CR that is refused it is
	// empty.
	Forecast Forecast
	// Warnings say what the forecast is built on, and what it does not see.
	Warnings finding.List
}
