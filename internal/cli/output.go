package cli

import (
	"errors"
	"io"
	"sync"
)

// errStopped is what a write gets after a signal.
var errStopped = errors.New("stopped by a signal")

// output is a stream of the process that a signal closes: what the process says
// last is true of all that it wrote.
type output struct {
	to io.Writer

	mu      sync.Mutex
	begun   bool // something was written, or is being written
	writing int  // how many writes have not come back
	stopped bool
}

// Write implements [io.Writer]. After a stop it writes nothing.
func (o *output) Write(p []byte) (int, error) {
	if !o.enter() {
		return 0, errStopped
	}
	defer o.leave()
	return o.to.Write(p)
}

// enter does not hold the lock while the stream is written to, which may take
// for ever where nobody reads it.
func (o *output) enter() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.stopped {
		return false
	}
	o.begun = true
	o.writing++
	return true
}

func (o *output) leave() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.writing--
}

// stop closes the stream and says, for the user, what became of it.
func (o *output) stop() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.stopped = true
	switch {
	case !o.begun:
		return "nothing was written"
	case o.writing > 0:
		return "the output is not complete"
	default:
		return "the output may not be complete"
	}
}
