package fileset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/goldenarch/goldenarch/internal/durable"
	"github.com/goldenarch/goldenarch/internal/regular"
)

// journalFile is the name of a journal.
const journalFile = ".goldenarch-fix.json"

// JournalOf returns the path of the journal of a tree.
func JournalOf(tree string) string { return filepath.Join(tree, journalFile) }

// journal is the complete list of the texts to write.
type journal struct {
	Journal string  `json:"goldenarchJournal"`
	Files   []entry `json:"files"`
}

// version is the version of the journal's format.
const version = "v1"

// entry is a file of a journal. A null text means that the file does not exist.
type entry struct {
	Path   string `json:"path"` // relative to the journal
	Before []byte `json:"before"`
	After  []byte `json:"after"`
}

func writeJournal(disk durable.Disk, s Set) error {
	j := journal{Journal: version}
	root, err := realPath(s.tree)
	if err != nil {
		return err
	}
	for _, t := range s.targets {
		path, err := filepath.Rel(root, t.path)
		if err != nil || !filepath.IsLocal(path) {
			return errors.Join(ErrLeads, err)
		}
		j.Files = append(j.Files, entry{Path: filepath.ToSlash(path), Before: t.Before, After: t.After})
	}
	data, err := json.Marshal(j)
	if err != nil {
		return err
	}
	const private = 0o600 // the files may be private too
	return durable.Write(disk, JournalOf(s.tree), temporary(journalFile), private, data)
}

func realPath(dir string) (string, error) {
	path, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

// Interrupted reports whether a run that wrote files of a tree was interrupted.
func Interrupted(tree string) bool {
	_, err := os.Lstat(JournalOf(tree))
	return err == nil
}

// RemoveLock removes the lock file that a run left behind if it was killed when all of its
// files were written. A lock file that another process uses stays.
func RemoveLock(tree string) {
	name := JournalOf(tree)
	if _, err := os.Lstat(durable.LockName(name)); err != nil {
		return
	}
	if unlock, err := durable.Lock(name); err == nil {
		unlock()
	}
}

// Recover finishes what an interrupted run began. It returns the files that it wrote. It
// also returns the files that another program has changed since, which it leaves unchanged.
func Recover(tree string) (written, left []string, err error) { return finish(durable.System{}, tree) }

func finish(disk durable.Disk, tree string) (written, left []string, err error) {
	name := JournalOf(tree)
	if !Interrupted(tree) {
		return nil, nil, nil
	}
	unlock, err := durable.Lock(name)
	if err != nil {
		return nil, nil, err
	}
	defer unlock()
	data, err := regular.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil // another process finished the run
	}
	var j journal
	if err == nil && (json.Unmarshal(data, &j) != nil || j.Journal != version) {
		err = errNotWhole
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read the journal %s: %w", name, err)
	}
	for _, e := range j.Files {
		done, is, err := e.finish(disk, tree)
		switch {
		case err != nil:
			return written, left, fmt.Errorf("finish %s: %w", e.Path, err)
		case !is:
			left = append(left, filepath.Join(tree, e.Path))
		case done:
			written = append(written, filepath.Join(tree, e.Path))
		}
	}
	removeLeftovers(name)
	return written, left, disk.Remove(name)
}

// finish writes a file that still has its old text. done reports whether finish wrote it,
// and known whether the file has one of the two texts.
func (e entry) finish(disk durable.Disk, tree string) (done, known bool, err error) {
	t := target{Change: Change{Name: e.Path, Before: e.Before, After: e.After}, path: filepath.Join(tree, filepath.FromSlash(e.Path)), mode: newFile}
	// Anybody may have put the journal into the tree, so it must not name a file outside.
	if dir, err := realPath(filepath.Dir(t.path)); err != nil || !filepath.IsLocal(filepath.FromSlash(e.Path)) || !isBelow(tree, filepath.Join(dir, "file")) {
		return false, false, errors.Join(errNotWhole, err)
	}
	info, err := os.Lstat(t.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if e.After == nil {
			return false, true, nil
		}
		if e.Before != nil {
			return false, false, nil // another program removed the file
		}
		return true, true, t.write(disk)
	case err != nil:
		return false, false, err
	case !info.Mode().IsRegular():
		return false, false, nil
	}
	t.mode = info.Mode()
	now, err := regular.Read(t.path)
	switch {
	case err != nil:
		return false, false, err
	case e.After != nil && bytes.Equal(now, e.After):
		removeLeftovers(t.path)
		return false, true, nil
	case e.Before == nil || !bytes.Equal(now, e.Before):
		return false, false, nil
	}
	return true, true, t.write(disk)
}
