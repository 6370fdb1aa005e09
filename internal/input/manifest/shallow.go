package manifest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// FilesIn lists the manifests of a directory that [ReadPaths] would read, in lexical
// order. It skips the files in subdirectories, and links out of the directory.
func FilesIn(dir string) ([]string, error) {
	ignored, err := ignores(nil).below(dir, nil)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list the manifests: %w", err)
	}
	var out []string
	for _, entry := range entries {
		name, path := entry.Name(), filepath.Join(dir, entry.Name())
		if !entry.IsDir() && isManifest(name) && !isKustomization(name) && !ignored.match(path, isFile) {
			out = append(out, path)
		}
	}
	return slices.DeleteFunc(out, func(path string) bool { return leaves(dir, path) }), nil
}
