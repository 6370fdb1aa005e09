package transport

import (
	"context"
	"slices"
	"sync"
	"time"
)

// calm is how long a host must not report overload before it gets more requests at once
// again.
const calm = 10 * time.Second

// limiter limits the requests that one host has at once.
//
// It lets one request through until that has a connection: many requests that begin
// together would open a connection each, although HTTP/2 needs only one. Then it allows
// max. It reduces the limit when the host reports overload, and raises it slowly
// (additive increase, multiplicative decrease).
type limiter struct {
	max int

	mu       sync.Mutex
	limit    int
	inflight int
	waiting  []chan struct{}
	opened   bool
	closed   error         // why the limiter refuses all requests
	until    time.Time     // the limiter lets no request through before this time
	interval time.Duration // minimum time between two requests
	next     time.Time     // when the next request may begin, by the interval
	why      *Response     // the answer that set until; nil if none did

	epoch   int // increases with each cut
	ceiling int // the maximum to which answers of the epoch before the cut may raise limit
	lastCut time.Time
	row     int         // consecutive answers without overload since limit changed
	served  []time.Time // when the last answers came, the newest last
}

// ticket is the permission for one request.
type ticket struct {
	start time.Time
	epoch int
}

// newLimiter allows n requests at once, and rate in a second; 0 is no limit.
func newLimiter(n, rate int) *limiter {
	l := &limiter{max: n, limit: 1}
	if rate > 0 {
		l.interval = time.Second / time.Duration(rate)
	}
	return l
}

// acquire waits for permission to send a request. Requests get it in the order in
// which they ask. acquire fails at once if the host is closed. It also fails if the host
// accepts no request before the context's deadline, or for longer than longest.
func (l *limiter) acquire(ctx context.Context, longest time.Duration) (ticket, error) {
	granted := false // wake has counted this request as in flight
	for {
		l.mu.Lock()
		wait, err := l.blocked(ctx, longest)
		var turn chan struct{}
		switch {
		case err != nil || wait > 0:
			if granted {
				l.inflight--
				l.wake()
			}
		case granted || len(l.waiting) == 0 && l.inflight < l.limit:
			if !granted {
				l.inflight++
			}
			t := ticket{time.Now(), l.epoch}
			l.next = t.start.Add(l.interval)
			l.mu.Unlock()
			return t, nil
		default:
			turn = make(chan struct{})
			l.waiting = append(l.waiting, turn)
			l.wake()
		}
		l.mu.Unlock()

		granted = false
		switch {
		case err != nil:
		case turn == nil:
			err = sleep(ctx, wait)
		default:
			select {
			case <-turn:
				granted = true
			case <-ctx.Done():
				l.leave(turn)
				err = context.Cause(ctx)
			}
		}
		if err != nil {
			return ticket{}, err
		}
	}
}

// blocked returns how long the limiter lets no request through, or why it refuses all.
func (l *limiter) blocked(ctx context.Context, longest time.Duration) (time.Duration, error) {
	if l.closed != nil {
		return 0, l.closed
	}
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	wait := max(0, time.Until(l.until))
	deadline, ok := ctx.Deadline()
	if wait > longest || ok && wait > 0 && deadline.Before(l.until) {
		return 0, &WaitError{Wait: wait, Response: l.why}
	}
	return max(wait, time.Until(l.next)), nil
}

// leave gives up a turn. If wake has granted it already, the next one gets it.
func (l *limiter) leave(turn chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.Index(l.waiting, turn); i >= 0 {
		l.waiting = slices.Delete(l.waiting, i, i+1)
		return
	}
	l.inflight--
	l.wake()
}

// wake grants as many waiting requests as the limit allows, the first ones first. It
// counts them as in flight, so that no later request takes their place.
func (l *limiter) wake() {
	n := min(max(0, l.limit-l.inflight), len(l.waiting))
	if l.closed != nil {
		n = len(l.waiting)
	}
	for _, turn := range l.waiting[:n] {
		close(turn)
	}
	l.inflight += n
	l.waiting = l.waiting[n:]
}

// open ends the phase of one request at once.
func (l *limiter) open() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.opened {
		l.opened = true
		if l.epoch == 0 {
			l.limit = l.max
		}
		l.wake()
	}
}

// close refuses all further requests and returns the first reason for it.
func (l *limiter) close(reason error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed == nil {
		l.closed = reason
		l.wake()
	}
	return l.closed
}

// release returns the permission after the request ends, successful or not.
func (l *limiter) release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.inflight--
	l.wake()
}
