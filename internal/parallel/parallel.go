// Package parallel does the same to many things on all processors.
//
// The package is pure: no network, no files, no clock, no environment.
package parallel

import (
	"runtime"
	"sync"
)

// few is how many things are not worth a goroutine.
const few = 16

// Each calls a function for each number from 0 to n-1, in any order, and returns when
// all calls have. What they share they only read.
func Each(n int, do func(i int)) {
	workers := min(n/few, runtime.GOMAXPROCS(0))
	if workers < 2 {
		for i := range n {
			do(i)
		}
		return
	}
	var group sync.WaitGroup
	for first := range workers {
		group.Go(func() {
			for i := first; i < n; i += workers {
				do(i)
			}
		})
	}
	group.Wait()
}
