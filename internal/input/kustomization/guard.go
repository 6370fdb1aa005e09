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
	// look is the time between two checks of the memory.
	look = 2 * time.Millisecond
)

var (
	errMemory = fmt.Errorf("the build needs more than %d MiB of memory and %d times what it reads: its replacements, patches or vars multiply what they copy; "+
		"build it first, with kustomize", maxMemory>>20, memoryFactor)
	errAgain = fmt.Errorf("the build repeats directories more than %d times, because several overlays of one base are stacked; "+
		"list each shared base once", maxAgain)
)

// guarded calls a function that uses kustomize's library. It waits for the function until
// the build uses too much memory. Reading the files is not enough to predict that: a
// replacement, a patch or a var may double a field. goldenarch cannot stop the library. So
// after [errMemory], the function continues until the process ends, but the fence stays up
// and the function can no longer read files.
func (d *disk) guarded(do func()) error {
	before := heap()
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			return nil
		case <-ticker.C:
		}
		if heap() > before+maxMemory+memoryFactor*uint64(d.bytesRead.Load()) { //nolint:gosec // a size is not negative
			d.abandoned.Store(true)
			theFence.stays.Store(true)
			return errMemory
		}
	}
}

// heap returns how much memory objects use.
func heap() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
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
