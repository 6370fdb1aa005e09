package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// usual is Go's own percentage: a collection begins when the heap has doubled.
const usual = 100

// collectLate puts the first garbage collection off until the heap has 32 MB:
// few ResourceLists need more, and their runs are over without one. From then on
// it is as in the verbs. GOGC in the environment is the user's word.
func collectLate() {
	const late = 800 // percent of the 4 MB that the runtime begins with
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(late)
	atCollection(func() {
		debug.SetGCPercent(usual)
		collectOften()
	})
}

// collectOften has garbage collected when the heap has grown by 30 %, while it is large:
// an input of many MB takes a third as much again then, and not twice as much. A heap
// that is huge is of objects that were read, which takes long to look through.
func collectOften() {
	const (
		often = 30
		large = 16 << 20
		huge  = 128 << 20
	)
	if os.Getenv("GOGC") != "" {
		return
	}
	atCollection(func() {
		percent := usual
		if size := live(); size >= large && size < huge {
			percent = often
		}
		debug.SetGCPercent(percent)
		collectOften()
	})
}

// collectBelow has garbage collected more often as the memory comes near to what the
// machine allows: else a run may be killed for garbage. GOMEMLIMIT in the environment
// is the user's word.
func collectBelow(limit int64) {
	if limit == 0 || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetMemoryLimit(limit / 10 * 9) // the rest is for what the runtime does not count
}

// atCollection calls a function once, when garbage has been collected.
func atCollection(do func()) {
	runtime.AddCleanup(new([16]byte), func(do func()) { do() }, do)
}

// live returns how many bytes were in use when garbage was last collected.
func live() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}
