package transport

import (
	"sync"
	"time"
)

const (
	// patienceUnknown is how many requests a host that never answered well may
	// fail, retries included. One is too few: it may be the fault of one
	// repository.
	patienceUnknown = 3
	// patienceKnown is the same for a host that has answered well before.
	patienceKnown = 10
)

// host is what is known of one host during a run.
type host struct {
	name    string
	limiter *limiter

	mu       sync.Mutex
	plain    bool // it speaks plain HTTP where https was asked for
	answered bool // it sent a header, of any status
	well     bool // it sent an answer that is no failure
	// failures counts failed attempts in a row; rounds counts those of them
	// that began after the one before had failed.
	failures, rounds int
	lastFailure      time.Time
}

// heard notes that the host sent a header.
func (h *host) heard() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.answered = true
}

// worked notes an answer that is no failure.
func (h *host) worked() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.well, h.failures, h.rounds = true, 0, 0
}

// failed notes that an attempt failed that began at start, and reports
// whether the host is to be given up: 200 images on a dead host are not tried
// 200 times. It must have failed as often as patience says, and for as long as
// one request would try: many requests that fail together fail once.
func (h *host) failed(start time.Time, retries int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.failures++
	if h.rounds == 0 || !start.Before(h.lastFailure) {
		h.rounds++
		h.lastFailure = time.Now()
	}
	patience := patienceUnknown
	if h.well {
		patience = patienceKnown
	}
	return h.rounds > retries && h.failures >= patience*(retries+1)
}

func (h *host) everAnswered() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.answered
}

// speaksPlain reports whether the host was found to speak plain HTTP.
func (h *host) speaksPlain() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.plain
}

// fallBack notes that an insecure host speaks plain HTTP.
func (h *host) fallBack() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.plain = true
}
