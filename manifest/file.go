package manifest

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Stdin is the path that stands for standard input.
const Stdin = "-"

// ReadFile reads the items of a file. Each is annotated with the path and its
// place in the file, as kpt does.
func ReadFile(path string) ([]*yaml.RNode, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the manifest: %w", err)
	}
	return parseAt(filepath.ToSlash(path), data)
}

// ReadStream reads the items of a stream.
func ReadStream(name string, r io.Reader) ([]*yaml.RNode, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return parseAt(name, data)
}

func parseAt(path string, data []byte) ([]*yaml.RNode, error) {
	items, err := Parse(path, data)
	if err != nil {
		return nil, err
	}
	for i, item := range items {
		if err := annotate(item, path, i); err != nil {
			return nil, fmt.Errorf("%s: annotate item %d: %w", path, i, err)
		}
	}
	return items, nil
}

// annotate says where an item came from. Items without metadata get it from
// here on, so only those that are objects of Kubernetes are annotated.
func annotate(item *yaml.RNode, path string, index int) error {
	if item.GetKind() == "" {
		return nil
	}
	if err := item.PipeE(yaml.SetAnnotation(kioutil.PathAnnotation, path)); err != nil {
		return err //nolint:wrapcheck // the caller names file and item
	}
	return item.PipeE(yaml.SetAnnotation(kioutil.IndexAnnotation, fmt.Sprint(index))) //nolint:wrapcheck // likewise
}
