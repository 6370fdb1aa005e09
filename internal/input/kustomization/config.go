package kustomization

import (
	"path"
	"path/filepath"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/fn/runtime/runtimeutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
)

// isConfig reports whether an entry of a list configures goldenarch: a GoldenImages, a
// WorkloadArchitectures, or a ConfigMap that makes kustomize run goldenarch.
func isConfig(item *yaml.RNode) bool {
	return isGoldenImages(item) || isWorkloads(item) || isConfigMap(item)
}

func isGoldenImages(item *yaml.RNode) bool { return isOwnKind(item, v1alpha1.GoldenImagesKind) }

func isWorkloads(item *yaml.RNode) bool { return isOwnKind(item, v1alpha1.WorkloadArchitecturesKind) }

func isOwnKind(item *yaml.RNode, kind string) bool {
	return item.GetKind() == kind && strings.HasPrefix(item.GetApiVersion(), v1alpha1.Group+"/")
}

func isConfigMap(item *yaml.RNode) bool {
	if item.GetKind() != "ConfigMap" || item.GetApiVersion() != "v1" {
		return false
	}
	run, err := runtimeutil.GetFunctionSpec(item)
	if err != nil || run == nil {
		return false
	}
	program := path.Base(filepath.ToSlash(run.Exec.Path))
	image, _, _ := strings.Cut(run.Container.Image, "@")
	image, _, _ = strings.Cut(path.Base(image), ":")
	return program == name || image == name
}

// name is the name of the program and of the image.
const name = "goldenarch"

// originOf returns the file of a configuration, relative to the root. kustomize writes it
// in the same form in the annotations of buildMetadata.
func (b *build) originOf(dir, entry string, config *yaml.RNode) string {
	file := filepath.Join(dir, entry)
	switch built, is := b.files[config]; {
	case is:
		file = built
	case isInline(entry):
		file = b.kustomizationIn(dir)
	}
	below, err := filepath.Rel(b.root, file)
	if err != nil {
		return file
	}
	return below
}

// isInline reports whether an entry of a list is an inline object.
func isInline(entry string) bool { return strings.ContainsAny(entry, "\n{") }
