package registry

import (
	"context"
	"sync"
	"time"
)

// gate lets one caller through alone. When that caller opens the gate, all others
// follow. If it does not open the gate within patience, the next caller goes. If
// failures is set, the gate opens by itself after that many callers fail, so that one
// failing caller does not decide for the others.
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

// enter waits until the gate is open, or goes first. The caller that goes first calls
// open when the others may follow, and leave at the end. If it fails and does not open
// the gate, the next caller goes first. A caller may call both more than once.
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
