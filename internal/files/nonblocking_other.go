//go:build !unix

package files

// nonblocking is 0 on systems where pipes have no file names.
const nonblocking = 0
