package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// ErrBusy is the error of a file that another process keeps locked for too long.
var ErrBusy = errors.New("another process holds the lock")

const (
	// patience is how long [Lock] waits. A process locks a file for as long as it reads and
	// writes it.
	patience = 30 * time.Second
	// pause is how long [Lock] waits between two attempts.
	pause = 5 * time.Millisecond
)

// errMoved says that the process that held the lock removed the lock file while this
// process waited for it.
var errMoved = errors.New("the lock file was removed")

// errNotOurs is the error of a file that has the name of a lock file and is not one:
// unlocking would remove it.
var errNotOurs = errors.New("it is not an empty file, so it is not a lock file of goldenarch: remove or rename it")

// Lock keeps other processes that call it from using a file until unlock is called. The
// file itself gets a new inode with each write, so Lock locks an empty file beside it.
// unlock removes that file. The system releases the lock when the process ends for any
// reason, and the next process takes over and removes the lock file. On a file system
// without locks Lock does not wait.
func Lock(name string) (unlock func(), err error) {
	return lockWithin(name, patience)
}

func lockWithin(name string, patience time.Duration) (func(), error) {
	return lockBy(name, func(d *Dir, name string) (func(), error) { return d.lockWithin(name, patience) })
}

// LockDir keeps other processes that call it from writing below a directory until unlock is
// called. The system releases the lock when the process ends for any reason. On a file system
// without locks LockDir does not wait.
func LockDir(path string) (unlock func(), err error) { return lockDirWithin(path, patience) }

func lockDirWithin(path string, patience time.Duration) (func(), error) {
	for end := time.Now().Add(patience); ; time.Sleep(pause) {
		unlock, err := tryLockDir(path)
		if !errors.Is(err, ErrBusy) {
			return unlock, err
		}
		if time.Now().After(end) {
			return nil, fmt.Errorf("%w of %s for %s: wait until goldenarch has ended there, and run it again", ErrBusy, path, patience)
		}
	}
}

// lockBy locks a file by a function that gets its directory, which stays open until unlock is called.
func lockBy(name string, lock func(d *Dir, name string) (func(), error)) (unlock func(), err error) {
	dir, err := OpenDir(filepath.Dir(name), nil)
	if err != nil {
		return nil, err
	}
	release, err := lock(dir, filepath.Base(name))
	if err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	return func() {
		release()
		_ = dir.Close() // it was only read
	}, nil
}

// Lock is like the function [Lock], for a file of the directory. It follows no link.
func (d *Dir) Lock(name string) (unlock func(), err error) { return d.lockWithin(name, patience) }

func (d *Dir) lockWithin(name string, patience time.Duration) (func(), error) {
	beside := LockName(name)
	for end := time.Now().Add(patience); ; time.Sleep(pause) {
		f, err := d.tryLock(beside)
		switch {
		case err == nil:
			return func() { d.release(f, beside) }, nil
		case errors.Is(err, errMoved):
		case !errors.Is(err, ErrBusy):
			return nil, err
		case time.Now().After(end):
			return nil, fmt.Errorf("%s: %w for %s: wait for that process", d.pathOf(name), ErrBusy, patience)
		}
	}
}

// TryLock is like [Lock], but does not wait: it fails with [ErrBusy].
func TryLock(name string) (unlock func(), err error) {
	return lockBy(name, func(d *Dir, name string) (func(), error) {
		f, err := d.tryLock(LockName(name))
		switch {
		case errors.Is(err, errMoved):
			return nil, ErrBusy
		case err != nil:
			return nil, err
		}
		return func() { d.release(f, LockName(name)) }, nil
	})
}

// LockName returns the name of the lock file of a file.
func LockName(name string) string {
	return filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+".locked")
}

func (d *Dir) tryLock(beside string) (*os.File, error) {
	// A root follows a link within the directory.
	if there, err := d.root.Lstat(beside); err == nil && !there.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", d.pathOf(beside), errNotOurs)
	}
	f, err := d.root.OpenFile(beside, os.O_RDWR|os.O_CREATE|noFollowOrWait, 0o666)
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("%s: %w", d.pathOf(beside), at.Err) // without the system call
	}
	if err != nil {
		return nil, err
	}
	if err := lockFile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	info, err := f.Stat()
	if err == nil && (!info.Mode().IsRegular() || info.Size() > 0) {
		err = fmt.Errorf("%s: %w", d.pathOf(beside), errNotOurs)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if there, err := d.root.Lstat(beside); err != nil || !os.SameFile(info, there) {
		return nil, errors.Join(errMoved, f.Close())
	}
	return f, nil
}
