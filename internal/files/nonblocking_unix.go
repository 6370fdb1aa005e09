//go:build unix

package files

import "syscall"

// nonblocking makes open return at once for a pipe that has no process at its other end.
const nonblocking = syscall.O_NONBLOCK

// noFollow makes open fail for a link.
const noFollow = syscall.O_NOFOLLOW
