package kustomization

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/goldenarch/goldenarch/internal/images/lock"
)

// A kustomization may list the lock that is to be written: then the build that
// "goldenarch lock" makes has an empty one in its place. For any other verb such a lock
// is an error that names the command.

// BuildToLock is [Build] for "goldenarch lock": of the locks that a kustomization lists,
// those that do not exist yet are empty. They are the ones with the usual name, and the
// file that the user names; "" names none.
func BuildToLock(dir, file string) (Built, error) {
	files := newDisk()
	files.locks, files.lockFile = true, file
	return files.buildDir(dir)
}

// isMissingLock reports whether a path is that of a lock that does not exist.
func (d *disk) isMissingLock(path string) bool {
	if filepath.Base(path) != lock.FileName && (d.lockFile == "" || lock.Target(path) != lock.Target(d.lockFile)) {
		return false
	}
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// atMissingLock returns where the lock is that does not exist, for a build that has an
// empty one there. For another build it notes that the lock is missing.
func (d *disk) atMissingLock(path string) (filesys.ConfirmedDir, string, bool) {
	if !d.isMissingLock(path) {
		return "", "", false
	}
	if !d.locks {
		d.missing = path
		return "", "", false
	}
	dir, file, err := d.FileSystem.CleanedAbs(filepath.Dir(path))
	return dir, filepath.Base(path), err == nil && file == ""
}

// Exists implements [filesys.FileSystem].
func (d *disk) Exists(path string) bool {
	return d.FileSystem.Exists(path) || d.locks && d.isMissingLock(path)
}

// withCommand adds to the error of a build how the lock is written that does not exist.
func (d *disk) withCommand(dir string, err error) error {
	if d.missing == "" {
		return err
	}
	return fmt.Errorf("%w; write the lock with 'goldenarch lock %s'", err, filepath.ToSlash(dir))
}
