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

// ErrChanged is the error of a file that another program changed after goldenarch read it.
var ErrChanged = errors.New("another program changed the file meanwhile: run the command again")

// Replace writes a new text to a file. old is the text that the caller read; nil means that
// the file did not exist. In any failure a reader sees the complete old file or the
// complete new one. A later run removes the temporary file of a process that was killed.
//
// Replace follows a link, and replaces the file that it leads to. The error names the file.
func Replace(name string, old, text []byte) error {
	return replacer{disk: durable.System{}}.replace(name, old, text)
}

// Update reads a file, calls edit, and replaces the file with the text that edit returns.
// Meanwhile no other process can update it, so that none of several simultaneous additions
// is lost. The text is nil if the file does not exist. If edit returns nil, or the same
// text, Update changes nothing. Update returns the error of edit unchanged.
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

// fileOf returns the file that a name leads to, after links. The file need not exist.
func fileOf(name string) string {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		return target
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
		return filepath.Join(dir, filepath.Base(name))
	}
	return name
}

// replacer replaces files on a disk. Tests use their own disk.
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

// unchanged returns the file that a name leads to, and its mode, if it still has the old
// text.
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
