package write

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"time"

	"github.com/goldenarch/goldenarch/internal/durable"
	"github.com/goldenarch/goldenarch/internal/regular"
)

// journal is the complete list of the texts to write.
type journal struct {
	Journal string  `json:"goldenarchJournal"`
	Root    string  `json:"root"` // of the tree, without links
	Files   []entry `json:"files"`
}

// journalVersion is the version of the journal's format.
const journalVersion = "v2"

// entry is a file of a journal. A null text means that the file does not exist.
type entry struct {
	Root     string      `json:"root,omitempty"` // of a file that the operator named for output; else the tree has it
	Path     string      `json:"path"`
	Before   []byte      `json:"before"`
	After    []byte      `json:"after"`
	Mode     fs.FileMode `json:"mode,omitempty"`
	Modified time.Time   `json:"modified,omitzero"` // the old file
}

// errJournal is the error of a journal that goldenarch does not obey.
var errJournal = errors.New("goldenarch does not use this journal")

// openJournal is a place for a journal that this process has locked.
type openJournal struct {
	place  journalPlace
	dir    *durable.Dir // nil if there is no place, and none is needed
	unlock func()
}

// lockJournal locks the first place that can be written. A set of one file needs no
// journal, so that any error leaves it without a lock. The journal of files out of the tree
// is in the user's state directory.
func (t Tree) lockJournal(needed, outside bool, faults durable.Faults) (*openJournal, error) {
	for _, p := range t.places() {
		if p.exists() {
			return nil, fmt.Errorf("%w (%s)", ErrPending, p)
		}
	}
	var failed []error
	for _, p := range t.places() {
		if outside && !p.state || !needed && p.state {
			continue // one file is not worth a directory in the user's home
		}
		j, err := p.lock(faults)
		switch {
		case err == nil && p.exists(): // another process was interrupted while this one waited
			j.close()
			return nil, fmt.Errorf("%w (%s)", ErrPending, p)
		case err == nil:
			return j, nil
		case errors.Is(err, durable.ErrBusy):
			return nil, err
		}
		failed = append(failed, fmt.Errorf("%s: %w", p.dir, err))
	}
	if !needed {
		return &openJournal{unlock: func() {}}, nil
	}
	if len(failed) == 0 {
		failed = append(failed, errNoState)
	}
	return nil, fmt.Errorf("%w, so no file was changed: %w", ErrNoPlace, errors.Join(failed...))
}

func (p journalPlace) lock(faults durable.Faults) (*openJournal, error) {
	dir, err := p.open(faults)
	if err != nil {
		return nil, err
	}
	unlock, err := durable.Lock(p.String())
	if err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	return &openJournal{place: p, dir: dir, unlock: unlock}, nil
}

func (j *openJournal) close() {
	j.unlock()
	if j.dir != nil {
		_ = j.dir.Close() // it was only read
	}
}

// leftoverAge returns the age of the temporary files that no other process writes.
func (j *openJournal) leftoverAge() time.Duration {
	if j.dir != nil {
		return 0
	}
	return time.Minute
}

func (j *openJournal) write(tree Tree, targets []target) error {
	out := journal{Journal: journalVersion, Root: tree.real}
	for _, t := range targets {
		e := entry{Path: filepath.ToSlash(t.path), Before: t.Before, After: t.After, Mode: t.mode.Perm(), Modified: t.modified}
		if t.outside {
			e.Root = t.root
		}
		out.Files = append(out.Files, e)
	}
	data, err := json.Marshal(out)
	if err != nil {
		return err
	}
	j.dir.RemoveLeftovers(j.place.name, 0) // from a process that was killed before its journal was complete
	if err := j.dir.Write(j.place.name, data, durable.Private); err != nil {
		return err
	}
	if err := j.dir.Sync(); err != nil {
		return errors.Join(err, j.dir.Remove(j.place.name))
	}
	return nil
}

func (j *openJournal) remove() error { return j.dir.Remove(j.place.name) }

// Pending returns the journal of an interrupted run, "" if there is none. The error says
// that goldenarch does not obey it, and why.
func (t Tree) Pending() (string, error) {
	for _, p := range t.places() {
		if p.exists() {
			_, err := t.read(p)
			return p.String(), err
		}
	}
	return "", nil
}

// Interrupted is a run that was interrupted in another tree.
type Interrupted struct{ Root, Journal string }

// PendingAround returns the interrupted runs of other trees that may have written the
// paths: a submodule is part of another work tree, and a directory without Git may have
// been part of the one of another run. Other repositories below the paths count, too. No
// path stands for the root.
func (t Tree) PendingAround(paths []string) []Interrupted {
	dirs := []string{t.real}
	for _, path := range paths {
		dir := withoutLinks(t.absolute(path)[0])
		dirs = append(append(dirs, dir), repositoriesBelow(dir)...)
	}
	return t.pendingAround(dirs)
}

// repositoriesBelow returns the tops of Git work trees below a directory. It follows no link.
func repositoriesBelow(dir string) []string {
	var out []string
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // reading the path reports it
		case d.Name() == ".git" && path != dir:
			if out = append(out, filepath.Dir(path)); d.IsDir() {
				return fs.SkipDir
			}
		}
		return nil
	})
	return out
}

// pendingAround has only journals that goldenarch would obey there: above the tree, other
// users may have put anything.
func (t Tree) pendingAround(dirs []string) []Interrupted {
	var out []Interrupted
	seen := map[string]bool{t.real: true}
	for _, dir := range dirs {
		for at := dir; ; at = filepath.Dir(at) {
			other := Tree{typed: at, real: at, here: t.here}
			if !seen[at] {
				if journal, err := other.Pending(); err == nil && journal != "" {
					out = append(out, Interrupted{Root: at, Journal: journal})
				}
			}
			if seen[at] = true; at == filepath.Dir(at) {
				break
			}
		}
	}
	return out
}

// read reads a journal, and checks that goldenarch wrote it for this tree as this user.
func (t Tree) read(p journalPlace) (journal, error) {
	var j journal
	fail := func(err error) (journal, error) { return journal{}, fmt.Errorf("%w: %w", errJournal, err) }
	if p.refused != nil {
		return fail(p.refused)
	}
	data, err := regular.ReadChecked(p.String(), math.MaxInt64-1, func(info fs.FileInfo) error {
		switch {
		case !info.Mode().IsRegular():
			return errNotFile
		case !t.isOurs(info):
			return errors.New("it belongs to another user")
		case !isPrivate(info):
			return errors.New("other users can read it, or it has several names, so goldenarch did not write it")
		}
		return nil
	})
	if err != nil {
		return fail(err)
	}
	if json.Unmarshal(data, &j) != nil || j.Journal != journalVersion {
		return fail(errors.New("it is not a journal of this version of goldenarch"))
	}
	if j.Root != t.real {
		return fail(fmt.Errorf("it is for another directory, %q", j.Root))
	}
	for _, e := range j.Files {
		if _, err := e.place(t, p); err != nil {
			return fail(fmt.Errorf("%q: %w", e.Path, err))
		}
	}
	return j, nil
}

// place returns where the file of an entry is.
func (e entry) place(t Tree, p journalPlace) (place, error) {
	path := filepath.FromSlash(e.Path)
	out := place{root: t.real, path: path, outside: e.Root != ""}
	if out.outside {
		out.root = e.Root
	}
	switch {
	case !filepath.IsLocal(path) || path == ".":
		return out, errOutside
	case out.outside && (!p.state || !filepath.IsAbs(e.Root)):
		return out, errOutside
	case inGit(path), out.outside && inGit(out.root):
		return out, errGit
	}
	return out, nil
}

// Recovered are the files of an interrupted run: those that goldenarch wrote, and those
// that somebody has changed since, which it left as they are.
type Recovered struct {
	Journal       string
	Written, Left []string
}

// Recover finishes what an interrupted run began.
func (t Tree) Recover() (Recovered, error) { return t.recover(true) }

// Abort undoes what an interrupted run began.
func (t Tree) Abort() (Recovered, error) { return t.recover(false) }

func (t Tree) recover(finish bool) (Recovered, error) {
	var out Recovered
	for _, p := range t.places() {
		if !p.exists() {
			continue
		}
		if _, err := t.read(p); err != nil {
			return out, fmt.Errorf("%s: %w", p, err)
		}
		open, err := p.lock(nil)
		if err != nil {
			return out, fmt.Errorf("%s: %w", p, err)
		}
		err = t.recoverFrom(open, finish, &out)
		open.close()
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

func (t Tree) recoverFrom(open *openJournal, finish bool, out *Recovered) error {
	if !open.place.exists() {
		return nil // another process finished the run
	}
	j, err := t.read(open.place)
	if err != nil {
		return fmt.Errorf("%s: %w", open.place, err)
	}
	out.Journal = open.place.String()
	for _, e := range j.Files {
		p, err := e.place(t, open.place)
		if err != nil {
			return err
		}
		shown := p.String()
		if !p.outside {
			shown = filepath.Join(t.typed, p.path)
		}
		done, known := false, false
		err = p.with(nil, func(dir *durable.Dir, name string) error {
			done, known, err = e.recover(dir, name, finish)
			dir.RemoveLeftovers(name, 0)
			return err
		})
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, errNotFile), errors.Is(err, durable.ErrReplaced):
			out.Left = append(out.Left, shown) // somebody has moved it or its directory
		case err != nil:
			return &ConflictError{shown, err}
		case !known:
			out.Left = append(out.Left, shown)
		case done:
			out.Written = append(out.Written, shown)
		}
	}
	return open.remove()
}

// recover writes the text that a file is to have, if it has the other one. done reports
// whether it wrote it, and known whether the file has one of the two texts. An old text
// that somebody has put back has another time.
func (e entry) recover(dir *durable.Dir, name string, finish bool) (done, known bool, err error) {
	from, to := e.Before, e.After
	if !finish {
		from, to = to, from
	}
	now, info, err := text(dir, name)
	switch {
	case err != nil:
		return false, false, err
	case same(now, to):
		return false, true, nil
	case !same(now, from):
		return false, false, nil
	case finish && info != nil && !info.ModTime().Equal(e.Modified):
		return false, false, nil
	}
	if info != nil {
		if err := replaceable(info); err != nil {
			return false, false, err
		}
	}
	if to == nil {
		return true, true, dir.Remove(name)
	}
	mode := durable.Usual
	if !finish && e.Mode != 0 {
		mode = e.Mode
	}
	if err := dir.Write(name, to, mode); err != nil {
		return false, false, err
	}
	return true, true, dir.Sync()
}
