//go:build !unix

package files

// nonblocking is 0 on systems where pipes have no file names.
const nonblocking = 0

// noFollow is 0 where the system has no such flag.
const noFollow = 0
