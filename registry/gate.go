package registry

import (
	"context"
	"sync"
)

// gate lets one caller through alone, and all others once that one has opened
// it.
type gate struct {
	alone  chan struct{}
	opened chan struct{}
	once   sync.Once
}

func newGate() *gate {
	return &gate{alone: make(chan struct{}, 1), opened: make(chan struct{})}
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
		open = func() { g.once.Do(func() { close(g.opened) }) }
		return open, sync.OnceFunc(func() { <-g.alone }), nil
	case <-ctx.Done():
		return nil, nil, context.Cause(ctx)
	}
}
