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
	packageFile = "Kptfile" // marks a directory as a package of kpt
	maxIgnore   = 1 << 20   // each of its lines is compared with each file
)

// ignores is what the .krmignore files of a directory and of those above it
// leave out, the outermost first. They are written as .gitignore, each relative
// to its own directory.
type ignores []ignore

// ignore is one .krmignore.
type ignore struct {
	drops gitignore.IgnoreMatcher
	keeps gitignore.IgnoreMatcher // what its lines with "!" name
}

// below returns what holds in a directory: what held above it, and what its own
// .krmignore adds. A package inside a package begins anew (kyaml
// kio/ignorefilesmatcher.go): patterns of the outer one do not reach into it.
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

// match reports whether a path is left out. The nearest .krmignore that names it
// decides, as with .gitignore.
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
