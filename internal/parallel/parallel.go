// Package parallel runs the same function for many items on all processors.
//
// The package is pure: no network, no files, no clock, no environment.
package parallel

import (
	"context"
	"sync"
	"sync/atomic"
)

const (
	// minPerWorker is the number of calls below which goroutines do not pay off.
	minPerWorker = 16
	// maxWorkers is the largest useful number of goroutines: a run is short.
	maxWorkers = 8
)

// Each calls a function for each number from 0 to n-1, in any order, and returns when all
// calls have returned. The calls must only read what they share.
func Each(n int, do func(i int)) {
	if workers := min(n/minPerWorker, maxWorkers); workers > 1 {
		Queue(n, workers, do)
		return
	}
	for i := range n {
		do(i)
	}
}

// Map returns a value for each number from 0 to n-1, made as [Each] does. The error is that of the
// smallest number that has one.
func Map[T any](n int, produce func(i int) (T, error)) ([]T, error) {
	out, errs := make([]T, n), make([]error, n)
	Each(n, func(i int) { out[i], errs[i] = produce(i) })
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Ordered makes a value for each number from 0 to n-1, as [Each] does, and passes the values on
// in the order of their numbers. It makes so many at once, and keeps none of those that it has
// passed on. It stops at the first error.
func Ordered[T any](n, atOnce int, produce func(i int) T, use func(i int, made T) error) error {
	for first := 0; first < n; first += atOnce {
		batch := make([]T, min(atOnce, n-first))
		Each(len(batch), func(i int) { batch[i] = produce(first + i) })
		for i, made := range batch {
			var none T
			batch[i] = none
			if err := use(first+i, made); err != nil {
				return err
			}
		}
	}
	return nil
}

// Queue calls a function for each number from 0 to n-1 on so many goroutines, and returns
// when all calls have returned. Each goroutine takes the next number when it is done with
// one, so that calls of different length, such as those that wait, do not delay others.
func Queue(n, workers int, do func(i int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(workers, n) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	group.Wait()
}

// Patient calls a function for each number from 0 to n-1 as [Queue] does, with more goroutines than work at once: while one waits, as [Wait]
// says, another one works.
func Patient(ctx context.Context, n, goroutines, atOnce int, do func(ctx context.Context, i int)) {
	working := make(chan struct{}, atOnce)
	Queue(n, goroutines, func(i int) {
		t := &turn{working: working}
		working <- struct{}{}
		defer func() { <-working }()
		do(context.WithValue(ctx, turnKey{}, t), i)
	})
}

// turn is the turn to work of one call of [Patient]. It is given to another call while at least one of its goroutines waits.
type turn struct {
	working chan struct{}

	mu      sync.Mutex
	waiting int
}

type turnKey struct{}

// Wait calls a function that waits for something else than a processor, such as an answer of a registry. The context is that of the call of
// [Patient], several goroutines of which may wait at once. With any other context it only calls the function.
func Wait(ctx context.Context, do func()) {
	if t, ok := ctx.Value(turnKey{}).(*turn); ok {
		t.add(1)
		defer t.add(-1)
	}
	do()
}

// add counts a goroutine that begins or ends to wait.
func (t *turn) add(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.waiting += n; n > 0 && t.waiting == 1 {
		<-t.working
	}
	if t.waiting == 0 {
		t.working <- struct{}{}
	}
}
