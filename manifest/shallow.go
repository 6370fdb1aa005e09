package manifest

import (
	"fmt"
	"os"
	"path/filepath"
)

// FilesIn lists the manifests of a directory that [ReadPaths] would read, in
// lexical order and without those of the directories in it.
func FilesIn(dir string) ([]string, error) {
	ignored, err := ignores(nil).below(dir)
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
		if !entry.IsDir() && isManifest(name) && !isKustomization(name) && !ignored.match(path, false) {
			out = append(out, path)
		}
	}
	return out, nil
}
