package kustomization

import (
	"errors"
	"fmt"
	"runtime/metrics"
	"time"
)

const (
	// maxMemory is how much memory a build may use, in addition to that of memoryFactor.
	maxMemory = 192 << 20
	// memoryFactor is how much memory a build may use for each byte that it reads.
	// kustomize's library keeps several trees of each resource.
	memoryFactor = 64
	// maxAgain is how many repeated builds of directories are allowed. Two overlays of one
	// base in every layer double the work each time.
	maxAgain = 500
	// minLive is how much of that memory a garbage collection must have found in use.
	// Garbage does not count: a check of many clusters makes it beside the build.
	minLive = maxMemory / 4
	// tellEach is how many bytes a build reads between two calls of [Library.Read].
	tellEach = 1 << 20
	// look is the time between two checks of the memory.
	look = 2 * time.Millisecond
)

var (
	// ErrMemory is the error for a build that needs too much memory.
	ErrMemory = fmt.Errorf("the build needs more than %d MiB of memory and %d times what it reads: its replacements, patches or vars multiply what they copy; "+
		"build it first, with kustomize", maxMemory>>20, memoryFactor)
	errAgain = fmt.Errorf("the build repeats directories more than %d times, because several overlays of one base are stacked; "+
		"list each shared base once", maxAgain)
)

// guarded calls a function that uses kustomize's library. It waits for the function until
// the build uses too much memory. Reading the files is not enough to predict that: a
// replacement, a patch or a var may double a field. goldenarch cannot stop the library. So
// after [ErrMemory], the function continues until the process ends, but it can no longer
// read files.
func (d *disk) guarded(do func()) error {
	before := heapNow()
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	told := int64(0)
	for {
		select {
		case <-done:
			return nil
		case <-ticker.C:
		}
		if read := d.bytesRead.Load(); d.library != nil && d.library.Read != nil && read > told+tellEach {
			told = read
			d.library.Read(read)
		}
		now := heapNow()
		most := before.objects + uint64(Memory(d.bytesRead.Load())) //nolint:gosec // a size is not negative
		if now.objects > most && now.live > before.live+minLive {
			d.abandoned.Store(true)
			return ErrMemory
		}
	}
}

// Memory returns how much memory a build may use that has read so many bytes.
func Memory(read int64) int64 { return maxMemory + memoryFactor*read }

// heap is how many bytes of memory objects use.
type heap struct {
	objects uint64 // with garbage
	live    uint64 // found by the last garbage collection
}

func heapNow() heap {
	samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(samples)
	return heap{objects: bytesOf(samples[0]), live: bytesOf(samples[1])}
}

func bytesOf(sample metrics.Sample) uint64 {
	if sample.Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample.Value.Uint64()
}

var errAbandoned = errors.New("the run no longer waits for this build")

// again counts the repeated builds of a directory, and fails if there are too many.
func (d *disk) again(dir string) error {
	if !d.builtOnce[dir] {
		d.builtOnce[dir] = true
		return nil
	}
	if d.repeated++; d.repeated > maxAgain {
		return d.refuse(errAgain)
	}
	return nil
}
