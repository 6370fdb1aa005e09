package podspec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Image is a reference to an image in a PodSpec.
type Image struct {
	// Reference is the text as written.
	Reference string
	// Path is where it is in the PodSpec: containers[0].image.
	Path string
	// Container is the name of the container or of the volume.
	Container string
	// Unknown says why the text names no image; "" if it names one.
	Unknown string
	// OfObject says that the path starts at the object.
	OfObject bool
	// Omitted says why the image does not count, whatever it has; "" if it counts.
	Omitted string
}

// IsVolume reports whether the image is a volume: it holds data, and no node runs it.
func (i Image) IsVolume() bool { return strings.HasPrefix(i.Path, "volumes[") }

// NamedBy says in a few words what names the image: "container manager".
func (i Image) NamedBy() string {
	list, _, _ := strings.Cut(i.Path, "[")
	return strings.TrimSpace(strings.TrimSuffix(list, "s") + " " + i.Container)
}

// Images returns the images of a PodSpec in the order in which it names them.
func (p Place) Images() []Image {
	if p.image != "" {
		reference := yamlnode.Text(p.Object.Node, strings.Split(p.image, ".")...)
		return []Image{{Reference: reference, Path: p.image, OfObject: true, Unknown: NotLiteral(reference)}}
	}
	if p.Shape == Placement {
		return nil
	}
	filled := p.triggered()
	var out []Image
	for _, list := range []string{"initContainers", "containers", "ephemeralContainers"} {
		for _, f := range walk(p.Node, list+"[]") {
			one := image(f, "image")
			one.Unknown = cmp.Or(filled(one.Container), one.Unknown)
			if list == "ephemeralContainers" {
				one.Omitted = "Kubernetes adds an ephemeral container to a pod that already has its node"
			}
			out = append(out, one)
		}
	}
	for _, f := range walk(p.Node, "volumes[]") {
		if source := yamlnode.Get(f.node, "image"); source != nil {
			out = append(out, image(found{node: source, path: f.path + ".image", names: f.names}, "reference"))
		}
	}
	return out
}

func image(f found, key string) Image {
	i := Image{Path: f.path + "." + key}
	if len(f.names) > 0 {
		i.Container = f.names[len(f.names)-1]
	}
	value := yamlnode.Get(f.node, key)
	switch {
	case value == nil:
		i.Unknown = "the container names no image"
	case value.Kind != yaml.ScalarNode:
		i.Unknown = "the image is not a string"
	case value.Value == "auto": // istio pkg/config/analysis/analyzers/deployment: IST0146
		i.Reference, i.Omitted = value.Value, "Istio puts its proxy in the place of this word when the pod is created"
	default:
		i.Reference = value.Value
		i.Unknown = NotLiteral(value.Value)
	}
	return i
}

// NotLiteral says why a text is a placeholder and not the reference of an image; "" if it
// is a reference.
func NotLiteral(text string) string {
	switch {
	case strings.TrimSpace(text) == "":
		return "the image is empty"
	case strings.Contains(text, "{{"):
		return fmt.Sprintf("the image %q is a template", text)
	case strings.Contains(text, "$("), strings.Contains(text, "${"):
		return fmt.Sprintf("the image %q has a variable", text)
	case strings.HasPrefix(text, "ko://"): // https://ko.build/features/k8s/
		return fmt.Sprintf("ko builds %q, and puts the image in its place", text)
	}
	return ""
}

// triggersAnnotation names the containers whose image OpenShift sets (openshift/api
// image/v1: TriggerAnnotationKey).
const triggersAnnotation = "image.openshift.io/triggers"

// triggered returns a function that says why an image trigger sets the image of a
// container; "" if no trigger does.
func (p Place) triggered() func(name string) string {
	annotation := p.Object.Annotation(triggersAnnotation)
	var named []string
	for _, f := range walk(p.Object.Node, "spec.triggers[]") {
		if p.Object.Kind != "DeploymentConfig" || yamlnode.Text(f.node, "type") != "ImageChange" {
			continue
		}
		for _, container := range walk(f.node, "imageChangeParams.containerNames[]") {
			named = append(named, container.node.Value)
		}
	}
	return func(name string) string {
		if strings.Contains(annotation, fmt.Sprintf("@.name==%q", name)) || strings.Contains(annotation, fmt.Sprintf(`@.name==\"%s\"`, name)) ||
			strings.Contains(annotation, "containers[") && !strings.Contains(annotation, "@.name==") {
			return "an image trigger fills in the image"
		}
		if slices.Contains(named, name) {
			return "an image trigger of the DeploymentConfig fills in the image"
		}
		return ""
	}
}

// PullSecrets returns the names of the Secrets with which the kubelet pulls the images:
// imagePullSecrets of a PodSpec, secrets of a CatalogSource.
func (p Place) PullSecrets() []string {
	var out []string
	for _, f := range walk(p.Node, "imagePullSecrets[]") {
		if name := yamlnode.Text(f.node, "name"); name != "" {
			out = append(out, name)
		}
	}
	if p.image == "" {
		return out
	}
	for _, f := range walk(p.Object.Node, "spec.secrets[]") {
		if f.node.Kind == yaml.ScalarNode && f.node.Value != "" {
			out = append(out, f.node.Value)
		}
	}
	return out
}
