//go:build !unix

package regular

// nonblocking is nothing where pipes have no names among files.
const nonblocking = 0
