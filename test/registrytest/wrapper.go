package registrytest

import (
	"crypto/tls"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync/atomic"
	"time"
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
	return counted(func(request int64) bool { return request < int64(n) }, w)
}

// After applies w to all but the first n requests that reach it.
func After(n int, w Wrapper) Wrapper {
	return counted(func(request int64) bool { return request >= int64(n) }, w)
}

// Every applies w to every n-th request that reaches it, beginning with the
// first: a failure rate without a dice.
func Every(n int, w Wrapper) Wrapper {
	return counted(func(request int64) bool { return request%int64(n) == 0 }, w)
}

// counted applies w to the requests that match by how many came before.
func counted(match func(request int64) bool, w Wrapper) Wrapper {
	var seen atomic.Int64
	return when(func(*http.Request) bool { return match(seen.Add(1) - 1) }, w)
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

// Reply answers with a status and headers and does not ask the registry. The
// body is the error list of the OCI distribution specification.
func Reply(status int, header http.Header) Wrapper {
	body := fmt.Sprintf(`{"errors":[{"code":%q,"message":%q}]}`, errorCode(status), http.StatusText(status))
	return ReplyBody(status, "application/json", []byte(body), header)
}

// ReplyBody answers with a status, a content type and a body: a captive
// portal's HTML page, or a token that is no JSON.
func ReplyBody(status int, contentType string, body []byte, header http.Header) Wrapper {
	return func(http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
			maps.Copy(rw.Header(), header)
			rw.Header().Set("Content-Type", contentType)
			rw.WriteHeader(status)
			_, _ = rw.Write(body)
		})
	}
}

// RetryAfter is the header Retry-After in seconds.
func RetryAfter(seconds int) http.Header {
	return http.Header{"Retry-After": {strconv.Itoa(seconds)}}
}

// RetryAfterDate answers with a status and a Retry-After that is a date, wait
// from the time of the answer. HTTP dates have whole seconds, so the wait is
// rounded up to the next.
func RetryAfterDate(status int, wait time.Duration) Wrapper {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			at := time.Now().Add(wait + time.Second - time.Nanosecond).UTC().Truncate(time.Second)
			header := http.Header{"Retry-After": {at.Format(http.TimeFormat)}}
			Reply(status, header)(next).ServeHTTP(rw, r)
		})
	}
}

// HTMLPage is what a captive portal or a proxy puts in a registry's place.
func HTMLPage() Wrapper {
	page := "<!DOCTYPE html><html><body><h1>Please log in to the network</h1></body></html>"
	return ReplyBody(http.StatusOK, "text/html; charset=utf-8", []byte(page), nil)
}

func errorCode(status int) string {
	switch status {
	case http.StatusUnauthorized:
		return "UNAUTHORIZED"
	case http.StatusForbidden:
		return "DENIED"
	case http.StatusNotFound:
		return "NOT_FOUND"
	case http.StatusTooManyRequests:
		return "TOOMANYREQUESTS"
	default:
		return "UNKNOWN"
	}
}

// answerHead asks next, and sends the status and the headers of its answer, and the length
// of the whole body. It returns the body, to be sent in another way.
func answerHead(rw http.ResponseWriter, r *http.Request, next http.Handler) []byte {
	answer := httptest.NewRecorder()
	next.ServeHTTP(answer, r)
	maps.Copy(rw.Header(), answer.Header())
	rw.Header().Set("Content-Length", strconv.Itoa(answer.Body.Len()))
	rw.WriteHeader(answer.Code)
	_ = http.NewResponseController(rw).Flush()
	return answer.Body.Bytes()
}

// Truncate announces the whole body, sends half of it and cuts the connection
// (HTTP/1.1) or the stream (HTTP/2).
func Truncate() Wrapper {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			body := answerHead(rw, r, next)
			_, _ = rw.Write(body[:len(body)/2])
			_ = http.NewResponseController(rw).Flush()
			panic(http.ErrAbortHandler)
		})
	}
}

// SlowBody sends the headers at once and then one byte per interval.
func SlowBody(interval time.Duration) Wrapper {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			for _, b := range answerHead(rw, r, next) {
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

// Redirect sends the client to the same path of another place. query is what
// stands behind it, such as the signature of a blob store's URL.
func Redirect(to, query string) Wrapper {
	return func(http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			target := to + r.URL.Path
			if query != "" {
				target += "?" + query
			}
			rw.Header().Set("Location", target)
			rw.WriteHeader(http.StatusTemporaryRedirect)
		})
	}
}

// RedirectLoop sends the client to where it is, for ever.
func RedirectLoop() Wrapper { return Redirect("", "") }

// Reset answers nothing: it resets the connection (HTTP/1.1) or the stream
// (HTTP/2).
func Reset() Wrapper {
	return func(http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(rw).Hijack()
			if err != nil {
				panic(http.ErrAbortHandler) // HTTP/2: RST_STREAM
			}
			if secured, ok := conn.(*tls.Conn); ok {
				conn = secured.NetConn()
			}
			if tcp, ok := conn.(*net.TCPConn); ok {
				_ = tcp.SetLinger(0) // a reset, not an orderly end
			}
			_ = conn.Close()
		})
	}
}

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
