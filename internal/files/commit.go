package files

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// errNotRestored is the error of files that keep their new text after an error.
var errNotRestored = errors.New("goldenarch cannot restore the old text of these files, which may have their new one")

// Written is what a commit found beside the files that it wrote.
type Written struct {
	// Uncommitted are the files whose old text Git does not have, so that going back with Git
	// does not bring it back. There are none outside of repositories, or if Git cannot be asked.
	Uncommitted []string
	// Removed are temporary files that killed runs had left beside the files.
	Removed []string
}

// Commit writes all files, or none. After an error each file has its old text. Only if the old
// text cannot be restored, the error names the files that have their new one.
func (s ChangeSet) Commit(ctx context.Context) (Written, error) { return s.commit(ctx, nil) }

func (s ChangeSet) commit(ctx context.Context, faults Faults) (Written, error) {
	places := make([]location, len(s.targets))
	for i, t := range s.targets {
		places[i] = t.location
	}
	unlock, err := lock(places)
	if err != nil {
		return Written{}, err
	}
	defer unlock()
	return s.commitLocked(ctx, faults)
}

// lock keeps other processes from committing in the trees of files, until unlock is called.
func lock(files []location) (unlock func(), err error) {
	var roots []string
	for _, p := range files {
		root := GitRoot(filepath.Dir(p.String()))
		roots = append(roots, cmp.Or(root, p.root))
	}
	var locks []func()
	unlock = func() {
		for _, release := range locks {
			release()
		}
	}
	for _, root := range slices.Compact(slices.Sorted(slices.Values(roots))) { // all processes lock in one order
		release, err := LockDir(root)
		if err != nil {
			unlock()
			return nil, err
		}
		locks = append(locks, release)
	}
	return unlock, nil
}

func (s ChangeSet) commitLocked(ctx context.Context, faults Faults) (Written, error) {
	if len(s.targets) == 0 {
		return Written{}, nil
	}
	c := commit{targets: slices.Clone(s.targets), faults: faults}
	written := c.askGit(ctx)
	if err := c.stage(); err != nil {
		return Written{}, errors.Join(err, c.removeTemporaries())
	}
	err := c.replace()
	if err == nil {
		return written, nil
	}
	err = errors.Join(err, c.removeTemporaries()) // first: a full disk needs the space for the old texts
	if left := c.restore(); len(left) > 0 {
		err = errors.Join(err, fmt.Errorf("%w: %s", errNotRestored, strings.Join(left, ", ")))
	}
	return Written{}, err
}

// commit is the writing of a set.
type commit struct {
	targets []target
	faults  Faults
}

// each calls a function for each file, with the directory of the file.
func (c *commit) each(do func(t *target, dir *Dir, name string) error) error {
	for i := range c.targets {
		t := &c.targets[i]
		if err := t.with(c.faults, func(dir *Dir, name string) error { return do(t, dir, name) }); err != nil {
			return &ConflictError{nameOf(t.Change, t.location), err}
		}
	}
	return nil
}

// askGit finds the files whose old text Git does not have, and removes what killed runs left
// beside the files, unless Git tracks it. What it cannot find out or remove stands in nobody's
// way. No other process commits meanwhile, so a temporary file of these names is nobody's.
func (c *commit) askGit(ctx context.Context) Written {
	var out Written
	var ask []string
	leftovers := map[string][]string{}
	_ = c.each(func(t *target, dir *Dir, name string) error {
		ask = append(ask, t.String())
		for _, left := range dir.Leftovers(name) {
			leftovers[t.String()] = append(leftovers[t.String()], left)
			ask = append(ask, filepath.Join(filepath.Dir(t.String()), left))
		}
		return nil
	})
	known := indexed(ctx, ask)
	_ = c.each(func(t *target, dir *Dir, _ string) error {
		if of := known[t.String()]; t.Before != nil && of.repository && of.known && !of.has(t.Before) {
			out.Uncommitted = append(out.Uncommitted, nameOf(t.Change, t.location))
		}
		for _, left := range leftovers[t.String()] {
			path := filepath.Join(filepath.Dir(t.String()), left)
			if of := known[path]; of.known && of.text == nil && dir.Remove(left) == nil {
				out.Removed = append(out.Removed, path)
			}
		}
		return nil
	})
	return out
}

// inIndex is what Git's index has of a file.
type inIndex struct {
	repository bool   // the file is in a work tree
	known      bool   // there is no repository, or Git has answered
	text       []byte // nil if Git does not track the file
}

// indexed returns what Git has of files, by their paths.
func indexed(ctx context.Context, paths []string) map[string]inIndex {
	out, byTop := map[string]inIndex{}, map[string][]string{}
	for _, path := range paths {
		if top := GitRoot(filepath.Dir(path)); top != "" {
			byTop[top] = append(byTop[top], path)
		} else {
			out[path] = inIndex{known: true}
		}
	}
	for top, of := range byTop {
		texts, err := indexTexts(ctx, top, of)
		for _, path := range of {
			out[path] = inIndex{repository: true, known: err == nil, text: texts[path]}
		}
	}
	return out
}

// has reports whether Git has a text, which may have other line ends in a checkout.
func (i inIndex) has(text []byte) bool {
	return same(i.text, text) || same(i.text, bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
}

// stage writes the new texts to temporary files.
func (c *commit) stage() error {
	return c.each(func(t *target, dir *Dir, name string) error {
		if err := t.check(dir, name); err != nil || t.After == nil { // another process may have written it since
			return err
		}
		var err error
		t.staged, err = dir.Stage(name, t.After, UsualMode)
		return err
	})
}

// replace gives the files their new texts.
func (c *commit) replace() error {
	err := c.each(func(t *target, dir *Dir, name string) error {
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
	return c.each(func(t *target, dir *Dir, _ string) error {
		at := filepath.Dir(t.String())
		if synced[at] {
			return nil
		}
		synced[at] = true
		return dir.Sync()
	})
}

// restore puts the old texts back. It returns the files for which it cannot.
func (c *commit) restore() []string {
	var left []string
	for _, t := range c.targets {
		err := t.with(c.faults, func(dir *Dir, name string) error {
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
			return dir.Write(name, t.Before, t.mode.Perm())
		})
		if err != nil {
			left = append(left, nameOf(t.Change, t.location))
		}
	}
	_ = c.sync()
	return left
}

// removeTemporaries removes the temporary files that are left.
func (c *commit) removeTemporaries() error {
	var errs []error
	for _, t := range c.targets {
		if t.staged == "" {
			continue
		}
		errs = append(errs, t.with(nil, func(dir *Dir, _ string) error {
			if _, err := dir.Lstat(t.staged); err != nil {
				return nil //nolint:nilerr // it is the file now
			}
			return dir.Remove(t.staged)
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
	location

	mode fs.FileMode // of the old file
	// staged is the temporary file with the new text.
	staged string
}

// text returns the text of a file, nil if there is none.
func text(dir *Dir, name string) ([]byte, fs.FileInfo, error) {
	info, err := dir.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	case !info.Mode().IsRegular():
		return nil, nil, ErrNotRegular
	}
	now, err := dir.Read(name)
	return now, info, err
}

// same reports whether two texts are equal. No file and an empty one are not.
func same(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

// check fails unless a file still has its old text and can be replaced.
func (t *target) check(dir *Dir, name string) error {
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
	t.mode = info.Mode()
	return nil
}

// ChangeSet is a set of files that can be written.
type ChangeSet struct{ targets []target }

// names returns the names of files, for messages.
func nameOf(c Change, p location) string { return cmp.Or(c.Name, p.String()) }
