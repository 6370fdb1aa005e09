package configuration

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/object"
)

// find finds the configuration and lays the flags over it.
func (s Source) find(given *yaml.RNode, items []*yaml.RNode) (*v1alpha1.GoldenImages, finding.List) {
	config, found := find(given, items)
	if found.Failed() {
		return config, found
	}
	found = append(found, invalid(object.Object{}, s.Options.Over(&config.Spec))...)
	return config, append(found, Locate(s.unverified(config.Spec.ParsedRelease()), config)...)
}

// Locate says of findings about the configuration's fields that they are: the
// rest of the run knows only its spec.
func Locate(found finding.List, config *v1alpha1.GoldenImages) finding.List {
	for i, f := range found {
		if f.Object == (finding.Object{}) && strings.HasPrefix(f.Field, "spec.") {
			found[i].Object = finding.Object{APIVersion: config.APIVersion, Kind: config.Kind, Name: config.Name}
		}
	}
	return found
}

// find finds the configuration: the one given, else the GoldenImages among
// the items, else the defaults. A GoldenImages beside another one is an error;
// kpt passes the one given as an item as well, and that is the same object.
func find(given *yaml.RNode, items []*yaml.RNode) (*v1alpha1.GoldenImages, finding.List) {
	var config *object.Object
	if !given.IsNilOrEmpty() || yaml.IsYNodeEmptySeq(given.YNode()) {
		config = &object.Object{Item: given, Node: given, At: object.Ref(given)}
		config.At.File, config.At.Index = object.Place(given)
	}
	for _, o := range object.All(items) {
		if !kinds.IsGoldenarch(o.At, v1alpha1.GoldenImagesKind) {
			continue
		}
		switch {
		case config == nil:
			config = &o
		case config.At.Kind == o.At.Kind && config.At.Name == o.At.Name && config.Item == given:
		default:
			f := kinds.Duplicate(o)
			f.Text = fmt.Sprintf("there are two configurations in the input: %s and %s", config.At, o.At)
			return nil, finding.List{f}
		}
	}
	if config == nil {
		defaults, err := v1alpha1.DecodeGoldenImages(nil)
		return defaults, invalid(object.Object{}, err)
	}
	return decode(*config)
}
