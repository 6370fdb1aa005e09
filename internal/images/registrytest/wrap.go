package registrytest

import (
	"net/http"
	"slices"
	"sync/atomic"
)

// Wrapper changes how a registry behaves.
type Wrapper func(http.Handler) http.Handler

// wrap puts the wrappers around h, the first one outermost.
func wrap(h http.Handler, wrappers []Wrapper) http.Handler {
	for _, w := range slices.Backward(wrappers) {
		h = w(h)
	}
	return h
}

// On applies w to the requests of one kind only.
func On(kind Kind, w Wrapper) Wrapper {
	return when(func(r *http.Request) bool { return parse(r).kind == kind }, w)
}

// OnRepository applies w to the requests for one repository only.
func OnRepository(name string, w Wrapper) Wrapper {
	return when(func(r *http.Request) bool { return parse(r).repository == name }, w)
}

// First applies w to the first n requests that reach it, and to none after.
func First(n int, w Wrapper) Wrapper {
	var seen atomic.Int64
	return when(func(*http.Request) bool { return seen.Add(1) <= int64(n) }, w)
}

// After applies w to all but the first n requests that reach it.
func After(n int, w Wrapper) Wrapper {
	var seen atomic.Int64
	return when(func(*http.Request) bool { return seen.Add(1) > int64(n) }, w)
}

// Every applies w to every n-th request that reaches it, beginning with the
// first: a failure rate without a dice.
func Every(n int, w Wrapper) Wrapper {
	var seen atomic.Int64
	return when(func(*http.Request) bool { return (seen.Add(1)-1)%int64(n) == 0 }, w)
}

func when(match func(*http.Request) bool, w Wrapper) Wrapper {
	return func(next http.Handler) http.Handler {
		wrapped := w(next)
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if match(r) {
				wrapped.ServeHTTP(rw, r)
				return
			}
			next.ServeHTTP(rw, r)
		})
	}
}
