package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"

	"github.com/goldenarch/goldenarch/internal/memory"
)

// defaultGCPercent is Go's default percentage: a collection begins when the heap has doubled.
const defaultGCPercent = 100

// collectLate delays the first garbage collection until the heap has 32 MB: few
// ResourceLists need more, and their runs end without a collection. After that it
// collects as the verbs do. GOGC in the environment takes precedence.
func deferFirstGC() {
	const late = 800 // percent of the 4 MB that the runtime begins with
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(late)
	atCollection(func() {
		debug.SetGCPercent(defaultGCPercent)
		collectEagerly()
	})
}

// collectOften starts a garbage collection when the heap has grown by 30 %, while the
// heap is large. An input of many MB then takes a third as much again, and not twice as
// much. A huge heap consists of objects from the input, which take long to scan.
func collectEagerly() {
	const (
		often = 30
		large = 16 << 20
		huge  = 128 << 20
	)
	if os.Getenv("GOGC") != "" {
		return
	}
	atCollection(func() {
		percent := defaultGCPercent
		switch size := live(); {
		case rareGCUsers.Load() > 0:
			percent = rarePercent(size)
		case size >= large && size < huge:
			percent = often
		}
		debug.SetGCPercent(percent)
		collectEagerly()
	})
}

// rarely counts the functions that want garbage collections to be rare.
var rareGCUsers atomic.Int64

// collectRarely starts a garbage collection only after so much garbage as few inputs have
// in total, until the returned function is called. The check of many clusters makes much
// garbage, and the results so far would be scanned for a small part of it.
func collectRarely() (end func()) {
	rareGCUsers.Add(1)
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(rarePercent(live()))
		collectEagerly() // what is in use grows
	}
	return func() { rareGCUsers.Add(-1) }
}

// rarePercent returns the percentage that starts the next collection, for what the last one
// found in use.
func rarePercent(live uint64) int {
	const (
		garbage = 192 << 20
		least   = 4 << 20 // the runtime begins with that much
		lowest  = 30
	)
	return max(lowest, int(100*garbage/max(live, least))) //nolint:gosec // at most 4,800
}

// collectBelow collects garbage more often when the memory comes near to the limit of
// the machine. Otherwise the kernel may kill a run because of garbage. GOMEMLIMIT in
// the environment takes precedence.
func collectBelow(limit int64) {
	if limit == 0 || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetMemoryLimit(limit / 10 * 9) // the rest is for memory that the runtime does not count
}

// workersMemory returns how much memory the workers should take together, 0 for any: half of
// what collectBelow leaves.
func workersMemory() int64 { return memory.Limit() / 10 * 9 / 2 }

// atCollection calls a function once, after a garbage collection.
func atCollection(do func()) {
	runtime.AddCleanup(new([16]byte), func(do func()) { do() }, do)
}

// live returns how many bytes were in use at the last garbage collection.
func live() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}
