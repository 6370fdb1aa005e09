package registry

import (
	"context"
	"sync"
)

// largeAtOnce is how many large answers are held and decoded at once, so that many
// images of a hostile registry cost no more than a few.
const largeAtOnce = 4

// slots bounds the large answers of a client.
type slots chan struct{}

func newSlots() slots { return make(slots, largeAtOnce) }

// hold is the slot of one answer. It is taken when the answer turns out to be
// large, and given back when the answer has been decoded.
type hold struct {
	slots    slots
	mu       sync.Mutex
	acquired bool
}

// take waits for a slot; a second call has it already.
func (h *hold) acquire(ctx context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.acquired {
		return nil
	}
	select {
	case h.slots <- struct{}{}:
		h.acquired = true
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (h *hold) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.acquired {
		<-h.slots
		h.acquired = false
	}
}
