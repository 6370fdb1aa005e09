package transport

import "sync"

const (
	// failuresUnknown is after how many failed requests in a row a host is
	// given up that never answered well. One is too few: it may be the fault
	// of one repository.
	failuresUnknown = 3
	// failuresKnown is the same for a host that has answered well before.
	failuresKnown = 10
)

// host is what is known of one host during a run.
type host struct {
	name    string
	limiter *limiter

	mu       sync.Mutex
	plain    bool // it speaks plain HTTP where https was asked for
	answered bool // it sent a header, of any status
	well     bool // it sent an answer that is no failure
	failures int  // failed requests in a row
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
	h.well, h.failures = true, 0
}

// failed notes that a request failed after all its retries, and reports
// whether the host is to be given up: 200 images on a dead host are not tried
// 200 times.
func (h *host) failed() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.failures++
	if h.well {
		return h.failures >= failuresKnown
	}
	return h.failures >= failuresUnknown
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
