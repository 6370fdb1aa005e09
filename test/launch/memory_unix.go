//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// memoryOf returns the most memory that a process had, in bytes.
func memoryOf(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return usage.Maxrss
	}
	return usage.Maxrss * 1024 // elsewhere it is in KiB
}
