package manifest

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Stdin is the path that stands for standard input.
const Stdin = "-"

// ReadFile reads the items of a file, see [Parse].
func ReadFile(path string) ([]*yaml.RNode, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the manifest: %w", err)
	}
	return Parse(filepath.ToSlash(path), data)
}

// ReadStream reads the items of a stream, see [Parse].
func ReadStream(name string, r io.Reader) ([]*yaml.RNode, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return Parse(name, data)
}
