package pipeline

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// load returns the configuration, the one given or that among the items, with the
// options laid over it, and the items of the files that its spec.inputs names. Every
// entry of the line begins with it.
func (f Function) load(given *yaml.RNode, items []*yaml.RNode) (*v1alpha1.GoldenImages, []*yaml.RNode, finding.List) {
	config, found := f.config(given, items)
	if found.Failed() {
		return nil, nil, found
	}
	extra, list := f.inputs(config.Spec.Inputs)
	return config, extra, append(found, list...)
}
