package cli

import (
	"errors"
	"io"
	"sync"
)

// errStopped is the error of a write after a signal.
var errStopped = errors.New("stopped by a signal")

// output is a stream of the process that a signal closes. The last message of the
// process then describes everything that it wrote.
type output struct {
	to io.Writer

	mu      sync.Mutex
	begun   bool // a write has begun, and may have ended
	writing int  // how many writes have not returned
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

// enter releases the lock before the write, which may block forever if nobody reads the
// stream.
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

// stop closes the stream and returns what the user must know about its contents.
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
