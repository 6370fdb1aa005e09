package lock

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrChanged is the error of a file that is not what it was when it was read.
var ErrChanged = errors.New("the file was changed by somebody else meanwhile: run the command again")

// Replace puts a new text in the place of a file that had the old one when it was
// read; nil: it was not there. Whatever happens on the way, a reader sees the old
// file or the new one, whole. What a process that was killed left beside it is
// removed by a later one.
//
// A link is followed: it is the file it leads to that is replaced. The error
// names the file.
func Replace(name string, old, text []byte) error {
	return replacer{disk: system{}}.replace(name, old, text)
}

// replacer replaces files on a disk, which a test may be.
type replacer struct {
	disk disk
}

// disk is what is needed of a file system.
type disk interface {
	// Create makes a new file in a directory, of a name that nobody else has.
	Create(dir, pattern string) (file, error)
	Rename(from, to string) error
	Remove(name string) error
	// Sync makes a directory's entries last.
	Sync(dir string) error
}

type file interface {
	Name() string
	Write(data []byte) (int, error)
	Chmod(mode fs.FileMode) error
	Sync() error
	Close() error
}

func (r replacer) replace(name string, old, text []byte) error {
	target, mode, err := unchanged(name, old)
	if err != nil {
		return fmt.Errorf("write the lock %s: %w", name, err)
	}
	r.removeLeftovers(target)
	dir := filepath.Dir(target)
	written, err := r.write(dir, temporary(target), mode, text)
	if err != nil {
		return fmt.Errorf("write the lock %s: %w; the file is as it was", name, err)
	}
	if err := r.disk.Rename(written, target); err != nil {
		return fmt.Errorf("write the lock %s: %w; the file is as it was", name, errors.Join(err, r.disk.Remove(written)))
	}
	if err := r.disk.Sync(dir); err != nil {
		return fmt.Errorf("write the lock %s: it is written, but may not outlast a crash of the machine: %w", name, err)
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
			return "", 0, errors.New("it is a link that leads nowhere")
		}
		return name, 0o644, nil
	}
	if err != nil {
		return "", 0, err //nolint:wrapcheck // it names the file
	}
	info, err := os.Stat(target) //nolint:gosec // the user names the file
	if err != nil {
		return "", 0, err //nolint:wrapcheck // it names the file
	}
	now, err := os.ReadFile(target) //nolint:gosec // the user names the file
	if err != nil {
		return "", 0, err //nolint:wrapcheck // it names the file
	}
	if old == nil || !bytes.Equal(now, old) {
		return "", 0, ErrChanged
	}
	return target, info.Mode().Perm(), nil
}

// write writes the text to a new file in the directory, for good, and returns its
// name. After an error nothing is left of it.
func (r replacer) write(dir, pattern string, mode fs.FileMode, text []byte) (name string, err error) {
	f, err := r.disk.Create(dir, pattern)
	if err != nil {
		return "", err //nolint:wrapcheck // it names the file
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync() // or a crash could leave the name with nothing behind it
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, r.disk.Remove(f.Name()))
	}
	return f.Name(), nil
}

// system is the disk of the machine.
type system struct{}

func (system) Create(dir, pattern string) (file, error) {
	return os.CreateTemp(dir, pattern) //nolint:wrapcheck // it names the file
}

func (system) Rename(from, to string) error {
	return os.Rename(from, to) //nolint:wrapcheck,gosec // it names the files, and the user did
}

func (system) Remove(name string) error {
	return os.Remove(name) //nolint:wrapcheck // it names the file
}

func (system) Sync(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err //nolint:wrapcheck // it names the directory
	}
	return errors.Join(d.Sync(), d.Close())
}
