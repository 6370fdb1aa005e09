//go:build unix

package durable

import (
	"os"
	"syscall"
)

// ownerOf returns the owner of a file. ok is false if the file does not exist.
func ownerOf(name string) (uid, gid int, ok bool) {
	info, err := os.Stat(name)
	if err != nil {
		return 0, 0, false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return int(stat.Uid), int(stat.Gid), true
}
