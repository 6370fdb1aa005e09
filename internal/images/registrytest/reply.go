package registrytest

import (
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"time"
)

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
