package registry

import "context"

// Limited wraps a Resolver so that at most n references are asked for at once,
// whatever their registry is. A [Client] bounds by itself how much one
// registry gets.
func Limited(r Resolver, n int) Resolver {
	return &limited{inner: r, slots: make(chan struct{}, max(1, n))}
}

type limited struct {
	inner Resolver
	slots chan struct{}
}

var _ Resolver = (*limited)(nil)

// Resolve implements Resolver.
func (l *limited) Resolve(ctx context.Context, ref Reference) (Image, error) {
	select {
	case l.slots <- struct{}{}:
		defer func() { <-l.slots }()
	case <-ctx.Done():
		return Image{}, context.Cause(ctx)
	}
	return l.inner.Resolve(ctx, ref)
}
