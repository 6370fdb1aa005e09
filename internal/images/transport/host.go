package transport

import (
	"net/http"
	"sync"
	"sync/atomic"
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

	plain    atomic.Bool // it speaks plain HTTP where https was asked for
	secure   atomic.Bool // it completed a TLS handshake
	spoken   atomic.Bool // it sent something that is not TLS
	answered atomic.Bool // it sent a header, of any status
	// hurried is why no hasty request is sent any more.
	hurried atomic.Pointer[error]

	mu sync.Mutex
	// private are the connections of a host with certificates of its own.
	private    http.RoundTripper
	trustErr   error
	trustKnown bool // the two above are set
	well       bool // it sent an answer that is no failure
	// silent are the attempts in a row without an answer, unwell those with an
	// answer that is a failure.
	silent, unwell streak
}

// streak is a row of failed attempts.
type streak struct {
	failures int
	// rounds counts those that began after the one before had failed.
	rounds int
	last   time.Time
}

// noteSuccess notes an answer that is no failure.
func (h *host) noteSuccess() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.well, h.silent, h.unwell = true, streak{}, streak{}
}

// noteSilence notes that an attempt that began at start had no answer, and
// reports whether patience is at its end: 200 images on a dead host are not tried
// 200 times.
func (h *host) noteSilence(start time.Time, retries int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.lengthen(&h.silent, start, retries)
}

// noteFailure notes an answer that is a failure, and reports whether the host
// has given no other for so long that asking again is in vain.
func (h *host) noteFailure(start time.Time, retries int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.silent = streak{}
	return h.lengthen(&h.unwell, start, retries)
}

// lengthen adds to a streak and reports whether patience is at its end: it must
// have failed as often as patience says, and for as long as one request would
// try, for many requests that fail together fail once.
func (h *host) lengthen(s *streak, start time.Time, retries int) bool {
	s.failures++
	if s.rounds == 0 || !start.Before(s.last) {
		s.rounds++
		s.last = time.Now()
	}
	patience := patienceUnknown
	if h.well {
		patience = patienceKnown
	}
	return s.rounds > retries && s.failures >= patience*(retries+1)
}

// alive reports whether the host has shown that it is there. Silence is then about
// what was asked for.
func (h *host) alive() bool { return h.answered.Load() || h.secure.Load() || h.spoken.Load() }

// mayBePlain reports whether an error of TLS may be that the host speaks plain
// HTTP: some such servers answer a greeting of TLS, some hang up. A host that
// speaks TLS, well or badly, is not asked otherwise.
func (h *host) mayBePlain(err error) bool {
	return !h.answered.Load() && (notTLS(err) || !h.secure.Load() && !untrusted(err) && !unreachable(err))
}

// passOver notes that hasty requests are to be spared, and returns why: the
// reason that was given first.
func (h *host) passOver(reason error) error {
	h.hurried.CompareAndSwap(nil, &reason)
	return *h.hurried.Load()
}
