//go:build unix

package files

import (
	"io/fs"
	"os"
	"slices"
	"syscall"
)

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
