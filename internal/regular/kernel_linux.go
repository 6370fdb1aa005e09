package regular

import (
	"os"
	"syscall"
)

// isOfKernel reports whether a file is of a file system that the kernel makes up:
// its files say that they are regular, have no size, and some of them never end or
// answer only when something happens, as /proc/kmsg does. The numbers are those of
// linux/magic.h.
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
