package worker

import (
	"fmt"
	"os"
)

// resident returns how much memory a process has, 0 if that is not known.
func resident(pid int) int64 {
	f, err := os.Open(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	defer func() { _ = f.Close() }() // goldenarch only reads it
	var size, pages int64
	if _, err := fmt.Fscan(f, &size, &pages); err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// self is this program, also if its file has been replaced or removed.
const self = "/proc/self/exe"
