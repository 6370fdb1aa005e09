package worker

import (
	"cmp"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
)

// Restrict has the kernel hold this process to what a build needs: reading files below a
// directory, "" for all files. It starts no program, changes no file, uses no TCP and sends
// no signal to others, as far as the version of Landlock in the kernel covers that. On a
// kernel without Landlock it does nothing.
func Restrict(root string) error {
	const reading = ll.AccessFSReadFile | ll.AccessFSReadDir
	return landlock.V7.BestEffort().Restrict(landlock.PathAccess(reading, cmp.Or(root, "/")))
}
