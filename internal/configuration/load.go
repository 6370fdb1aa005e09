package configuration

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/settings"
)

// Source has what makes up a configuration beside its object.
type Source struct {
	// Options win over the configuration.
	Options Options
	// Strict makes a release newer than the newest verified one an error.
	Strict bool
	// Dir is the directory below which spec.inputs are read.
	Dir string
	// WorkDir is the working directory, from which the user opens the files that findings
	// name; "" if only the host knows the files of the items.
	WorkDir string
	// Reader reads the files of spec.inputs. If it is nil, a reader that keeps all nodes
	// reads them.
	Reader *manifest.Reader
	// Listed says that a host or a kustomization lists the given configuration. It then counts
	// alone among those of its kind.
	Listed bool
	// OfOtherStep reports that an item is the configuration of another step, which this one
	// does not use. If it is nil, no item is.
	OfOtherStep func(object.Object) bool
	// Files are the files that the user named individually. goldenarch also reads the lock
	// beside a CR in one of them.
	Files []string
	// Policy says that the operator does not trust the input; nil trusts it.
	Policy *Policy
}

// Config is the configuration of a run.
type Config struct {
	*v1alpha1.GoldenImages
	// Settings is the spec with its words as types, for the steps of a run.
	Settings *settings.Settings
	// Workloads has options for pods beyond the mode; nil if nobody sets any.
	Workloads *v1alpha1.WorkloadArchitectures
	// OnlyWorkloads says that the given configuration is only about pods.
	OnlyWorkloads bool

	// StatesNodes says that the node facts of the input do not count, because the operator or
	// the policy states the nodes. PolicyFacts are those of the policy.
	StatesNodes bool
	PolicyFacts []object.Object

	statesTimeout bool     // for registries
	facts         []string // of the cluster, that an untrusted configuration states
	// releaseOfCommit says that an untrusted configuration states the release, if any does.
	releaseOfCommit bool
}

// aboutPods reports whether the run is about pods too.
func (c *Config) aboutPods() bool {
	mode := c.Spec.Workloads
	if mode == "" && c.Workloads != nil {
		mode = c.Workloads.Spec.Mode
	}
	return mode != "" && mode != v1alpha1.WorkloadsNone
}

// AboutPods reports whether the options, or the given configuration, make a run be about
// pods. A configuration that is wrong is not: [Source.Load] says what is wrong with it.
func (s Source) AboutPods(given *yaml.RNode) bool {
	config, found := s.find(given, nil)
	return !found.Failed() && config.aboutPods()
}

// Load returns the configuration and the items of the files that its spec.inputs names. The
// configuration is the given one or the one among the items, with the options applied to
// it. Every entry of the pipeline begins with Load.
func (s Source) Load(given *yaml.RNode, items []*yaml.RNode) (*Config, []*yaml.RNode, finding.List) {
	config, found := s.find(given, items)
	if found.Failed() {
		return nil, nil, found
	}
	extra, list := s.readInputs(config.Spec.Inputs)
	if found = append(found, list...); found.Failed() {
		return config, extra, found
	}
	beside, list := s.locksBeside(slices.Concat(items, extra), config)
	found = append(found, list...)
	if s.Policy != nil {
		found = append(found, s.Policy.judge(config, slices.Concat(items, extra))...)
	}
	return config, append(extra, beside...), found
}
