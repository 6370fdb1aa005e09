package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	gitignore "github.com/monochromegane/go-gitignore"

	"github.com/goldenarch/goldenarch/internal/regular"
)

const (
	ignoreFile  = ".krmignore"
	packageFile = "Kptfile" // a directory with this file is a kpt package
	maxIgnore   = 1 << 20   // walk compares each of its lines with each file
)

// ignores has the .krmignore files that apply in a directory: its own, and those of the
// directories above it, the outermost first. They have the syntax of .gitignore, and each
// is relative to its own directory.
type ignores []ignore

// ignore is one .krmignore file.
type ignore struct {
	drops gitignore.IgnoreMatcher
	keeps gitignore.IgnoreMatcher // the patterns of its lines with "!"
}

// below returns the patterns that apply in a directory: those of the directory above, and
// those of its own .krmignore. A package inside a package starts with no patterns (kyaml
// kio/ignorefilesmatcher.go): the patterns of the outer package do not apply there.
func (i ignores) below(dir string) (ignores, error) {
	if _, err := os.Stat(filepath.Join(dir, packageFile)); err == nil {
		i = nil
	}
	data, err := regular.ReadUpTo(filepath.Join(dir, ignoreFile), maxIgnore)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return i, nil
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", ignoreFile, err)
	}
	var keeps strings.Builder
	for line := range strings.Lines(string(data)) {
		if pattern, ok := strings.CutPrefix(strings.Trim(line, " "), "!"); ok {
			keeps.WriteString(pattern)
		}
	}
	own := ignore{
		drops: gitignore.NewGitIgnoreFromReader(dir, bytes.NewReader(data)),
		keeps: gitignore.NewGitIgnoreFromReader(dir, strings.NewReader(keeps.String())),
	}
	return append(slices.Clip(i), own), nil
}

// isFile says that a path is not a directory.
const isFile = false

// match reports whether a .krmignore excludes a path. The nearest .krmignore with a
// matching pattern decides, as with .gitignore.
func (i ignores) match(path string, isDir bool) bool {
	for _, nearest := range slices.Backward(i) {
		switch {
		case nearest.keeps.Match(path, isDir):
			return false
		case nearest.drops.Match(path, isDir):
			return true
		}
	}
	return false
}
