package transport

import (
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// failuresOfUnknownHost is how many requests, each with its retries, may fail at a host
	// that has never answered well. One is too few: one broken repository may be the
	// reason.
	failuresOfUnknownHost = 3
	// failuresOfKnownHost is the same for a host that has answered well before.
	failuresOfKnownHost = 10
)

// host is the state of one host during a run.
type host struct {
	name    string
	limiter *limiter

	plain     atomic.Bool // it speaks plain HTTP although the URL has https
	secure    atomic.Bool // it completed a TLS handshake
	sentNoTLS atomic.Bool // it sent something that is not TLS
	answered  atomic.Bool // it sent a header, of any status
	// shortTimeoutOff is why the transport sends no more requests with the short timeout.
	shortTimeoutOff atomic.Pointer[error]

	// pool returns the connections.
	pool func() (http.RoundTripper, error)

	mu      sync.Mutex
	healthy bool // it sent an answer that does not count as a failure
	// timeouts counts the consecutive attempts without an answer, badAnswers those with an
	// answer that is a failure.
	timeouts, badAnswers streak
}

// streak is a series of failed attempts.
type streak struct {
	failures int
	// rounds counts the attempts that began after the previous one failed.
	rounds int
	last   time.Time
}

// noteSuccess records an answer that does not count as a failure.
func (h *host) noteSuccess() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.healthy, h.timeouts, h.badAnswers = true, streak{}, streak{}
}

// noteSilence records that an attempt that began at start had no answer. It reports
// whether the transport should give up, so that it does not try a dead host 200 times
// for 200 images.
func (h *host) noteSilence(start time.Time, retries int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.lengthen(&h.timeouts, start, retries)
}

// noteFailure records an answer that is a failure. It reports whether the host has sent
// nothing else for so long that more retries are useless.
func (h *host) noteFailure(start time.Time, retries int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.timeouts = streak{}
	return h.lengthen(&h.badAnswers, start, retries)
}

// lengthen extends a streak and reports whether its limits are reached. The number of
// failures must reach the limit, and the streak must have as many rounds as one request
// has attempts. Many requests that fail together count as one round.
func (h *host) lengthen(s *streak, start time.Time, retries int) bool {
	s.failures++
	if s.rounds == 0 || !start.Before(s.last) {
		s.rounds++
		s.last = time.Now()
	}
	patience := failuresOfUnknownHost
	if h.healthy {
		patience = failuresOfKnownHost
	}
	return s.rounds > retries && s.failures >= patience*(retries+1)
}

// alive reports whether the host has shown that it is up. Silence is then a problem of
// the requested resource.
func (h *host) alive() bool { return h.answered.Load() || h.secure.Load() || h.sentNoTLS.Load() }

// mayBePlain reports whether an error of TLS may mean that the host speaks plain HTTP:
// some such servers answer a TLS handshake, some hang up. The transport does not try
// plain HTTP if a host speaks TLS, well or badly.
func (h *host) mayBePlain(err error) bool {
	return !h.answered.Load() && (notTLS(err) || !h.secure.Load() && !untrusted(err) && !unreachable(err))
}

// giveUpError stops requests with the short timeout to the host, and returns the first reason for it.
func (h *host) giveUpError(reason error) error {
	h.shortTimeoutOff.CompareAndSwap(nil, &reason)
	return *h.shortTimeoutOff.Load()
}
