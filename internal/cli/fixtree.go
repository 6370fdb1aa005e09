package cli

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/goldenarch/goldenarch/internal/fileset"
)

// treeOf returns the directory that contains everything that a run reads or writes. It
// is the Git repository, or else the nearest directory above the paths and the changed
// files. It contains the journal.
func treeOf(paths []string, changes []fileset.Change) (string, error) {
	var common string
	for _, change := range changes {
		paths = append(slices.Clip(paths), change.Name)
	}
	for i, path := range paths {
		dir, err := dirOf(path)
		if err != nil {
			return "", err
		}
		if i == 0 {
			common = dir
		}
		for !isAt(dir, common) {
			common = filepath.Dir(common)
		}
	}
	if root := gitRoot(common); root != "" {
		return root, nil
	}
	return common, nil
}

// isAt reports whether a directory is the root or below it.
func isAt(dir, root string) bool {
	below, err := filepath.Rel(root, dir)
	return err == nil && (below == "." || filepath.IsLocal(below))
}

// dirOf returns the absolute directory that a path names, or that contains its file.
func dirOf(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return path, nil
	}
	return filepath.Dir(path), nil
}

// gitRoot returns the root of the Git repository that contains a directory, or "".
func gitRoot(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		above := filepath.Dir(dir)
		if above == dir {
			return ""
		}
		dir = above
	}
}

// treesAround returns the directories that may contain the journal of a run on these
// paths: their directories, and all above them.
func treesAround(paths []string) []string {
	var out []string
	for _, path := range paths {
		dir, err := dirOf(path)
		for err == nil && !slices.Contains(out, dir) {
			out = append(out, dir)
			dir = filepath.Dir(dir)
		}
	}
	return out
}
