package configuration

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// Source is what a configuration is made of, beside its object.
type Source struct {
	// Options win over the configuration.
	Options Options
	// Strict makes an error of a release newer than the newest verified one.
	Strict bool
	// Dir is the directory below which spec.inputs are read.
	Dir string
	// WorkDir is the working directory, from which the user opens the files that
	// findings name; "" where the host alone knows what files the items are of.
	WorkDir string
}

// Load returns the configuration, the one given or that among the items, with the
// options laid over it, and the items of the files that its spec.inputs names. Every
// entry of the line begins with it.
func (s Source) Load(given *yaml.RNode, items []*yaml.RNode) (*v1alpha1.GoldenImages, []*yaml.RNode, finding.List) {
	config, found := s.find(given, items)
	if found.Failed() {
		return nil, nil, found
	}
	extra, list := s.readInputs(config.Spec.Inputs)
	return config, extra, append(found, list...)
}
