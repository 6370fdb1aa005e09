package durable

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// ErrBusy is the error of a file that another process kept locked all the time.
var ErrBusy = errors.New("another process holds the lock")

const (
	// patience is how long [Lock] waits. A process has a file locked for as long as
	// it takes to read and write it.
	patience = 30 * time.Second
	// pause is how long it waits between two tries.
	pause = 5 * time.Millisecond
)

// errMoved says that the lock file was removed, by whoever had it locked, while this
// process waited for it.
var errMoved = errors.New("the lock file was removed")

// errNotOurs is the error of a lock file that is not one: it would be removed.
var errNotOurs = errors.New("it is not empty, so it is not a lock file of goldenarch: remove or rename it")

// Lock keeps other processes that call it from a file until unlock is called. The
// file itself gets another inode each time it is written, so the lock is on an empty
// file beside it, which is removed when it is unlocked. The system unlocks it when
// the process ends, however that happens, and the next process takes and removes
// what is left. On a file system that has no locks nobody waits.
func Lock(name string) (unlock func(), err error) {
	return lockWithin(name, patience)
}

func lockWithin(name string, patience time.Duration) (func(), error) {
	beside := LockName(name)
	for end := time.Now().Add(patience); ; time.Sleep(pause) {
		f, err := tryLock(beside)
		switch {
		case err == nil:
			return func() { release(f) }, nil
		case errors.Is(err, errMoved):
		case !errors.Is(err, ErrBusy):
			return nil, err
		case time.Now().After(end):
			return nil, fmt.Errorf("%s: %w for %s: wait for that process", name, ErrBusy, patience)
		}
	}
}

// LockName returns the name of the lock file of a file.
func LockName(name string) string {
	return filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+".locked")
}

func tryLock(beside string) (*os.File, error) {
	f, err := os.OpenFile(beside, os.O_RDWR|os.O_CREATE|noFollow, 0o666)
	if err != nil {
		return nil, err
	}
	if err := lockFile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	held, err := f.Stat()
	if err == nil && (!held.Mode().IsRegular() || held.Size() > 0) {
		err = fmt.Errorf("%s: %w", beside, errNotOurs)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if there, err := os.Stat(beside); err != nil || !os.SameFile(held, there) {
		return nil, errors.Join(errMoved, f.Close())
	}
	return f, nil
}
