package registry

import (
	"context"
	"errors"
	"sync"
)

// Shared wraps a Resolver so that each reference is asked once, however often
// and at however many places it is asked for. Failures are remembered too,
// but not one that is only the end of the asker's own context.
func Shared(r Resolver) Resolver {
	return &shared{inner: r, answers: map[Reference]*sharedAnswer{}}
}

type shared struct {
	inner Resolver

	mu      sync.Mutex
	answers map[Reference]*sharedAnswer
}

type sharedAnswer struct {
	done  chan struct{}
	image Image
	err   error
}

var _ Resolver = (*shared)(nil)

// Resolve implements Resolver.
func (s *shared) Resolve(ctx context.Context, ref Reference) (Image, error) {
	for {
		s.mu.Lock()
		a, asked := s.answers[ref]
		if !asked {
			a = &sharedAnswer{done: make(chan struct{})}
			s.answers[ref] = a
		}
		s.mu.Unlock()
		if !asked {
			s.ask(ctx, ref, a)
			return a.image, a.err
		}
		select {
		case <-a.done:
		case <-ctx.Done():
			return Image{}, context.Cause(ctx)
		}
		if !gaveUp(a.err) {
			return a.image, a.err
		}
	}
}

func (s *shared) ask(ctx context.Context, ref Reference, a *sharedAnswer) {
	defer close(a.done)
	a.image, a.err = s.inner.Resolve(ctx, ref)
	if gaveUp(a.err) {
		s.mu.Lock()
		delete(s.answers, ref)
		s.mu.Unlock()
	}
}

// gaveUp reports whether it was the asker that ended, not the registry that
// failed.
func gaveUp(err error) bool {
	// A host's time-out is a DeadlineExceeded too, deep inside: the kind tells.
	if e, ok := errors.AsType[*Error](err); ok {
		err = e.Kind
	}
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
