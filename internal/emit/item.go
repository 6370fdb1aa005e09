package emit

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// newItem returns an object as an item with its own file and index in the package.
func newItem(o expansion.Object, index int) (*yaml.RNode, error) {
	item, err := node(o)
	if err != nil {
		return nil, err
	}
	file := fileOf(refOf(o))
	for _, note := range []struct{ key, value string }{
		{kioutil.PathAnnotation, file},
		{kioutil.IndexAnnotation, strconv.Itoa(index)},
		{kioutil.LegacyPathAnnotation, file},                 //nolint:staticcheck // older hosts
		{kioutil.LegacyIndexAnnotation, strconv.Itoa(index)}, //nolint:staticcheck // older hosts
	} {
		if err := item.PipeE(yaml.SetAnnotation(note.key, note.value)); err != nil {
			return nil, fmt.Errorf("annotate the object: %w", err)
		}
	}
	return item, nil
}

// renewed returns an object that replaces an item. It keeps the annotations of the
// host.
func renewed(item *yaml.RNode, o expansion.Object) (*yaml.RNode, error) {
	out, err := node(o)
	if err != nil {
		return nil, err
	}
	notes := item.GetAnnotations()
	for _, key := range slices.Sorted(maps.Keys(notes)) {
		if !isHostAnnotation(key) {
			continue
		}
		if err := out.PipeE(yaml.SetAnnotation(key, notes[key])); err != nil {
			return nil, fmt.Errorf("annotate the object: %w", err)
		}
	}
	return out, nil
}

func node(o expansion.Object) (*yaml.RNode, error) {
	text, err := k8syaml.Marshal(o)
	if err != nil {
		return nil, fmt.Errorf("encode the object: %w", err)
	}
	out, err := yaml.Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("read the object: %w", err)
	}
	return out, nil
}
