package files

import (
	"os"
	"syscall"
)

// isOfKernel reports whether the kernel generates a file's file system. Such files look
// regular and have no size. Some of them never end, or block until an event, such as
// /proc/kmsg. The numbers are those of linux/magic.h.
func isOfKernel(f *os.File) bool {
	var s syscall.Statfs_t
	if err := syscall.Fstatfs(int(f.Fd()), &s); err != nil {
		return false
	}
	switch uint32(s.Type) { //nolint:gosec // the numbers have 32 bits
	case 0x9fa0, 0x62656572, 0x64626720, 0x74726163, 0x73636673: // proc, sysfs, debugfs, tracefs, securityfs
		return true
	}
	return false
}
