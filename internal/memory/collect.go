package memory

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// defaultGCPercent is Go's default percentage: a collection begins when the heap has doubled.
const defaultGCPercent = 100

// initialHeap is how many bytes of heap start the first collection, by Go's default.
const initialHeap = 4 << 20

// DeferFirstGC delays the first garbage collection until the heap has so many bytes: a short
// run then ends without one. After the first it collects as Go does, or as [CollectRarely] says,
// and calls the function, unless that is nil. GOGC in the environment takes precedence.
func DeferFirstGC(size int, then func()) {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(100 * size / initialHeap)
	atCollection(func() {
		if rare.Load() == nil {
			debug.SetGCPercent(defaultGCPercent)
		}
		if then != nil {
			then()
		}
	})
}

// CollectEagerly starts a garbage collection when the heap has grown by 30 %, or by 24 MB if that
// is more, while the heap is large. An input of many MB then takes a third as much again, and
// not twice as much. A huge heap consists of objects from the input, which take long to scan.
// GOGC in the environment takes precedence.
func CollectEagerly() {
	const (
		often = 30
		least = 24 << 20
		large = 16 << 20
		huge  = 128 << 20
	)
	if os.Getenv("GOGC") != "" {
		return
	}
	atCollection(func() {
		percent := defaultGCPercent
		switch size, threshold := live(), rare.Load(); {
		case threshold != nil:
			percent = threshold.percent(size)
		case size >= large && size < huge:
			percent = int(min(max(often, 100*least/size), defaultGCPercent))
		}
		debug.SetGCPercent(percent)
		CollectEagerly()
	})
}

// Threshold says when a rare collection starts.
type Threshold struct {
	// Garbage is how many bytes of garbage start a collection.
	Garbage uint64
	// MinPercent is by how many percent a heap grows at least before a collection.
	MinPercent int
}

// rare is the threshold while collections are rare, nil while they are not.
var rare atomic.Pointer[Threshold]

// CollectRarely makes collections rare until the returned function is called. What makes much
// garbage beside little that stays would scan the same objects again and again. GOGC in the
// environment takes precedence.
func CollectRarely(threshold Threshold) (end func()) {
	rare.Store(&threshold)
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(threshold.percent(live()))
		CollectEagerly() // what is in use grows
	}
	return func() { rare.Store(nil) }
}

// percent returns the percentage that starts the next collection, for what the last one found
// in use.
func (t Threshold) percent(live uint64) int {
	return max(t.MinPercent, int(100*t.Garbage/max(live, initialHeap))) //nolint:gosec // some thousands at most
}

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
