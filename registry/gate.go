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

// enter waits until the gate is open, or goes first. The function it returns
// opens the gate; it may be called often.
func (g *gate) enter(ctx context.Context) (open func(), err error) {
	select {
	case <-g.opened:
		return func() {}, nil
	default:
	}
	select {
	case <-g.opened:
		return func() {}, nil
	case g.alone <- struct{}{}:
		return func() { g.once.Do(func() { close(g.opened) }) }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
