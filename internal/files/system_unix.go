//go:build unix

package files

import (
	"io/fs"
	"os"
	"slices"
	"syscall"
)

const (
	// nonblocking makes open return at once for a pipe that has no process at its other end.
	nonblocking = syscall.O_NONBLOCK
	// noFollowOrWait also makes it fail for a link, which somebody else may have put there.
	noFollowOrWait = syscall.O_NOFOLLOW | nonblocking
)

// ownerOf returns the owner of a file. ok is false if the system does not say.
func ownerOf(info fs.FileInfo) (uid, gid int, ok bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return int(stat.Uid), int(stat.Gid), true
}

// replaceable fails for a file that would not be the same one after a replacement, such as
// one with several names.
func replaceable(info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	if stat.Nlink > 1 {
		return errHardLink
	}
	if os.Geteuid() == 0 {
		return nil
	}
	groups, err := os.Getgroups()
	if err != nil {
		return err
	}
	if int(stat.Uid) != os.Geteuid() || !slices.Contains(append(groups, os.Getegid()), int(stat.Gid)) {
		return errNotOwner
	}
	return nil
}
