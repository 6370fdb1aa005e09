package manifest

import (
	"fmt"
	"io"
	"path/filepath"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/regular"
)

// Stdin is the path that means standard input.
const Stdin = "-"

// ReadFile reads the items of a file, see [Parse].
func ReadFile(path string) ([]*yaml.RNode, error) { return new(Reader).file(path) }

// ReadStream reads the items of a stream, see [Parse].
func ReadStream(name string, r io.Reader) ([]*yaml.RNode, error) {
	return new(Reader).Stream(name, r)
}

func (r *Reader) file(path string) ([]*yaml.RNode, error) {
	data, err := r.budget.Read(path)
	if err != nil {
		return nil, fmt.Errorf("read the manifest: %w", err)
	}
	return r.Parse(filepath.ToSlash(path), data)
}

// Stream reads the items of a stream, see [Reader.Parse].
func (r *Reader) Stream(name string, stream io.Reader) ([]*yaml.RNode, error) {
	data, err := regular.All(name, stream)
	if err != nil {
		return nil, err
	}
	return r.Parse(name, data)
}
