package kustomization

import (
	"errors"
	"fmt"
	"runtime/metrics"
	"time"
)

const (
	// maxMemory is how much memory a build may take beside what it reads.
	maxMemory = 192 << 20
	// memoryFactor is how much memory a build may take for each byte that it reads.
	// kustomize's library keeps several trees of each resource.
	memoryFactor = 64
	// maxAgain is how often directories with a kustomization may be built once more
	// than once. Two overlays of one base in every layer double the work each time.
	maxAgain = 500
	// look is the time between two looks at the memory.
	look = 2 * time.Millisecond
)

var (
	errMemory = fmt.Errorf("the build needs more than %d MiB of memory and %d times what it reads: its replacements, patches or vars multiply what they copy; "+
		"build it first, with kustomize", maxMemory>>20, memoryFactor)
	errAgain = fmt.Errorf("the build repeats directories more than %d times, because several overlays of one base are stacked; "+
		"list each shared base once", maxAgain)
)

// guarded does something with kustomize's library, and waits for it as long as the
// memory suffices. What a replacement, a patch or a var makes is not seen by reading:
// each may double a field. Nothing ends what the library has begun, so after
// [errMemory] it goes on until the process ends, behind the fence and without files.
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

// heap returns how much memory objects take.
func heap() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}

var errAbandoned = errors.New("the run no longer waits for this build")

// again counts how often a directory is built, and fails if that is too often.
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
