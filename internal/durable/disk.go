package durable

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
)

// Disk is what is done to a file system to write a file: the machine's, or one
// that fails in a test.
type Disk interface {
	// Create makes a new file in a directory, with a name after the pattern that
	// nobody else has.
	Create(dir, pattern string) (File, error)
	Rename(from, to string) error
	Remove(name string) error
	// Sync makes a directory's entries last.
	Sync(dir string) error
}

// File is a file that is written.
type File interface {
	Name() string
	Write(data []byte) (int, error)
	Chmod(mode fs.FileMode) error
	Chown(uid, gid int) error
	Sync() error
	Close() error
}

// System is the disk of the machine. Its errors name the files.
type System struct{}

// Create implements [Disk].
func (System) Create(dir, pattern string) (File, error) {
	return os.CreateTemp(dir, pattern)
}

// Rename implements [Disk].
func (System) Rename(from, to string) error {
	return os.Rename(from, to)
}

// Remove implements [Disk].
func (System) Remove(name string) error {
	return os.Remove(name)
}

// Sync implements [Disk].
func (System) Sync(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // a directory cannot be synced there
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
