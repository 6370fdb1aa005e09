package registrytest

import (
	"net/http"
	"sync/atomic"
)

// MaxInFlight answers 429 with retryAfter to requests above n at one time. Put
// a [Latency] inside it, or requests will hardly ever meet.
func MaxInFlight(n int, retryAfter http.Header) Wrapper {
	var inFlight atomic.Int64
	return func(next http.Handler) http.Handler {
		refuse := Reply(http.StatusTooManyRequests, retryAfter)(next)
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			defer inFlight.Add(-1)
			if inFlight.Add(1) > int64(n) {
				refuse.ServeHTTP(rw, r)
				return
			}
			next.ServeHTTP(rw, r)
		})
	}
}
