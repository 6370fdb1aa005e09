package files

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

const noFollowOrWait = 0

// lockFile locks a file, or fails with [ErrBusy].
func lockFile(f *os.File) error {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &windows.Overlapped{})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrBusy
	}
	return err
}

// release unlocks the file and removes it, unless another process has it open.
func (d *Dir) release(f *os.File, beside string) {
	_ = f.Close()
	_ = d.root.Remove(beside)
}

// tryLockDir locks an empty file in a directory, because this system cannot lock a directory. It
// fails with [ErrBusy].
func tryLockDir(path string) (unlock func(), err error) {
	return TryLock(filepath.Join(path, "goldenarch"))
}
