//go:build unix

package files

import "syscall"

// nonblocking makes open return at once for a pipe that has no process at its other end.
const nonblocking = syscall.O_NONBLOCK
