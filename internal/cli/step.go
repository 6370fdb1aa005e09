package cli

import (
	"context"
	"sync"
)

// step is the change of the user's files by a verb. A verb makes it completely or not
// at all, and a stopped run knows which.
type step struct {
	mu    sync.Mutex
	done  bool
	err   error // of the completed step
	never bool
}

type stepKey struct{}

// withStep returns a context that carries the step of a run.
func withStep(ctx context.Context) (context.Context, *step) {
	s := &step{}
	return context.WithValue(ctx, stepKey{}, s), s
}

// doStep runs the step, unless the run has been stopped.
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

// stop waits for the end of a step that has begun, and prevents new steps. It reports
// whether there was a step, and its error.
func (s *step) stop() (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.never = true
	return s.done, s.err
}
