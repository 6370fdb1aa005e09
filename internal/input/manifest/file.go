package manifest

import (
	"fmt"
	"io"
	"path/filepath"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/regular"
)

// Stdin is the path that stands for standard input.
const Stdin = "-"

// ReadFile reads the items of a file, see [Parse].
func ReadFile(path string) ([]*yaml.RNode, error) {
	return readFile(&regular.Budget{}, path)
}

func readFile(budget *regular.Budget, path string) ([]*yaml.RNode, error) {
	data, err := budget.Read(path)
	if err != nil {
		return nil, fmt.Errorf("read the manifest: %w", err)
	}
	return Parse(filepath.ToSlash(path), data)
}

// ReadStream reads the items of a stream, see [Parse].
func ReadStream(name string, r io.Reader) ([]*yaml.RNode, error) {
	data, err := regular.All(name, r)
	if err != nil {
		return nil, err
	}
	return Parse(name, data)
}
