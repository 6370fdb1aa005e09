package prediction

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/configuration"
)

// Predictor is what predictions are made with, beside the items.
type Predictor struct {
	// Source is that of the configuration.
	Source configuration.Source
	// Nodes and live are what is given beside the items.
	Nodes, Live []*yaml.RNode
}
