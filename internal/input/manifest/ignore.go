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

// IgnoreFrom returns the directory whose .krmignore counts in a directory, "" for none. The
// operator passes it for a tree whose own files must hide nothing. If it is nil, the
// .krmignore of the directory itself counts.
type IgnoreFrom func(dir string) string

// fileFor returns the .krmignore that counts in a directory, "" for none.
func (from IgnoreFrom) fileFor(dir string) string {
	if from != nil {
		if dir = from(dir); dir == "" {
			return ""
		}
	}
	return filepath.Join(dir, ignoreFile)
}

// below returns the patterns that apply in a directory: those of the directory above, and
// those of its own .krmignore. A package inside a package starts with no patterns (kyaml
// kio/ignorefilesmatcher.go): the patterns of the outer package do not apply there.
func (i ignores) below(dir string, from IgnoreFrom) (ignores, error) {
	if _, err := os.Stat(filepath.Join(dir, packageFile)); err == nil {
		i = nil
	}
	file := from.fileFor(dir)
	if file == "" {
		return i, nil
	}
	data, err := regular.ReadUpTo(file, maxIgnore)
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
