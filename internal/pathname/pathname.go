// Package pathname says where a path leads: whether there is something, which directory it is
// without links, whether it is in another directory, and how a user at the working directory
// would write it.
package pathname

import (
	"os"
	"path/filepath"
	"strings"
)

// Exists reports whether there is something at a path.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Real returns a path, absolute and without links.
func Real(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

// Within reports whether a path is a directory or below it. It resolves no links.
func Within(path, dir string) bool {
	below, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(below)
}

// FromHere returns a path as seen from the working directory, for messages. A path far away
// stays as it is.
func FromHere(path string) string {
	here, err := filepath.Abs(".")
	if err != nil {
		return path
	}
	if below, err := filepath.Rel(here, path); err == nil && !strings.HasPrefix(below, "../../..") {
		return below
	}
	return path
}
