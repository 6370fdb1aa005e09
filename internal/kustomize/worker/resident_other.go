//go:build !linux

package worker

// resident returns 0: how much memory another process has is not known.
func resident(int) int64 { return 0 }

// self is empty: the system has no name for this program.
const self = ""
