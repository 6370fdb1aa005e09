package olm

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/workload"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// image is an image of an operator, and the field that names it.
type image struct{ reference, field, unknown string }

// imagesOf returns the images that the labels describe: those of the deployments, and the
// related images, without duplicates.
func imagesOf(run workload.Run, o podspec.Object) []image {
	var out []image
	seen := map[string]bool{}
	add := func(i image) {
		if !seen[i.reference] || i.reference == "" {
			seen[i.reference] = true
			out = append(out, i)
		}
	}
	for _, place := range podspec.Places(o, run.Options()) {
		for _, i := range place.Images() {
			if !i.Ephemeral {
				add(image{i.Reference, place.Path + "." + i.Path, i.Unknown})
			}
		}
	}
	for i, related := range relatedImages(o) {
		add(image{related, fmt.Sprintf("spec.relatedImages[%d].image", i), podspec.NotLiteral(related)})
	}
	return out
}

// Images returns the related images of an object whose text is a reference.
func Images(run workload.Run, o podspec.Object) []string {
	if !treats(run, o) {
		return nil
	}
	var out []string
	for _, reference := range relatedImages(o) {
		if podspec.NotLiteral(reference) == "" {
			out = append(out, reference)
		}
	}
	return out
}

func relatedImages(o podspec.Object) []string {
	list := yamlnode.Lookup(o.Node, []string{"spec", "relatedImages"})
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	var out []string
	for _, one := range list.Content {
		reference := ""
		if n := yamlnode.Get(one, "image"); n != nil {
			reference = n.Value
		}
		out = append(out, reference)
	}
	return out
}
