package kustomization

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/sanitize"
)

// A kustomization may list the lock before "goldenarch lock" has written it. For that
// command, the build contains an empty lock instead. For any other command, the missing
// lock is an error that names "goldenarch lock".

// isMissingLock reports whether a path names a lock that does not exist.
func (d *disk) isMissingLock(path string) bool {
	if filepath.Base(path) != lock.FileName && (d.lockFile == "" || lock.Target(path) != lock.Target(d.lockFile)) {
		return false
	}
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// atMissingLock returns the place of a lock that does not exist, if the build uses an
// empty lock instead. For any other build, it records that the lock is missing.
func (d *disk) atMissingLock(path string) (filesys.ConfirmedDir, string, bool) {
	if !d.isMissingLock(path) {
		return "", "", false
	}
	if !d.locks {
		d.noLock = path
		return "", "", false
	}
	dir, file, err := d.FileSystem.CleanedAbs(filepath.Dir(path))
	return dir, filepath.Base(path), err == nil && file == ""
}

// Exists implements [filesys.FileSystem].
func (d *disk) Exists(path string) bool {
	return d.FileSystem.Exists(path) || d.locks && d.isMissingLock(path)
}

// withCommand adds to the error of a build which command writes the missing lock.
func (d *disk) withCommand(dir string, err error) error {
	if d.noLock == "" {
		return err
	}
	return fmt.Errorf("%w; to write the lock, run: %s", err, sanitize.Command("goldenarch", "lock", filepath.ToSlash(dir)))
}
