package transport

import (
	"net/http"
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

	mu sync.Mutex
	// own are the connections of a host with certificates of its own.
	own        http.RoundTripper
	trustErr   error
	trustKnown bool // the two above are set
	// hurried is why no hasty request is sent any more.
	hurried error

	plain    bool // it speaks plain HTTP where https was asked for
	secure   bool // it speaks TLS
	spoken   bool // it sent something, if not TLS
	answered bool // it sent a header, of any status
	well     bool // it sent an answer that is no failure
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
	h.well, h.silent, h.unwell = true, streak{}, streak{}
}

// fellSilent notes that an attempt that began at start had no answer, and
// reports whether patience is at its end: 200 images on a dead host are not tried
// 200 times.
func (h *host) fellSilent(start time.Time, retries int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.grows(&h.silent, start, retries)
}

// complained notes an answer that is a failure, and reports whether the host
// has given no other for so long that asking again is in vain.
func (h *host) complained(start time.Time, retries int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.silent = streak{}
	return h.grows(&h.unwell, start, retries)
}

// grows adds to a streak and reports whether patience is at its end: it must
// have failed as often as patience says, and for as long as one request would
// try, for many requests that fail together fail once.
func (h *host) grows(s *streak, start time.Time, retries int) bool {
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

func (h *host) everAnswered() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.answered
}

// alive reports whether the host has shown that it is there: it completed a TLS
// handshake, or sent something. Silence is then about what was asked for.
func (h *host) alive() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.answered || h.secure || h.spoken
}

// spoke notes that the host sent something that is not TLS.
func (h *host) spoke() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.spoken = true
}

// shookHands notes that the host speaks TLS.
func (h *host) shookHands() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.secure = true
}

// mayBePlain reports whether an error of TLS may be that the host speaks plain
// HTTP: some such servers answer a greeting of TLS, some hang up. A host that
// speaks TLS, well or badly, is not asked otherwise.
func (h *host) mayBePlain(err error) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return !h.answered && (notTLS(err) || !h.secure && !untrusted(err) && !unreachable(err))
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

// passOver notes that hasty requests are to be spared, and returns why: the
// reason that was given first.
func (h *host) passOver(reason error) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.hurried == nil {
		h.hurried = reason
	}
	return h.hurried
}

// passedOver returns why no hasty request is to be sent, or nil.
func (h *host) passedOver() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.hurried
}
