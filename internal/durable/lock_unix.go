//go:build unix

package durable

import (
	"errors"
	"os"
	"syscall"
)

// noFollow prevents two problems: a link in a repository that chooses another lock file,
// and a pipe that makes the process wait.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// lockFile locks a file, or fails with [ErrBusy]. On a file system without locks every file
// counts as free.
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

// release removes the lock file while it is still locked. A process that waits for it then
// sees that it has locked a removed file, and tries again.
func (d *Dir) release(f *os.File, beside string) {
	_ = d.root.Remove(beside)
	_ = f.Close()
}
