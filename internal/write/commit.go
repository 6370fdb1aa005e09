package write

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/goldenarch/goldenarch/internal/durable"
)

// The errors of a run that writes several files.
var (
	ErrPending = errors.New("an earlier run was interrupted: run goldenarch fix, which finishes it, or goldenarch fix --abort, which undoes it")
	ErrNoPlace = errors.New("goldenarch keeps the texts of several files in a private journal while it writes them, and there is no place for it")
	// errNotRolledBack is the error of files that keep their new text after an error.
	errNotRolledBack = errors.New("goldenarch cannot put back the old text of these files, which may have their new one")
)

// Commit writes all files, or none. After an error each file has its old text. Only if the
// old text cannot be put back, the error is [errNotRolledBack] with the names of the files,
// and of several files the journal stays.
func (s Set) Commit() error { return s.commit(nil) }

func (s Set) commit(faults durable.Faults) error {
	if len(s.targets) == 0 {
		return nil
	}
	var dirs []string
	for _, t := range s.targets {
		dirs = append(dirs, filepath.Dir(t.String()))
	}
	if around := s.tree.pendingAround(dirs); len(around) > 0 {
		return fmt.Errorf("%w (%s, of a run in %s)", ErrPending, around[0].Journal, around[0].Root)
	}
	j, err := s.tree.lockJournal(len(s.targets) > 1, slices.ContainsFunc(s.targets, func(t target) bool { return t.outside }), faults)
	if err != nil {
		return err
	}
	defer j.close()
	c := commit{targets: slices.Clone(s.targets), journal: j, faults: faults}
	return c.run(s.tree)
}

// commit is the writing of a set.
type commit struct {
	targets []target
	journal *openJournal // without a directory for one file
	faults  durable.Faults
}

func (c *commit) run(tree Tree) error {
	if err := c.stage(); err != nil {
		return errors.Join(err, c.removeTemporaries())
	}
	several := len(c.targets) > 1
	if several {
		if err := c.journal.write(tree, c.targets); err != nil {
			return errors.Join(fmt.Errorf("write the journal %s: %w", c.journal.place, err), c.removeTemporaries())
		}
	}
	err := c.replace()
	if err == nil {
		_ = c.removeTemporaries() // before the journal, which lets the next run remove what stays
		if !several {
			return nil
		}
		if err = c.journal.remove(); err == nil {
			return nil
		}
		err = fmt.Errorf("remove the journal %s: %w", c.journal.place, err)
	}
	if left := c.rollBack(); len(left) > 0 {
		err = errors.Join(err, fmt.Errorf("%w: %s", errNotRolledBack, strings.Join(left, ", ")))
		if several {
			return fmt.Errorf("%w; run goldenarch fix --abort to undo, or goldenarch fix to finish", err)
		}
		return errors.Join(err, c.removeTemporaries())
	}
	err = errors.Join(err, c.removeTemporaries())
	if several {
		err = errors.Join(err, c.journal.remove())
	}
	return err
}

// each calls a function for each file, with the directory of the file.
func (c *commit) each(do func(t *target, dir *durable.Dir, name string) error) error {
	for i := range c.targets {
		t := &c.targets[i]
		if err := t.with(c.faults, func(dir *durable.Dir, name string) error { return do(t, dir, name) }); err != nil {
			return &ConflictError{nameOf(t.Change, t.place), err}
		}
	}
	return nil
}

// stage writes all temporary files: those with the new texts, and those with the old ones.
func (c *commit) stage() error {
	return c.each(func(t *target, dir *durable.Dir, name string) error {
		if err := t.check(dir, name); err != nil { // another process may have written it since
			return err
		}
		dir.RemoveLeftovers(name, c.journal.leftoverAge())
		var err error
		if t.After != nil {
			if t.staged, err = dir.Stage(name, t.After, durable.Usual); err != nil {
				return err
			}
		}
		if t.Before != nil && len(c.targets) > 1 {
			t.backup, err = dir.StageCopy(name, t.Before)
		}
		return err
	})
}

// replace gives the files their new texts.
func (c *commit) replace() error {
	err := c.each(func(t *target, dir *durable.Dir, name string) error {
		if err := t.check(dir, name); err != nil {
			return err
		}
		if t.After == nil {
			return dir.Remove(name)
		}
		return dir.Rename(t.staged, name)
	})
	if err != nil {
		return err
	}
	return c.sync()
}

// sync flushes the directories of the files.
func (c *commit) sync() error {
	synced := map[string]bool{}
	return c.each(func(t *target, dir *durable.Dir, _ string) error {
		at := filepath.Dir(t.String())
		if synced[at] {
			return nil
		}
		synced[at] = true
		return dir.Sync()
	})
}

// rollBack puts the old texts back. It returns the files for which it cannot.
func (c *commit) rollBack() []string {
	var left []string
	for i := range c.targets {
		t := &c.targets[i]
		err := t.with(c.faults, func(dir *durable.Dir, name string) error {
			now, _, err := text(dir, name)
			switch {
			case err != nil:
				return err
			case same(now, t.Before):
				return nil
			case !same(now, t.After):
				return ErrChanged
			case t.Before == nil:
				return dir.Remove(name)
			}
			backup := t.backup
			if _, err := dir.Lstat(backup); backup == "" || err != nil {
				if backup, err = dir.Stage(name, t.Before, t.mode.Perm()); err != nil {
					return err
				}
			}
			return dir.Rename(backup, name)
		})
		if err != nil {
			left = append(left, nameOf(t.Change, t.place))
		}
	}
	_ = c.sync() // before the journal goes: if that cannot be, the old texts are back all the same
	return left
}

// removeTemporaries removes the temporary files that are left.
func (c *commit) removeTemporaries() error {
	var errs []error
	for _, t := range c.targets {
		if t.staged == "" && t.backup == "" {
			continue
		}
		errs = append(errs, t.with(nil, func(dir *durable.Dir, _ string) error {
			var errs []error
			for _, temporary := range []string{t.staged, t.backup} {
				if _, err := dir.Lstat(temporary); temporary != "" && err == nil {
					errs = append(errs, dir.Remove(temporary))
				}
			}
			return errors.Join(errs...)
		}))
	}
	return errors.Join(errs...)
}

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
	errHardLink   = errors.New("the file has several names (hard links), and a new file would separate them: replace the links by symbolic links or copies")
	errLeads      = errors.New("the link leads out of the tree: name the file that it leads to")
	errOutside    = errors.New("the file is not in the tree")
	errBrokenLink = errors.New("it is a broken link")
	errGit        = errors.New("goldenarch writes nothing into Git's own directory (.git), whose files name programs that Git runs")
	errNotOwner   = errors.New("the file belongs to somebody else, and only its owner can keep it so: run goldenarch as that user")
	errNotFile    = errors.New("it is not a regular file")
	errSame       = errors.New("two of the files are the same one: name it once")
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

// text returns the text of a file, nil if there is none.
func text(dir *durable.Dir, name string) ([]byte, fs.FileInfo, error) {
	info, err := dir.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	case !info.Mode().IsRegular():
		return nil, nil, errNotFile
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

// Set is a set of files that can be written.
type Set struct {
	tree    Tree
	targets []target
}

// names returns the names of files, for messages.
func nameOf(c Change, p place) string { return cmp.Or(c.Name, p.String()) }
