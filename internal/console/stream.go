package console

import (
	"errors"
	"io"
	"sync"
)

// ErrStopped is the error of a write after a signal.
var ErrStopped = errors.New("stopped by a signal")

// stream is a stream of a run that a signal closes. The last message of the
// process then describes everything that it wrote.
type stream struct {
	to io.Writer

	mu      sync.Mutex
	begun   bool // a write has begun, and may have ended
	writing int  // how many writes have not returned
	stopped bool
}

// Write implements [io.Writer]. After a stop it writes nothing.
func (s *stream) Write(p []byte) (int, error) {
	if !s.enter() {
		return 0, ErrStopped
	}
	defer s.leave()
	return s.to.Write(p)
}

// enter releases the lock before the write, which may block forever if nobody reads the
// stream.
func (s *stream) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return false
	}
	s.begun = true
	s.writing++
	return true
}

func (s *stream) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writing--
}

// stop closes the stream and returns what the user must know about its contents.
func (s *stream) stop() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
	switch {
	case !s.begun:
		return "nothing was written"
	case s.writing > 0:
		return "the output is not complete"
	default:
		return "the output may not be complete"
	}
}
