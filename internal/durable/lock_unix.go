//go:build unix

package durable

import (
	"errors"
	"os"
	"syscall"
)

// noFollow keeps a link in somebody's repository from choosing the lock file, and a
// pipe from making the process wait.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// lockFile locks a file, or fails with [ErrBusy]. A file system without locks counts
// as one where the file is free.
func lockFile(f *os.File) error {
	switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
	case errors.Is(err, syscall.EWOULDBLOCK), errors.Is(err, syscall.EINTR):
		return ErrBusy
	case errors.Is(err, syscall.ENOSYS), errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.ENOLCK):
		return nil
	default:
		return err
	}
}

// release removes the lock file while it is still locked: a process that waits for
// it sees that it has another one, and tries again.
func release(f *os.File) {
	_ = os.Remove(f.Name())
	_ = f.Close()
}
