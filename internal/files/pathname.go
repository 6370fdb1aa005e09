package files

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

// IsDir reports whether a path is a directory, or a link to one.
func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
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

// Named returns a path as a user would write it who names a directory. The directory and the
// path are absolute and without links, which the name may have: then ".." behind the name is
// another directory than the one above.
func Named(name, dir, path string) string {
	below, err := filepath.Rel(dir, path)
	if err != nil {
		return path
	}
	out := filepath.Join(name, below)
	up := ""
	for rest := below; rest == ".." || strings.HasPrefix(rest, ".."+string(filepath.Separator)); {
		up, rest = filepath.Join(up, ".."), strings.TrimPrefix(rest[len(".."):], string(filepath.Separator))
	}
	if up == "" {
		return out
	}
	if above, err := Real(filepath.Join(name, up)); err == nil && above == filepath.Join(dir, up) {
		return out
	}
	if filepath.IsAbs(name) {
		return path
	}
	// A shell may have come to the working directory through a link, too.
	here, err := Real(".")
	working, failed := filepath.Abs(".")
	if out, outside := filepath.Rel(here, path); err == nil && failed == nil && outside == nil && (here == working || filepath.IsLocal(out)) {
		return out
	}
	return path
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
