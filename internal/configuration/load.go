package configuration

import (
	"slices"

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
	// Files are the files that the user named one by one. The lock beside a CR in one of
	// them is read with it.
	Files []string
}

// Config is the configuration of a run.
type Config struct {
	*v1alpha1.GoldenImages
	// Workloads says more about pods than the mode; nil if nobody does.
	Workloads *v1alpha1.WorkloadArchitectures
	// OnlyWorkloads says that the configuration that was given is about pods alone.
	OnlyWorkloads bool

	statesTimeout bool // of registries
}

// Load returns the configuration, the one given or that among the items, with the
// options laid over it, and the items of the files that its spec.inputs names. Every
// entry of the line begins with it.
func (s Source) Load(given *yaml.RNode, items []*yaml.RNode) (*Config, []*yaml.RNode, finding.List) {
	config, found := s.find(given, items)
	if found.Failed() {
		return nil, nil, found
	}
	extra, list := s.readInputs(config.Spec.Inputs)
	if found = append(found, list...); found.Failed() {
		return config, extra, found
	}
	beside, list := s.locksBeside(slices.Concat(items, extra), config.Spec.Lock.Mode)
	return config, append(extra, beside...), append(found, list...)
}
