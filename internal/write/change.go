package write

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/goldenarch/goldenarch/internal/durable"
)

// Change is a file with its text before and after. Before is nil for a new file, and After
// is nil for a file to remove.
type Change struct {
	Name          string
	Before, After []byte
	// Edits are what makes After of Before, in the order of the text. They are nil if nobody
	// knows them.
	Edits []Edit
}

// Edit replaces the bytes of a text between two offsets.
type Edit struct {
	From, To int
	Text     string
}

// The reasons why a file is not written.
var (
	ErrChanged    = errors.New("another process has changed the file since goldenarch read it: run it again")
	ErrHardLink   = errors.New("the file has several names (hard links), and a new file would separate them: replace the links by symbolic links or copies")
	ErrLeads      = errors.New("the link leads out of the tree: name the file that it leads to")
	ErrOutside    = errors.New("the file is not in the tree")
	ErrBrokenLink = errors.New("it is a broken link")
	ErrGit        = errors.New("goldenarch writes nothing into Git's own directory (.git), whose files name programs that Git runs")
	ErrNotOwner   = errors.New("the file belongs to somebody else, and only its owner can keep it so: run goldenarch as that user")
	ErrNotFile    = errors.New("it is not a regular file")
	ErrSame       = errors.New("two of the files are the same one: name it once")
)

// ConflictError is a file that cannot be written, and why.
type ConflictError struct {
	Name string
	Err  error
}

// Error implements error.
func (c *ConflictError) Error() string { return fmt.Sprintf("write %s: %v", c.Name, c.Err) }

// Unwrap returns the reason.
func (c *ConflictError) Unwrap() error { return c.Err }

// target is a file to write.
type target struct {
	Change
	place

	modified time.Time // of the old file
	mode     fs.FileMode
	// staged has the new text, and backup the old one, while they are written.
	staged, backup string
}

// in opens the directory of a file. It follows no link below the root.
func (p place) in(faults durable.Faults) (*durable.Dir, error) {
	root, err := durable.OpenDir(p.root, faults)
	if err != nil {
		return nil, err
	}
	dir, err := root.Below(filepath.Dir(p.path))
	return dir, errors.Join(err, root.Close())
}

// with calls a function with the directory of a file, and the name of the file in it.
func (p place) with(faults durable.Faults, do func(dir *durable.Dir, name string) error) error {
	dir, err := p.in(faults)
	if err != nil {
		return err
	}
	return errors.Join(do(dir, filepath.Base(p.path)), dir.Close())
}

// lock keeps other processes from updating a file, until unlock is called.
func (p place) lock() (unlock func(), err error) {
	dir, err := p.in(nil)
	if err != nil {
		return nil, err
	}
	release, err := dir.Lock(filepath.Base(p.path))
	if err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	return func() {
		release()
		_ = dir.Close() // it was only read
	}, nil
}

// text returns the text of a file, nil if there is none.
func text(dir *durable.Dir, name string) ([]byte, fs.FileInfo, error) {
	info, err := dir.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	case !info.Mode().IsRegular():
		return nil, nil, ErrNotFile
	}
	now, err := dir.Read(name)
	return now, info, err
}

// same reports whether two texts are equal. No file and an empty one are not.
func same(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

// check fails unless a file still has its old text and can be replaced.
func (t *target) check(dir *durable.Dir, name string) error {
	now, info, err := text(dir, name)
	switch {
	case err != nil:
		return err
	case now == nil && t.Before != nil:
		return fmt.Errorf("%w (it is gone: %w)", ErrChanged, fs.ErrNotExist)
	case info != nil && t.Before == nil:
		return ErrChanged
	case info == nil:
		return nil
	}
	if err := replaceable(info); err != nil {
		return err
	}
	if !same(now, t.Before) {
		return ErrChanged
	}
	t.modified, t.mode = info.ModTime(), info.Mode()
	return nil
}

// prepare checks one change.
func (t Tree) prepare(c Change) (target, error) {
	p, err := t.locate(c.Name)
	if err != nil {
		return target{}, err
	}
	out := target{Change: c, place: p}
	return out, p.with(nil, out.check)
}

// Set is a set of files that can be written.
type Set struct {
	tree    Tree
	targets []target
}

// Prepare checks all changes. It returns a conflict for each file that cannot be written.
func (t Tree) Prepare(changes []Change) (Set, []*ConflictError) {
	s := Set{tree: t}
	seen := map[string]string{}
	var conflicts []*ConflictError
	for _, c := range changes {
		one, err := t.prepare(c)
		if other, twice := seen[one.String()]; err == nil && twice {
			err = fmt.Errorf("%w (%s)", ErrSame, other)
		}
		if err != nil {
			conflicts = append(conflicts, &ConflictError{c.Name, err})
			continue
		}
		seen[one.String()] = c.Name
		s.targets = append(s.targets, one)
	}
	return s, conflicts
}

// Joined returns the conflicts as one error, nil for none.
func Joined(conflicts []*ConflictError) error {
	errs := make([]error, len(conflicts))
	for i, c := range conflicts {
		errs[i] = c
	}
	return errors.Join(errs...)
}

// names returns the names of files, for messages.
func nameOf(c Change, p place) string { return cmp.Or(c.Name, p.String()) }
