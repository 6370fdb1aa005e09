package fileset

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/goldenarch/goldenarch/internal/regular"
)

// Change is a file with its text before and after. Before is nil for a new file, and After
// is nil for a file to remove.
type Change struct {
	Name          string
	Before, After []byte
}

// The reasons why a file is not replaced.
var (
	ErrChanged   = errors.New("another process has changed the file since goldenarch read it: run it again")
	ErrHardLink  = errors.New("the file has several names (hard links), and a new file would separate them: replace the links by symbolic links or copies")
	ErrLeads     = errors.New("the link leads out of the tree: name the file that it leads to")
	ErrNotOwner  = errors.New("the file belongs to somebody else, and only its owner can keep it so: run goldenarch as that user")
	ErrDirectory = errors.New("it is not a regular file")
	ErrSame      = errors.New("two of the files are the same one: name it once")
)

// target is a file to replace.
type target struct {
	Change

	path string // with links resolved
	mode fs.FileMode
}

// newFile is the mode of a new file, the usual one of other programs.
const newFile = 0o644

// prepare checks one file. Links may only lead to files below the directory tree.
func prepare(tree string, c Change) (target, error) {
	t := target{Change: c, mode: newFile}
	path, err := filepath.Abs(c.Name)
	if err != nil {
		return t, err
	}
	if c.Before == nil {
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			return t, err
		}
		t.path = filepath.Join(dir, filepath.Base(path))
		if _, err := os.Lstat(t.path); !errors.Is(err, fs.ErrNotExist) {
			return t, errors.Join(ErrChanged, err)
		}
		return t, nil
	}
	if t.path, err = filepath.EvalSymlinks(path); err != nil {
		return t, err
	}
	info, err := os.Lstat(path)
	if err != nil {
		return t, err
	}
	if info.Mode()&fs.ModeSymlink != 0 && !isBelow(tree, t.path) {
		return t, ErrLeads
	}
	if info, err = os.Lstat(t.path); err != nil {
		return t, err
	}
	t.mode = info.Mode()
	if !t.mode.IsRegular() {
		return t, ErrDirectory
	}
	if err := replaceable(info); err != nil {
		return t, err
	}
	now, err := regular.Read(t.path)
	if err == nil && !bytes.Equal(now, c.Before) {
		err = ErrChanged
	}
	return t, err
}

// isBelow reports whether a path without links is below a directory.
func isBelow(tree, path string) bool {
	root, err := filepath.Abs(tree)
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		return false
	}
	below, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(below)
}

// Set is a set of files that can be replaced.
type Set struct {
	tree    string
	targets []target
}

// Prepare checks all files, and fails if one of them cannot be replaced. Links may lead to
// files below the tree, which also has the journal.
func Prepare(tree string, changes []Change) (Set, error) {
	s := Set{tree: tree}
	seen := map[string]string{}
	var failed []error
	for _, c := range changes {
		t, err := prepare(tree, c)
		if other, twice := seen[t.path]; err == nil && twice {
			err = fmt.Errorf("%w (%s)", ErrSame, other)
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("write %s: %w", c.Name, err))
			continue
		}
		seen[t.path] = c.Name
		s.targets = append(s.targets, t)
	}
	return s, errors.Join(failed...)
}
