//go:build unix

package files

import (
	"io/fs"
	"syscall"
)

// ownerOf returns the owner of a file. ok is false if the system does not say.
func ownerOf(info fs.FileInfo) (uid, gid int, ok bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return int(stat.Uid), int(stat.Gid), true
}
