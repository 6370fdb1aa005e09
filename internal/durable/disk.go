package durable

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
)

// Disk has the file system operations that write a file: those of the machine, or those of
// a test disk that fails.
type Disk interface {
	// Create makes a new file in a directory, with a unique name that follows the pattern.
	Create(dir, pattern string) (File, error)
	Rename(from, to string) error
	Remove(name string) error
	// Sync flushes a directory, so that its entries survive a crash.
	Sync(dir string) error
}

// File is a file that is open for writing.
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
		return nil // this system cannot sync a directory
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
