package transport

import "time"

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
	case t.epoch == l.epoch && l.opened && l.limit < l.max && time.Since(l.lastCut) > calm:
		if l.row++; l.row >= l.limit {
			l.limit, l.row = l.limit+1, 0
		}
	}
	l.adjust()
}

// refused records that the host wants fewer requests, and none before wait has passed.
// Of the requests that were in flight together, only the first refusal cuts the limit.
// The new limit is what the host served meanwhile, and at most three quarters of the
// requests in flight. A single request in flight says nothing about how many the host
// accepts at once.
func (l *limiter) refused(t ticket, wait time.Duration, answer *Response) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if until := now.Add(wait); until.After(l.until) {
		l.until, l.why = until, answer
	}
	if t.epoch != l.epoch || l.inflight == 1 {
		return
	}
	l.epoch++
	l.lastCut, l.row = now, 0
	l.ceiling = max(1, l.inflight*3/4)
	l.limit = max(1, min(l.served-t.served, l.ceiling))
	l.adjust()
}
