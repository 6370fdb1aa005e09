package transport

import (
	"bytes"
	"compress/gzip"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestCompressedAnswers: an answer that a server compresses is read as CDI's importer reads
// it, and its limit is that of what it expands to. The connection stays.
func TestCompressedAnswers(t *testing.T) {
	t.Parallel()
	compressed := func(body []byte) []byte {
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		if _, err := w.Write(body); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	small, large := compressed([]byte(`{"a": 1}`)), compressed(make([]byte, 64<<20))
	var opened atomic.Int32
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		body := small
		switch r.URL.Path {
		case "/large":
			body = large
		case "/broken":
			body = small[:len(small)-4]
		}
		_, _ = w.Write(body)
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	s.Start()
	defer s.Close()
	tr := New(Options{RequestTimeout: 15 * time.Second, Concurrency: 1, Insecure: func(string) bool { return true }, TLS: usualTLS, Proxy: noProxy})
	defer tr.Close()
	ask := func(path string) (*Response, error) {
		r := get(s.URL + path)
		r.PlainHTTP, r.Limit = true, 1<<20
		return tr.Do(t.Context(), r)
	}
	for range 3 {
		if resp, err := ask("/small"); err != nil || string(resp.Body) != `{"a": 1}` {
			t.Errorf("want what was compressed, got %v, %+v", err, resp)
		}
	}
	if n := opened.Load(); n != 1 {
		t.Errorf("want one connection, got %d", n)
	}
	if _, err := ask("/large"); !errors.Is(err, ErrTooLarge) {
		t.Errorf("want an error about the size, got %v", err)
	}
	if _, err := ask("/broken"); err == nil || !strings.Contains(err.Error(), "ended early") {
		t.Errorf("want an error about the end, got %v", err)
	}
}
