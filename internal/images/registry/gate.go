package registry

import (
	"context"
	"sync"
	"time"
)

// gate lets one caller through alone, and all others once that one has opened
// it. Who takes longer than patience without opening it is not waited for: the
// next one goes. After failures of those, if that is set, the gate opens by itself,
// so that what one caller meets does not decide about the others.
type gate struct {
	patience time.Duration
	failures int

	alone  chan struct{}
	opened chan struct{}
	once   sync.Once

	mu     sync.Mutex
	failed int
}

func newGate(patience time.Duration, failures int) *gate {
	return &gate{patience: patience, failures: failures, alone: make(chan struct{}, 1), opened: make(chan struct{})}
}

func (g *gate) open() { g.once.Do(func() { close(g.opened) }) }

// next lets the next caller go, after one that did not open the gate.
func (g *gate) next() {
	g.mu.Lock()
	g.failed++
	enough := g.failed == g.failures
	g.mu.Unlock()
	if enough {
		g.open()
	}
	<-g.alone
}

// enter waits until the gate is open, or goes first. Who went first calls open
// when the others may follow, and leave in the end: if it did not open the gate,
// because it failed, the next one goes first. Both may be called often.
func (g *gate) enter(ctx context.Context) (open, leave func(), err error) {
	nothing := func() {}
	select {
	case <-g.opened:
		return nothing, nothing, nil
	default:
	}
	select {
	case <-g.opened:
		return nothing, nothing, nil
	case g.alone <- struct{}{}:
		next := sync.OnceFunc(g.next)
		timer := time.AfterFunc(g.patience, next)
		return g.open, func() { timer.Stop(); next() }, nil
	case <-ctx.Done():
		return nil, nil, context.Cause(ctx)
	}
}
