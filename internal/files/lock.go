package files

import (
	"errors"
	"fmt"
	"os"
	"time"
)

// ErrBusy is the error of what another process keeps locked.
var ErrBusy = errors.New("another process holds the lock")

const (
	// patience is how long [LockDir] waits. A process locks a directory for as long as it reads
	// and writes files below it.
	patience = 30 * time.Second
	// pause is how long [LockDir] waits between two attempts.
	pause = 5 * time.Millisecond
)

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

// TryLock locks a file that has no other use, and makes it if it is not there. It does not wait:
// it fails with [ErrBusy]. The system releases the lock when the process ends for any reason.
func TryLock(name string) (unlock func(), err error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|noFollowOrWait, 0o666)
	if err != nil {
		return nil, err
	}
	return locked(f)
}

// locked locks an open file, or closes it.
func locked(f *os.File) (unlock func(), err error) {
	if err := lockFile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() { _ = f.Close() }, nil // nothing was written
}
