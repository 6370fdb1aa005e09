// Package memory says how much memory the machine lets this process take, as the
// control groups of Linux have it: those of a container are its limits. It passes the limit
// to the garbage collector, which is for the whole process.
package memory

import (
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
)

// Limit returns how many bytes this process may use, together with the other processes in
// its control groups. It returns 0 if there is no limit.
func Limit() int64 { return ofGroups("/") }

// CollectBelow collects garbage more often when the memory comes near to a limit, 0 for
// none. Otherwise the kernel may kill a run because of garbage. GOMEMLIMIT in the environment
// takes precedence.
func CollectBelow(limit int64) {
	if limit == 0 || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetMemoryLimit(limit / 10 * 9) // the rest is for memory that the runtime does not count
}

// OfWorkers returns how much memory the processes should take together that this one starts,
// 0 for any: half of what [CollectBelow] leaves.
func OfWorkers() int64 { return Limit() / 10 * 9 / 2 }

// ofGroups returns the limit of the control groups, with the file system below a root.
func ofGroups(root string) int64 {
	data, err := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	if err != nil {
		return 0
	}
	out := int64(0)
	for line := range strings.Lines(string(data)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		switch controllers, group := fields[1], fields[2]; {
		case controllers == "":
			out = least(out, ofGroup(filepath.Join(root, "sys/fs/cgroup"), group, "memory.max"))
		case strings.Contains(","+controllers+",", ",memory,"):
			out = least(out, ofGroup(filepath.Join(root, "sys/fs/cgroup/memory"), group, "memory.limit_in_bytes"))
		}
	}
	return out
}

// ofGroup returns the smallest limit of a group and of its parents. A container does not
// see the parents, and its own group is often the root.
func ofGroup(mounted, group, file string) int64 {
	out := int64(0)
	for at := path.Clean("/" + group); ; at = path.Dir(at) {
		if data, err := os.ReadFile(filepath.Join(mounted, at, file)); err == nil {
			out = least(out, number(strings.TrimSpace(string(data))))
		}
		if at == "/" {
			return out
		}
	}
}

// number parses a limit as the kernel writes it. It returns 0, no limit, for "max" and for
// a number near the largest one.
func number(text string) int64 {
	const none = 1 << 60
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 || n >= none {
		return 0
	}
	return n
}

// least returns the smaller of two limits. 0 means no limit.
func least(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}
