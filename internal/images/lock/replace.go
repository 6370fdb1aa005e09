package lock

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/goldenarch/goldenarch/internal/durable"
	"github.com/goldenarch/goldenarch/internal/regular"
)

// ErrChanged is the error of a file that is not what it was when it was read.
var ErrChanged = errors.New("another program changed the file meanwhile: run the command again")

// Replace puts a new text in the place of a file that had the old one when it was
// read; nil: it was not there. Whatever happens on the way, a reader sees the old
// file or the new one, whole. What a process that was killed left beside it is
// removed by a later one.
//
// A link is followed: it is the file it leads to that is replaced. The error
// names the file.
func Replace(name string, old, text []byte) error {
	return replacer{disk: durable.System{}}.replace(name, old, text)
}

// Update reads a file, has it edited, and replaces it with what edit returns, while
// no other process that updates it can: of several that add something at once, none
// is lost. The text is nil if the file is not there. An edit that returns nil, or
// the text that is there, changes nothing; its error is returned as it is.
func Update(name string, edit func(text []byte) ([]byte, error)) error {
	target := fileOf(name)
	unlock, err := durable.Lock(target)
	if err != nil {
		return fmt.Errorf("write the lock %s: %w", name, err)
	}
	defer unlock()
	now, err := regular.Read(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the lock: %w", err)
	}
	text, err := edit(now)
	if err != nil || text == nil || now != nil && bytes.Equal(now, text) {
		return err
	}
	return Replace(name, now, text)
}

// fileOf returns the file that a name leads to, links followed, or would be made at.
func fileOf(name string) string {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		return target
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
		return filepath.Join(dir, filepath.Base(name))
	}
	return name
}

// replacer replaces files on a disk, which a test may be.
type replacer struct {
	disk durable.Disk
}

func (r replacer) replace(name string, old, text []byte) error {
	target, mode, err := unchanged(name, old)
	if err != nil {
		return fmt.Errorf("write the lock %s: %w", name, err)
	}
	r.removeLeftovers(target)
	switch err := durable.Write(r.disk, target, temporary(target), mode, text); {
	case errors.Is(err, durable.ErrMayNotLast):
		return fmt.Errorf("write the lock %s: %w", name, err)
	case err != nil:
		return fmt.Errorf("write the lock %s: %w; the file is as it was", name, err)
	}
	return nil
}

// unchanged returns the file that a name leads to, and its mode, if it still has
// the old text.
func unchanged(name string, old []byte) (string, fs.FileMode, error) {
	target, err := filepath.EvalSymlinks(name)
	if errors.Is(err, fs.ErrNotExist) {
		if old != nil {
			return "", 0, ErrChanged
		}
		if _, err := os.Lstat(name); err == nil { //nolint:gosec // the user names the file
			return "", 0, errors.New("it is a broken link")
		}
		return name, 0o644, nil
	}
	if err != nil {
		return "", 0, err
	}
	info, err := os.Stat(target) //nolint:gosec // the user names the file
	if err != nil {
		return "", 0, err
	}
	now, err := regular.Read(target)
	if err != nil {
		return "", 0, err
	}
	if old == nil || !bytes.Equal(now, old) {
		return "", 0, ErrChanged
	}
	return target, info.Mode().Perm(), nil
}
