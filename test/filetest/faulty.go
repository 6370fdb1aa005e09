package filetest

import (
	"sync"
	"syscall"
)

// ErrDisk is the error of a full disk.
var ErrDisk error = syscall.ENOSPC

// Steps returns the steps of writing a file, in their order; each can fail.
func Steps() []string {
	return []string{"create", "write", "chmod", "attributes", "sync", "close", "rename", "sync directory"}
}

// Faulty returns a disk that fails at one of the [Steps], but succeeds the first "after"
// times. A step of "" never fails.
func Faulty(step string, after int) func(step, name string) error {
	var mu sync.Mutex
	return func(at, _ string) error {
		mu.Lock()
		defer mu.Unlock()
		if at != step {
			return nil
		}
		if after--; after >= 0 {
			return nil
		}
		return ErrDisk
	}
}
