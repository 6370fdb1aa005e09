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

	"github.com/goldenarch/goldenarch/internal/files"
)

const (
	// IgnoreFile is the name of the file that says what of a directory is not read.
	IgnoreFile = ".krmignore"
	// PackageFile is the name of the file that makes a directory a package of kpt.
	PackageFile = "Kptfile"
	maxIgnore   = 1 << 20 // each of its lines is compared with each file
)

const (
	// maxLevels is how deep directories may be nested. The time for a path grows with its
	// depth, and a repository has ten levels, or twenty.
	maxLevels = 200
	// maxMatches is how often a run compares a path with a pattern of a .krmignore.
	maxMatches = 5_000_000
)

// Errors of a tree with which a run would not end in time.
var (
	errLevels  = fmt.Errorf("directories are nested more than %d levels deep", maxLevels)
	errMatches = fmt.Errorf("the patterns of %s, times the files that they are compared with, are more than %d: name directories in place of files",
		IgnoreFile, maxMatches)
)

// ignores has the .krmignore files that apply in a directory: its own, and those of the
// directories above it, the outermost first. They have the syntax of .gitignore, and each
// is relative to its own directory.
type ignores struct {
	files []ignore
	// own says that the .krmignore files are those of the tree itself.
	own bool
	// level is that of the directory below the root.
	level int
	// matches counts the comparisons of the whole tree.
	matches *int
}

// ignore is one .krmignore file.
type ignore struct {
	drops gitignore.IgnoreMatcher
	keeps gitignore.IgnoreMatcher // the patterns of its lines with "!"
	lines int
}

// newIgnores returns the patterns above the root of a tree: none.
func newIgnores() ignores { return ignores{matches: new(int)} }

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
	return filepath.Join(dir, IgnoreFile)
}

// below returns the patterns that apply in a directory: those of the directory above, and
// those of its own .krmignore. A package inside a package starts with no patterns (kyaml
// kio/ignorefilesmatcher.go): the patterns of the outer package do not apply there.
func (i ignores) below(dir string, from IgnoreFrom) (ignores, error) {
	i.own = from == nil
	if i.level++; i.level > maxLevels {
		return i, fmt.Errorf("%s: %w", dir, errLevels)
	}
	if _, err := os.Stat(filepath.Join(dir, PackageFile)); err == nil {
		i.files = nil
	}
	file := from.fileFor(dir)
	if file == "" {
		return i, nil
	}
	data, err := files.ReadUpTo(file, maxIgnore)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return i, nil
	case err != nil:
		return i, fmt.Errorf("read %s: %w", IgnoreFile, err)
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
		lines: bytes.Count(data, []byte("\n")) + 1,
	}
	i.files = append(slices.Clip(i.files), own)
	return i, nil
}

// isFile says that a path is not a directory.
const isFile = false

// match reports whether a .krmignore excludes a path. The nearest .krmignore with a
// matching pattern decides, as with .gitignore. See also [ignores.exhausted]. Without a pattern,
// the modules that Go has copied are excluded: their manifests are test data of other projects.
func (i ignores) match(path string, isDir bool) bool {
	for _, nearest := range slices.Backward(i.files) {
		if *i.matches += nearest.lines; *i.matches > maxMatches {
			return false
		}
		switch {
		case nearest.keeps.Match(path, isDir):
			return false
		case nearest.drops.Match(path, isDir):
			return true
		}
	}
	return isDir && i.own && isVendor(path)
}

// isVendor reports whether "go mod vendor" has written a directory (go help vendor).
func isVendor(dir string) bool {
	if filepath.Base(dir) != "vendor" {
		return false
	}
	info, err := os.Stat(filepath.Join(dir, "modules.txt"))
	return err == nil && info.Mode().IsRegular()
}

// exhausted returns an error if there were too many comparisons, so that a match may be
// missing. It names a directory of the tree.
func (i ignores) exhausted(dir string) error {
	if *i.matches > maxMatches {
		return fmt.Errorf("%s: %w", dir, errMatches)
	}
	return nil
}
