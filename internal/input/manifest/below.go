package manifest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/regular"
)

// Below reads a file that a package names, relative to a directory. It never reads a
// file outside the directory, whether by an absolute path, by "..", or by a link. It
// keeps only the text of the documents that the run does not need.
func (r *Reader) Below(dir, file string) ([]*yaml.RNode, error) {
	if isKustomization(filepath.Base(file)) {
		return nil, fmt.Errorf("read input %q: %w: name the files that it lists", file, errToBuild)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the working directory: %w", err)
	}
	data, err := regular.ReadIn(root, filepath.FromSlash(file))
	if err := errors.Join(err, root.Close()); err != nil {
		return nil, fmt.Errorf("read input %q, below the working directory %q: %w", file, dir, err)
	}
	return r.Parse(filepath.ToSlash(file), data)
}
