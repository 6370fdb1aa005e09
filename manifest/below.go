package manifest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// ReadBelow reads a file that a package names, relative to a directory. It
// never leaves the directory, not by an absolute path, not by "..", and not by
// a link.
func ReadBelow(dir, file string) ([]*yaml.RNode, error) {
	if isKustomization(filepath.Base(file)) {
		return nil, fmt.Errorf("read input %q: %w: name the files that it lists", file, errToBuild)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the working directory: %w", err)
	}
	f, err := root.Open(filepath.FromSlash(file))
	if err != nil {
		return nil, fmt.Errorf("read input %q, below the working directory %q: %w", file, dir, errors.Join(err, root.Close()))
	}
	data, err := io.ReadAll(f)
	if err := errors.Join(err, f.Close(), root.Close()); err != nil {
		return nil, fmt.Errorf("read input %q: %w", file, err)
	}
	return Parse(filepath.ToSlash(file), data)
}
