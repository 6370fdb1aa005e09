package transport

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"
)

// recoveryPeriod is how long a host must not report overload before it gets more requests at once
// again.
const recoveryPeriod = 10 * time.Second

// unlimitedPermits is more than ever wait.
const unlimitedPermits = 1 << 30

// limiter limits the requests that one host has at once.
//
// It lets one request through until that has a connection: many requests that begin
// together would open a connection each, although HTTP/2 needs only one. Then it allows
// max. It reduces the limit when the host reports overload, and raises it slowly
// (additive increase, multiplicative decrease).
type limiter struct {
	max int
	// places has a place for every caller. The limiter itself holds those above the limit.
	places *semaphore.Weighted
	rate   *rate.Limiter

	mu           sync.Mutex
	closed       error // why the limiter refuses all requests
	limit        int
	reserved     int
	inflight     int
	opened       bool
	closedUntil  time.Time // the limiter lets no request through before this time
	closedReason *Response // the answer that set until; nil if none did

	epoch     int // increases with each cut
	ceiling   int // the maximum to which answers of the epoch before the cut may raise limit
	lastCut   time.Time
	successes int // consecutive answers without overload since limit changed
	served    int // answers without overload
}

// ticket is the permission for one request: when it began, and what the limiter knew.
type ticket struct {
	start         time.Time
	epoch, served int
}

// newLimiter allows n requests at once, and perSecond in a second; 0 is no limit.
func newLimiter(n, perSecond int) *limiter {
	l := &limiter{max: n, limit: 1, places: semaphore.NewWeighted(unlimitedPermits), reserved: unlimitedPermits - 1, rate: rate.NewLimiter(rate.Inf, 1)}
	if perSecond > 0 {
		l.rate.SetLimit(rate.Limit(perSecond))
	}
	l.places.TryAcquire(unlimitedPermits - 1)
	return l
}

// acquire waits for permission to send a request. Requests get it in the order in
// which they ask. acquire fails at once if the host is closed. It also fails if the host
// accepts no request before the context's deadline, or for longer than longest.
func (l *limiter) acquire(ctx context.Context, longest time.Duration) (ticket, error) {
	for {
		if err := l.places.Acquire(ctx, 1); err != nil {
			return ticket{}, context.Cause(ctx)
		}
		l.mu.Lock()
		wait, err := l.blocked(ctx, longest)
		if err == nil && wait <= 0 {
			l.inflight++
			t := ticket{time.Now(), l.epoch, l.served}
			l.mu.Unlock()
			return t, nil
		}
		l.giveBack()
		l.mu.Unlock()
		if err == nil {
			err = sleep(ctx, wait)
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
	wait := time.Until(l.closedUntil)
	if deadline, ok := ctx.Deadline(); wait > longest || ok && wait > 0 && deadline.Before(l.closedUntil) {
		return 0, &AnswerError{Wait: wait, Response: l.closedReason}
	}
	if wait <= 0 {
		turn := l.rate.Reserve()
		if wait = turn.Delay(); wait > 0 {
			turn.Cancel()
		}
	}
	return wait, nil
}

// release returns the permission after the request ends, successful or not.
func (l *limiter) release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.inflight--
	l.giveBack()
}

// giveBack frees a place, unless the limit fell while a request had it.
func (l *limiter) giveBack() {
	if l.reserved < unlimitedPermits-l.limit {
		l.reserved++
		return
	}
	l.places.Release(1)
}

// adjust holds as many places as the limit requires, as far as they are free; none of a
// host that is closed.
func (l *limiter) adjust() {
	if l.closed != nil {
		l.places.Release(int64(l.reserved))
		l.reserved = 0
		return
	}
	for l.reserved < unlimitedPermits-l.limit && l.places.TryAcquire(1) {
		l.reserved++
	}
	if more := l.reserved - (unlimitedPermits - l.limit); more > 0 {
		l.places.Release(int64(more))
		l.reserved -= more
	}
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
		l.adjust()
	}
}

// close refuses all further requests and returns the first reason for it.
func (l *limiter) close(reason error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed == nil {
		// All who wait get a place, and see that the host is closed.
		l.closed = reason
		l.adjust()
	}
	return l.closed
}

// answered records that the host served a request without reporting overload.
func (l *limiter) answered(t ticket) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.served++
	switch {
	case t.epoch == l.epoch-1 && l.limit < l.ceiling:
		// This request was in flight when the host refused another one: the host can
		// serve this many at once.
		l.limit++
	case t.epoch == l.epoch && l.opened && l.limit < l.max && time.Since(l.lastCut) > recoveryPeriod:
		if l.successes++; l.successes >= l.limit {
			l.limit, l.successes = l.limit+1, 0
		}
	}
	l.adjust()
}

// refused records that the host wants fewer requests, and none before wait has passed.
// Of the requests that were in flight together, only the first refusal cuts the limit.
// The new limit is what the host served meanwhile, and at most three quarters of the
// requests in flight. A single request in flight says nothing about how many the host
// accepts at once.
//
// It reports whether the limit fell since the request began: the request was then one of
// too many, and its refusal says nothing about what happens to it when it is sent again.
func (l *limiter) refused(t ticket, wait time.Duration, answer *Response) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if until := now.Add(wait); until.After(l.closedUntil) {
		l.closedUntil, l.closedReason = until, answer
	}
	if t.epoch != l.epoch || l.inflight == 1 {
		return t.epoch != l.epoch
	}
	l.epoch++
	l.lastCut, l.successes = now, 0
	l.ceiling = max(1, l.inflight*3/4)
	l.limit = max(1, min(l.served-t.served, l.ceiling))
	l.adjust()
	return true
}
