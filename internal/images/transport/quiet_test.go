package transport

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/internal/images/confine"
)

// written is a writer for several goroutines.
type written struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *written) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

func (w *written) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// raw is a host of HTTP/1.1 that answers each request on a connection, and then sends what
// a host may not send.
type raw struct {
	listener net.Listener
	conns    atomic.Int32
}

// serveRaw starts a host.
func serveRaw(t *testing.T, config *tls.Config, answer func(conn net.Conn, r *http.Request)) *raw {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	s := &raw{listener: listener}
	if config != nil {
		listener = tls.NewListener(listener, config)
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				s.conns.Add(1)
				for reader := bufio.NewReader(conn); ; {
					r, err := http.ReadRequest(reader)
					if err != nil {
						return
					}
					_, _ = io.Copy(io.Discard, r.Body)
					answer(conn, r)
				}
			}()
		}
	}()
	return s
}

// logs directs Go's logger into a buffer.
func logs(t *testing.T) *written {
	t.Helper()
	before, to := log.Writer(), &written{}
	log.SetOutput(to)
	t.Cleanup(func() { log.SetOutput(before) })
	return to
}

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

// certified returns a configuration of a host, and one of a client that trusts it.
func certified(t *testing.T) (host, client *tls.Config) {
	t.Helper()
	s := httptest.NewUnstartedServer(nil)
	s.StartTLS()
	t.Cleanup(s.Close)
	client = s.Client().Transport.(*http.Transport).TLSClientConfig
	return &tls.Config{Certificates: s.TLS.Certificates, NextProtos: []string{"http/1.1"}, MinVersion: tls.VersionTLS12}, client
}

// TestUnsolicitedBytes: a host sends the login that it got once more, after its answer. It
// gets the next requests all the same, and Go's logger gets nothing.
func TestUnsolicitedBytes(t *testing.T) {
	const secret = "Basic cm9ib3Q6UGE1NXcwcmQ="
	said := logs(t)
	for _, tc := range []struct {
		reason string
		answer func(conn net.Conn, login string)
	}{
		{"at once, in one write", func(conn net.Conn, login string) {
			fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok%s", login)
		}},
		{"after an answer without a body", func(conn net.Conn, login string) {
			fmt.Fprintf(conn, "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n%s", login)
		}},
		{"after a chunked answer", func(conn net.Conn, login string) {
			fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n%s", login)
		}},
		{"after a large answer", func(conn net.Conn, login string) {
			fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n%s%s", strings.Repeat("x", 9000), login)
		}},
		{"after a large chunked answer", func(conn net.Conn, login string) {
			fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1000\r\n%s\r\n0\r\n\r\n%s", strings.Repeat("x", 4096), login)
		}},
		{"as another answer", func(conn net.Conn, login string) {
			fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nX-Login: %s\r\nContent-Length: 0\r\n\r\n", login)
		}},
		{"later", func(conn net.Conn, login string) {
			fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
			time.Sleep(5 * time.Millisecond)
			fmt.Fprint(conn, login)
		}},
	} {
		for _, way := range []string{"plain", "TLS", "tunnel", "proxy"} {
			t.Run(tc.reason+"/"+way, func(t *testing.T) {
				config, trusts := certified(t)
				scheme := "https"
				if way == "plain" || way == "proxy" {
					config, scheme = nil, "http"
				}
				s := serveRaw(t, config, func(conn net.Conn, r *http.Request) { tc.answer(conn, r.Header.Get("Authorization")) })
				options := Options{
					RequestTimeout: 10 * time.Second, ShortTimeout: time.Second, Concurrency: 4, Retries: 2, UserAgent: "test",
					TLS: func(string) (*tls.Config, error) { return trusts.Clone(), nil }, Insecure: func(string) bool { return true },
					Confine: confine.Policy{}, Proxy: noProxy,
				}
				switch way {
				case "tunnel":
					through := tunnels(t)
					options.Proxy = func(*url.URL) (*url.URL, error) { return through, nil }
				case "proxy":
					through := &url.URL{Scheme: "http", Host: s.listener.Addr().String()}
					options.Proxy = func(*url.URL) (*url.URL, error) { return through, nil }
				}
				transport := New(options)
				defer transport.Close()
				for range 6 {
					r := Request{
						Method: http.MethodGet, URL: &url.URL{Scheme: scheme, Host: s.listener.Addr().String(), Path: "/v2/"},
						Header: http.Header{"Authorization": {secret}}, Limit: 1 << 20, PlainHTTP: true,
					}
					resp, err := transport.Do(t.Context(), r)
					if err != nil {
						t.Fatal(err)
					}
					if resp.Status == 200 && !strings.HasPrefix(string(resp.Body), "ok") && !strings.HasPrefix(string(resp.Body), "xxx") {
						t.Errorf("want its own answer, got %q %q", resp.Header, resp.Body)
					}
					time.Sleep(10 * time.Millisecond) // net/http logs from a goroutine of its own
				}
			})
		}
	}
	if text := said.String(); text != "" {
		t.Errorf("the logger got\n%s", text)
	}
}

// TestConnectionsAreKept: a host that behaves gets its requests on one connection. In a
// tunnel that takes HTTP/2.
func TestConnectionsAreKept(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason      string
		tls, http2  bool
		tunnel      bool
		connections int32
	}{
		{"plain HTTP", false, false, false, 1},
		{"TLS", true, false, false, 1},
		{"HTTP/2", true, true, false, 1},
		{"HTTP/2 in a tunnel", true, true, true, 1},
		{"HTTP/1.1 in a tunnel: one that is refused, and one a request", true, false, true, 9},
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
			if got := connections.Load(); got != tc.connections {
				t.Errorf("want %d connections, got %d", tc.connections, got)
			}
		})
	}
}
