package files

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// lockFile locks a file, or fails with [ErrBusy].
func lockFile(f *os.File) error {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &windows.Overlapped{})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrBusy
	}
	return err
}

// tryLockDir locks an empty file in a directory, because this system cannot lock a directory. It
// fails with [ErrBusy]. The file goes with the last process that has it open.
func tryLockDir(path string) (unlock func(), err error) {
	name := filepath.Join(path, ".goldenarch.locked")
	release, err := TryLock(name)
	if err != nil {
		return nil, err
	}
	return func() {
		release()
		_ = os.Remove(name)
	}, nil
}
