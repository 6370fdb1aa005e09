package cli

import (
	"context"
	"sync"
)

// step is what a verb does to the user's files. It is done whole or not at all,
// and a run that is stopped knows which.
type step struct {
	mu    sync.Mutex
	done  bool
	err   error // of the step that was done
	never bool
}

type stepKey struct{}

// withStep returns a context that knows the step of a run.
func withStep(ctx context.Context) (context.Context, *step) {
	s := &step{}
	return context.WithValue(ctx, stepKey{}, s), s
}

// doStep does the step of the run, unless the run has been stopped.
func doStep(ctx context.Context, do func() error) error {
	s, ok := ctx.Value(stepKey{}).(*step)
	if !ok {
		s = &step{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.never || ctx.Err() != nil {
		return context.Cause(ctx)
	}
	s.done, s.err = true, do()
	return s.err
}

// stop waits until a step that has begun is over, and lets none begin any more.
// It reports whether there was one, and its error.
func (s *step) stop() (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.never = true
	return s.done, s.err
}
