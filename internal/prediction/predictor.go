package prediction

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/configuration"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// Admission says whether a CR goes through admission before it is predicted.
type Admission string

// What --admission takes.
const (
	ThroughAdmission Admission = "apply"
	AsWritten        Admission = "skip"
)

// Predictor is what predictions are made with, beside the items.
type Predictor struct {
	// Source is that of the configuration.
	Source configuration.Source
	// Nodes and live are what is given beside the items.
	Nodes, Live []*yaml.RNode
	// Parsed has the CRs that the run has parsed; nil keeps none.
	Parsed *hyperconverged.Parsed
}
