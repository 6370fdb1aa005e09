//go:build unix

package files

import (
	"errors"
	"os"
	"syscall"
)

// noFollowOrWait prevents two problems: a link in a repository that chooses another lock file,
// and a pipe that makes the process wait.
const noFollowOrWait = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// lockFile locks a file, or fails with [ErrBusy]. On a file system without locks every file
// counts as free.
func lockFile(f *os.File) error {
	switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
	case errors.Is(err, syscall.EWOULDBLOCK), errors.Is(err, syscall.EINTR):
		return ErrBusy
	case errors.Is(err, syscall.ENOSYS), errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.ENOLCK),
		errors.Is(err, syscall.EBADF): // NFS locks nothing that is open for reading alone, such as a directory
		return nil
	default:
		return err
	}
}

// release removes the lock file while it is still locked. A process that waits for it then
// sees that it has locked a removed file, and tries again.
func (d *Dir) release(f *os.File, beside string) {
	_ = d.root.Remove(beside)
	_ = f.Close()
}

// tryLockDir locks a directory, or fails with [ErrBusy].
func tryLockDir(path string) (unlock func(), err error) {
	dir, err := OpenDir(path, nil)
	if err != nil {
		return nil, err
	}
	f, err := dir.root.Open(".")
	if err = errors.Join(err, dir.Close()); err != nil {
		return nil, err
	}
	if err := lockFile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() { _ = f.Close() }, nil // it was only locked
}
