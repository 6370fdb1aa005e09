package kustomize

import (
	"errors"
	"testing"
)

// TestGuardedEndsWhatGrows runs alone: the memory is the process's.
func TestGuardedEndsWhatGrows(t *testing.T) {
	d := newDisk()
	var kept [][]byte
	ended := make(chan struct{})
	err := d.guarded(func() {
		defer close(ended)
		for !d.abandoned.Load() {
			kept = append(kept, make([]byte, 1<<20))
			if len(kept) > 4*maxMemory>>20 {
				return
			}
		}
	})
	<-ended
	if !errors.Is(err, ErrMemory) {
		t.Errorf("want %v with %d MiB, got %v", ErrMemory, len(kept), err)
	}
}
