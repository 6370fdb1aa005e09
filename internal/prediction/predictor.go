package prediction

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/configuration"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// Admission says whether the prediction includes the admission of a CR.
type Admission string

// The values of --admission.
const (
	ThroughAdmission Admission = "apply"
	AsWritten        Admission = "skip"
)

// Predictor has what predictions need in addition to the items.
type Predictor struct {
	// Source is the source of the configuration.
	Source configuration.Source
	// Config is the configuration of the run; nil if the input is trusted.
	Config *configuration.Config
	// Nodes and Live are objects that the user passes in addition to the items.
	Nodes, Live []*yaml.RNode
	// Parsed has the CRs that the run has parsed; nil keeps none.
	Parsed *hyperconverged.Parsed
	// OutcomesOnly omits from the forecasts what is only for display.
	OutcomesOnly bool
}
