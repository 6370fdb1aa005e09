package olm

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/internal/workload"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// image is an image of an operator, and the field that names it.
type image struct {
	reference, field, unknown string
	// namedBy says in a few words what names it.
	namedBy string
	// ofPod says that it is the image of a deployment, which the check of the pods reports
	// too. ofBeside says that a Deployment beside a base has it, whose check reports it.
	ofPod, ofBeside bool
	// isVolume says that it is an image volume.
	isVolume bool
}

// imagesOf returns the images that the labels describe: those of the deployments, the
// operands that their environment names, and the related images, without duplicates.
func imagesOf(run workload.Run, o podspec.Object) []image {
	var out []image
	seen := map[string]bool{}
	add := func(i image) {
		if !seen[i.reference] || i.reference == "" {
			seen[i.reference] = true
			out = append(out, i)
		}
	}
	for _, place := range run.PlacesOf(o) {
		for _, i := range place.Images() {
			if i.Omitted == "" {
				add(image{
					reference: i.Reference, field: workload.FieldOf(o, place, i.Path), unknown: i.Unknown, namedBy: i.NamedBy(),
					ofPod: true, ofBeside: run.IsBase(o), isVolume: i.IsVolume(),
				})
			}
		}
	}
	for i, related := range relatedImages(o) {
		add(image{reference: related, field: fmt.Sprintf("spec.relatedImages[%d].image", i), unknown: podspec.NotLiteral(related), namedBy: "relatedImages"})
	}
	for _, operand := range operandsOf(run, o) {
		add(operand)
	}
	return out
}

// operandsOf returns the images that the environment of the deployments names: those of the
// pods that the operator makes.
func operandsOf(run workload.Run, o podspec.Object) []image {
	var out []image
	for _, place := range run.PlacesOf(o) {
		for _, list := range []string{"initContainers", "containers"} {
			for i, container := range yamlnode.Elements(place.Node, list) {
				for j, variable := range yamlnode.Elements(container, "env") {
					name, value := yamlnode.Text(variable, "name"), yamlnode.Text(variable, "value")
					if !isOperand(name, value) {
						continue
					}
					field := fieldpath.Element(fieldpath.Element(list, i)+".env", j) + ".value"
					out = append(out, image{
						reference: value, field: workload.FieldOf(o, place, field), unknown: podspec.NotLiteral(value), namedBy: "env " + name,
						ofBeside: run.IsBase(o),
					})
				}
			}
		}
	}
	return out
}

// isOperand reports whether a variable names an image: by its name, as operator-sdk and OLM
// have it (RELATED_IMAGE_X, X_IMAGE), or because its value can be nothing else: a host with a
// dot or a port, and a path. In each case it has a tag or a digest: the operator completes a
// name without one.
func isOperand(name, value string) bool {
	if strings.Contains(value, "://") || strings.ContainsAny(value, " \t\n,;=") {
		return false
	}
	if !strings.ContainsAny(value[strings.LastIndex(value, "/")+1:], ":@") && podspec.NotLiteral(value) == "" {
		return false
	}
	if strings.HasPrefix(name, "RELATED_IMAGE_") || strings.HasSuffix(name, "_IMAGE") {
		return value != ""
	}
	host, path, ok := strings.Cut(value, "/")
	if !ok || !strings.ContainsAny(host, ".:") || strings.HasPrefix(value, ".") || podspec.NotLiteral(value) != "" {
		return false
	}
	repository, _, _ := strings.Cut(path, "@")
	if at := strings.LastIndex(repository, ":"); at >= 0 {
		repository = repository[:at]
	}
	return repository != "" && repository == strings.ToLower(repository)
}

// Images returns the related images and the operands of an object whose text is a reference.
func Images(run workload.Run, o podspec.Object) []string {
	if !run.IsOperator(o) {
		return nil
	}
	var out []string
	for _, i := range imagesOf(run, o) {
		if !i.ofPod && i.unknown == "" {
			out = append(out, i.reference)
		}
	}
	return out
}

func relatedImages(o podspec.Object) []string {
	var out []string
	for _, one := range yamlnode.Elements(o.Node, "spec", "relatedImages") {
		out = append(out, yamlnode.Text(one, "image"))
	}
	return out
}
