package transport

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	firstBackoff = 100 * time.Millisecond
	maxBackoff   = 5 * time.Second
	// maxWait is the longest Retry-After that is waited for.
	maxWait = 30 * time.Second
)

// backoff returns how long to wait after the n-th failure (from 0): twice as
// long each time, and up to half as much again, so that many requests that
// failed together do not come together again.
func backoff(n int) time.Duration {
	d := maxBackoff
	if n < 6 {
		d = min(maxBackoff, firstBackoff<<n)
	}
	return d + rand.N(d/2)
}

// retryAfter returns how long an answer asks to wait. The header has seconds
// or a date (RFC 9110, 10.2.3); a date is compared with the server's own, for
// clocks differ.
func retryAfter(h http.Header) (time.Duration, bool) {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if text == "" {
		return 0, false
	}
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second, true
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0, false
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return max(0, at.Sub(now)), true
}

// sleep waits, or returns the context's error.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
