package layout

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// temporary is how files begin that have not got their names yet.
const temporary = ".goldenarch-"

// disk is what is done to the file system to write a file.
type disk interface {
	// Create makes a new file in a directory, with a name after the pattern.
	Create(dir, pattern string) (file, error)
	Rename(from, to string) error
	Remove(name string) error
	// Sync makes a directory's entries last.
	Sync(dir string) error
}

type file interface {
	Name() string
	Write(data []byte) (int, error)
	Chmod(mode os.FileMode) error
	Sync() error
	Close() error
}

// write writes a file of the layout. It is there whole and for good, or, after an
// error, as it was.
func (r *Recording) write(name string, content []byte) error {
	target := filepath.Join(r.dir, name)
	f, err := r.disk.Create(filepath.Dir(target), temporary+"*")
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if err == nil {
		err = f.Sync() // or a crash could leave the name with nothing behind it
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = r.disk.Rename(f.Name(), target)
	}
	if err != nil {
		return errors.Join(err, r.disk.Remove(f.Name()))
	}
	return r.disk.Sync(filepath.Dir(target))
}

// system is the disk of the machine.
type system struct{}

func (system) Create(dir, pattern string) (file, error) { return os.CreateTemp(dir, pattern) }
func (system) Rename(from, to string) error             { return os.Rename(from, to) }
func (system) Remove(name string) error                 { return os.Remove(name) }

func (system) Sync(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // a directory cannot be synced there
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
