package registrytest

import (
	"bytes"
	"maps"
	"net/http"
	"strconv"
	"time"
)

// answer is a whole answer, kept to be sent in another way.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header         { return a.header }
func (a *answer) WriteHeader(status int)      { a.status = status }
func (a *answer) Write(p []byte) (int, error) { return a.body.Write(p) }

// keep asks next and returns its answer without sending it.
func keep(next http.Handler, r *http.Request) *answer {
	a := &answer{header: http.Header{}, status: http.StatusOK}
	next.ServeHTTP(a, r)
	return a
}

// sendHead sends status and headers, and the length of the whole body.
func (a *answer) sendHead(rw http.ResponseWriter) {
	maps.Copy(rw.Header(), a.header)
	rw.Header().Set("Content-Length", strconv.Itoa(a.body.Len()))
	rw.WriteHeader(a.status)
	_ = http.NewResponseController(rw).Flush()
}

// Truncate announces the whole body, sends half of it and cuts the connection
// (HTTP/1.1) or the stream (HTTP/2).
func Truncate() Wrapper {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			a := keep(next, r)
			a.sendHead(rw)
			_, _ = rw.Write(a.body.Bytes()[:a.body.Len()/2])
			_ = http.NewResponseController(rw).Flush()
			panic(http.ErrAbortHandler)
		})
	}
}

// SlowBody sends the headers at once and then one byte per interval.
func SlowBody(interval time.Duration) Wrapper {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			a := keep(next, r)
			a.sendHead(rw)
			for _, b := range a.body.Bytes() {
				if !sleep(r, interval) {
					return
				}
				_, _ = rw.Write([]byte{b})
				_ = http.NewResponseController(rw).Flush()
			}
		})
	}
}

// Silent takes the request and never answers.
func Silent() Wrapper {
	return func(http.Handler) http.Handler {
		return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			// To return would be to answer 200 without a body.
			panic(http.ErrAbortHandler)
		})
	}
}

// Latency waits before it asks the registry.
func Latency(d time.Duration) Wrapper {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if sleep(r, d) {
				next.ServeHTTP(rw, r)
			}
		})
	}
}

// sleep waits and reports false where the client went away before the end.
func sleep(r *http.Request, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		return false
	}
}
