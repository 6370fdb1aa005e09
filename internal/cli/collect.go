package cli

import (
	"os"
	"runtime"
	"runtime/debug"
)

// collectLate puts the first garbage collection off until the heap has 32 MB:
// few ResourceLists need more, and their runs are over without one. From then on
// it is as ever, so that a large list takes no more memory than it would. GOGC in
// the environment is the user's word.
func collectLate() {
	if os.Getenv("GOGC") != "" {
		return
	}
	const (
		late  = 800 // percent of the 4 MB that the runtime begins with
		usual = 100
	)
	debug.SetGCPercent(late)
	runtime.AddCleanup(new([16]byte), func(percent int) { debug.SetGCPercent(percent) }, usual)
}
