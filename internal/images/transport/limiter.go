package transport

import (
	"context"
	"slices"
	"sync"
	"time"
)

// calm is how long a host must not have complained before it gets more
// requests at once again.
const calm = 10 * time.Second

// limiter bounds the requests that one host has at once.
//
// It lets one request through until that has a connection: many requests that
// begin together would open a connection each, although HTTP/2 needs one. Then
// it allows max, cuts that down when the host complains, and adds again slowly
// (additive increase, multiplicative decrease).
type limiter struct {
	max int

	mu       sync.Mutex
	limit    int
	inflight int
	waiting  []chan struct{}
	opened   bool
	closed   error         // why nothing is let through any more
	until    time.Time     // nothing is let through before
	interval time.Duration // between two requests
	next     time.Time     // when the next one may begin, by the interval
	why      *Response     // the answer that asked for it; nil if none did

	epoch   int // grows with each cut
	ceiling int // what answers of the epoch before the cut may raise limit to
	lastCut time.Time
	row     int         // answers without complaint since limit changed
	served  []time.Time // when the last answers came, the newest last
}

// ticket is the right to one request.
type ticket struct {
	start time.Time
	epoch int
}

// newLimiter allows n requests at once, and rate in a second; 0 is any number.
func newLimiter(n, rate int) *limiter {
	l := &limiter{max: n, limit: 1}
	if rate > 0 {
		l.interval = time.Second / time.Duration(rate)
	}
	return l
}

// acquire waits for the right to send a request. It fails at once where the
// host is closed, or wants no request before the context's deadline, or for
// longer than longest.
func (l *limiter) acquire(ctx context.Context, longest time.Duration) (ticket, error) {
	for {
		l.mu.Lock()
		wait, err := l.blocked(ctx, longest)
		if err == nil && wait == 0 && l.inflight < l.limit {
			l.inflight++
			t := ticket{time.Now(), l.epoch}
			l.next = t.start.Add(l.interval)
			l.mu.Unlock()
			return t, nil
		}
		var turn chan struct{}
		if err == nil && wait == 0 {
			turn = make(chan struct{})
			l.waiting = append(l.waiting, turn)
		}
		l.mu.Unlock()

		switch {
		case err != nil:
		case turn == nil:
			err = sleep(ctx, wait)
		default:
			select {
			case <-turn:
			case <-ctx.Done():
				err = context.Cause(ctx)
			}
		}
		if err != nil {
			l.leave(turn)
			return ticket{}, err
		}
	}
}

// blocked returns how long nothing is let through, or why nothing ever is.
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

// leave hands the turn on that somebody got who does not want it any more.
func (l *limiter) leave(turn chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = slices.DeleteFunc(l.waiting, func(c chan struct{}) bool { return c == turn })
	l.wake()
}

// wake tells as many as there is room for to try again.
func (l *limiter) wake() {
	n := min(max(0, l.limit-l.inflight), len(l.waiting))
	if l.closed != nil {
		n = len(l.waiting)
	}
	for _, c := range l.waiting[:n] {
		close(c)
	}
	l.waiting = l.waiting[n:]
}

// open ends the time of one request at once.
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

// close lets nothing through any more and returns why: the reason that was
// given first.
func (l *limiter) close(reason error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed == nil {
		l.closed = reason
		l.wake()
	}
	return l.closed
}

// release gives the right back after the request is done, well or not.
func (l *limiter) release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.inflight--
	l.wake()
}
