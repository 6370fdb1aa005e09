package configuration

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/settings"
)

// find finds the configuration and applies the flags to it.
func (s Source) find(given *yaml.RNode, items []*yaml.RNode) (*Config, finding.List) {
	config, found := s.findAll(given, s.own(given, object.All(items)))
	if found.Failed() {
		return config, found
	}
	if s.Policy != nil && s.Options.FleetRelease != "" && config.releaseOfCommit {
		config.Spec.Release = s.Options.FleetRelease
		config.facts = slices.DeleteFunc(config.facts, isRelease)
	}
	if s.Options.RegistryTimeout != "" && !config.statesTimeout {
		config.Spec.Registry.Timeout = s.Options.RegistryTimeout
	}
	found = append(found, invalid(object.Object{}, s.Options.over(&config.Spec))...)
	config.Spec.Release = cmp.Or(config.Spec.Release, s.Options.FleetRelease)
	config.Settings = settings.Of(&config.Spec)
	return config, append(found, Locate(s.unverified(config.Settings.Release), config)...)
}

// own returns the objects without the configurations that are not for this run.
func (s Source) own(given *yaml.RNode, objects []object.Object) []object.Object {
	of := v1alpha1.GoldenImagesKind
	if kinds.IsGoldenarch(object.Ref(given), v1alpha1.WorkloadArchitecturesKind) {
		of = v1alpha1.WorkloadArchitecturesKind
	}
	return slices.DeleteFunc(slices.Clone(objects), func(o object.Object) bool {
		return s.Listed && kinds.IsGoldenarch(o.At, of) || s.OfOtherStep != nil && s.OfOtherStep(o)
	})
}

// Locate adds the configuration's object to findings about its fields. The rest of the run
// knows only its spec.
func Locate(found finding.List, config *Config) finding.List {
	for i, f := range found {
		if f.Object == (finding.Object{}) && strings.HasPrefix(f.Field, "spec.") {
			found[i].Object = finding.Object{APIVersion: config.APIVersion, Kind: config.Kind, Name: config.Name}
		}
	}
	return found
}

// findObject finds the configuration of a kind: the given one, else the one among the
// items; nil if there is neither. Two of them are an error. kpt also passes the given one
// as an item, which counts as the same object.
func findObject(kind string, given *yaml.RNode, items []object.Object) (*object.Object, finding.List) {
	var config *object.Object
	if !given.IsNilOrEmpty() || yaml.IsYNodeEmptySeq(given.YNode()) {
		stated := object.New(given)
		config = &stated
	}
	for _, o := range items {
		if !kinds.IsGoldenarch(o.At, kind) || isOfOtherPackage(given, o.Item, items) {
			continue
		}
		switch {
		case config == nil:
			config = &o
		case config.At.Kind == o.At.Kind && config.At.Name == o.At.Name && config.Item == given:
		default:
			f := kinds.Duplicate(o)
			f.Text = fmt.Sprintf("the input has two configurations: %s and %s", config.At, o.At)
			return nil, finding.List{f}
		}
	}
	return config, nil
}

// isOfOtherPackage reports whether a configuration is in a package below the one that kpt
// runs the given configuration for: that package's own pipeline uses it.
func isOfOtherPackage(given, item *yaml.RNode, items []object.Object) bool {
	dir := object.PackageOf(item)
	if given.IsNilOrEmpty() || dir == "" {
		return false
	}
	own := object.PackageOf(given)
	if own == "" { // written in the Kptfile, or on the command line
		own = dir
		for _, o := range items {
			if other := object.PackageOf(o.Item); other != "" && len(other) < len(own) {
				own = other
			}
		}
	}
	return dir != own
}

// statesTimeout reports whether a configuration sets a timeout for queries of registries.
func statesTimeout(o *object.Object) bool {
	return o != nil && (object.TextAt(o.Node, "spec", "registry", "timeout") != "" || object.TextAt(o.Node, "data", "registryTimeout") != "")
}
