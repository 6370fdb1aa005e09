package transport

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestLargeHeadersAndErrors: of headers nothing is read beyond their limit, and an
// answer that is an error is cut at its own.
func TestLargeHeadersAndErrors(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/header" {
			w.Header().Set("X-Large", strings.Repeat("x", headerLimit+1))
			return
		}
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write(make([]byte, 4*errorLimit))
	}))
	defer s.Close()
	tr := New(Options{RequestTimeout: 15 * time.Second, Concurrency: 1, Insecure: func(string) bool { return true }, TLS: usualTLS, Proxy: noProxy})
	defer tr.Close()
	ask := func(path string) (*Response, error) {
		r := get(s.URL + path)
		r.PlainHTTP, r.Limit = true, 1<<30
		return tr.Do(t.Context(), r)
	}
	if _, err := ask("/header"); err == nil || !strings.Contains(err.Error(), "header") {
		t.Errorf("want an error about the headers, got %v", err)
	}
	resp, err := ask("/error")
	if err != nil || resp.Status != http.StatusNotFound || len(resp.Body) != errorLimit {
		t.Errorf("want the first %d bytes of the error, got %v, %+v", errorLimit, err, resp)
	}
}
