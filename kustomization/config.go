package kustomization

import (
	"path/filepath"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
)

func isGoldenImages(item *yaml.RNode) bool {
	return item.GetKind() == v1alpha1.GoldenImagesKind && strings.HasPrefix(item.GetApiVersion(), v1alpha1.Group+"/")
}

// originOf returns the file of a configuration as kustomize names it in the
// annotations that buildMetadata asks for: below the root.
func (b *build) originOf(dir, entry string, config *yaml.RNode) string {
	file := filepath.Join(dir, entry)
	switch built, is := b.files[config]; {
	case is:
		file = built
	case isInline(entry):
		file = dir
		for _, name := range konfig.RecognizedKustomizationFileNames() {
			if b.Exists(filepath.Join(dir, name)) {
				file = filepath.Join(dir, name)
			}
		}
	}
	below, err := filepath.Rel(b.root, file)
	if err != nil {
		return file
	}
	return below
}

// isInline reports whether an entry of a list is an object itself.
func isInline(entry string) bool { return strings.ContainsAny(entry, "\n{") }
