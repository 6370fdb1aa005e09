//go:build unix

package files

import (
	"errors"
	"os"
	"syscall"
)

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

// tryLockDir locks a directory, or fails with [ErrBusy].
func tryLockDir(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_RDONLY|nonblocking, 0)
	if err != nil {
		return nil, err
	}
	return locked(f)
}
