package transport

import (
	"slices"
	"time"
)

// answered notes that the host served a request without complaint.
func (l *limiter) answered(t ticket) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if len(l.served) >= 4*l.max {
		l.served = slices.Delete(l.served, 0, len(l.served)/2)
	}
	l.served = append(l.served, now)
	switch {
	case t.epoch == l.epoch-1 && l.limit < l.ceiling:
		// It was under way when another one was refused: so much the host
		// serves at once.
		l.limit++
	case t.epoch == l.epoch && l.opened && l.limit < l.max && now.Sub(l.lastCut) > calm:
		if l.row++; l.row < l.limit {
			return
		}
		l.limit, l.row = l.limit+1, 0
	default:
		return
	}
	l.wake()
}

// refused notes that the host wants fewer requests, and none before wait has
// passed. Only the first refusal among the requests that were under way
// together cuts the limit: to what the host served meanwhile, and at most to
// three quarters of what was under way. A request that was alone says nothing
// about how many the host likes at once.
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
	meanwhile := 0
	for _, at := range slices.Backward(l.served) {
		if at.Before(t.start) {
			break
		}
		meanwhile++
	}
	l.epoch++
	l.lastCut, l.row = now, 0
	l.ceiling = max(1, l.inflight*3/4)
	l.limit = max(1, min(meanwhile, l.ceiling))
}
