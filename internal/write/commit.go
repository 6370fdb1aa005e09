package write

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/durable"
)

// The errors of a run that writes several files.
var (
	ErrPending = errors.New("an earlier run was interrupted: run goldenarch fix, which finishes it, or goldenarch fix --abort, which undoes it")
	ErrNoPlace = errors.New("goldenarch keeps the texts of several files in a private journal while it writes them, and there is no place for it")
	// ErrNotRolledBack is the error of files that keep their new text after an error.
	ErrNotRolledBack = errors.New("goldenarch cannot put back the old text of these files, which may have their new one")
)

// Commit writes all files, or none. After an error each file has its old text. Only if the
// old text cannot be put back, the error is [ErrNotRolledBack] with the names of the files,
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
		err = errors.Join(err, fmt.Errorf("%w: %s", ErrNotRolledBack, strings.Join(left, ", ")))
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
	synced := map[string]bool{}
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
