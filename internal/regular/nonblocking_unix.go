//go:build unix

package regular

import "syscall"

// nonblocking has a pipe opened at once, without anybody at its other end.
const nonblocking = syscall.O_NONBLOCK
