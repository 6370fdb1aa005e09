package transport

import (
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"
	"time"
)

// tunnels starts a proxy of CONNECT.
func tunnels(t *testing.T) *url.URL {
	t.Helper()
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		far, err := net.Dial("tcp", r.Host)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		near, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		_, _ = io.WriteString(near, "HTTP/1.1 200 OK\r\n\r\n")
		go func() { _, _ = io.Copy(far, near); _ = far.Close() }()
		_, _ = io.Copy(near, far)
		_ = near.Close()
	}))
	t.Cleanup(proxy.Close)
	address, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// TestConnectionsAreKept: a host gets its requests on one connection.
func TestConnectionsAreKept(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason             string
		tls, http2, tunnel bool
	}{
		{reason: "plain HTTP"},
		{reason: "TLS", tls: true},
		{reason: "HTTP/2", tls: true, http2: true},
		{reason: "HTTP/2 in a tunnel", tls: true, http2: true, tunnel: true},
		{reason: "HTTP/1.1 in a tunnel", tls: true, tunnel: true},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			var connections atomic.Int32
			s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") }))
			s.Config.ErrorLog = log.New(io.Discard, "", 0)
			s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
				if state == http.StateNew {
					connections.Add(1)
				}
			}
			s.EnableHTTP2 = tc.http2
			config := &tls.Config{MinVersion: tls.VersionTLS12}
			if tc.tls {
				s.StartTLS()
				config = s.Client().Transport.(*http.Transport).TLSClientConfig
			} else {
				s.Start()
			}
			defer s.Close()
			options := Options{
				RequestTimeout: 10 * time.Second, ShortTimeout: time.Second, Concurrency: 4, UserAgent: "test",
				TLS: func(string) (*tls.Config, error) { return config.Clone(), nil }, Insecure: func(string) bool { return false },
				Proxy: noProxy,
			}
			if tc.tunnel {
				through := tunnels(t)
				options.Proxy = func(*url.URL) (*url.URL, error) { return through, nil }
			}
			transport := New(options)
			defer transport.Close()
			to, err := url.Parse(s.URL)
			if err != nil {
				t.Fatal(err)
			}
			for range 8 {
				resp, err := transport.Do(t.Context(), Request{Method: http.MethodGet, URL: to, Limit: 1 << 20, PlainHTTP: true})
				if err != nil || string(resp.Body) != "ok" {
					t.Fatalf("want an answer, got %v, %v", resp, err)
				}
			}
			if got := connections.Load(); got != 1 {
				t.Errorf("want one connection, got %d", got)
			}
		})
	}
}
