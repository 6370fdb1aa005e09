package registry

import (
	"context"
	"sync"
)

// largeAtOnce is how many large answers the client holds and decodes at once. Many
// images of a hostile registry then use no more memory than a few.
const largeAtOnce = 4

// slots bounds the large answers of a client.
type slots chan struct{}

func newSlots() slots { return make(slots, largeAtOnce) }

// hold is the slot of one answer. The client acquires it when the answer turns out to
// be large, and releases it after decoding the answer.
type hold struct {
	slots    slots
	mu       sync.Mutex
	acquired bool
}

// acquire waits for a slot. A second call returns at once.
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
