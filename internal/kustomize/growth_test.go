package kustomize

import (
	"errors"
	"testing"
)

// TestGuardedEndsWhatGrows runs alone: the memory is the process's.
func TestGuardedEndsWhatGrows(t *testing.T) {
	d := newDisk(&Library{}, Request{})
	var kept [][]byte
	stop, ended := make(chan struct{}), make(chan struct{})
	err := d.guarded(func() {
		defer close(ended)
		for len(kept) <= 4*maxMemory>>20 {
			select {
			case <-stop:
				return
			default:
				kept = append(kept, make([]byte, 1<<20))
			}
		}
	})
	close(stop)
	<-ended
	if !errors.Is(err, ErrMemory) {
		t.Errorf("want %v with %d MiB, got %v", ErrMemory, len(kept), err)
	}
}
