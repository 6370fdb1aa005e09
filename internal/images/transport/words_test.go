package transport

import (
	"bufio"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// listen serves connections one by one until the test ends.
func listen(t *testing.T, l net.Listener, serve func(net.Conn)) {
	t.Helper()
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				serve(conn)
			}()
		}
	}()
}

// TestWordsOfHosts: an error shows little of what a host sends, wherever it sends it.
func TestWordsOfHosts(t *testing.T) {
	t.Parallel()
	words := strings.Repeat("words of the host ", 2000)
	for name, answer := range map[string]string{
		"Header":   "HTTP/1.1 200 OK\r\n" + words + "\r\n\r\n",
		"Length":   "HTTP/1.1 200 OK\r\nContent-Length: " + words + "\r\n\r\n",
		"Encoding": "HTTP/1.1 200 OK\r\nTransfer-Encoding: " + words + "\r\n\r\n",
		"Location": "HTTP/1.1 302 Found\r\nLocation: http://" + strings.ReplaceAll(words, " ", "") + ".example/\r\nContent-Length: 0\r\n\r\n",
		"Scheme":   "HTTP/1.1 302 Found\r\nLocation: " + strings.ReplaceAll(words, " ", "") + "://a.example/\r\nContent-Length: 0\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			listen(t, l, func(conn net.Conn) {
				if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
					_, _ = io.WriteString(conn, answer)
				}
			})
			tr := New(Options{RequestTimeout: 15 * time.Second, Concurrency: 1, Insecure: func(string) bool { return true }, TLS: usualTLS, Proxy: noProxy})
			defer tr.Close()
			r := get("http://" + l.Addr().String() + "/")
			r.PlainHTTP = true
			_, err = tr.Do(t.Context(), r)
			if err == nil || len(err.Error()) > 300 || strings.Count(strings.ReplaceAll(err.Error(), " ", ""), "wordsofthehost") > 5 {
				t.Errorf("want a short error, got %v", err)
			}
		})
	}
}

// TestConnectionsThatEnd: a host that ends each connection before it reads a request (HTTP/2
// GOAWAY) gets some connections, and not all that a second has time for.
func TestConnectionsThatEnd(t *testing.T) {
	t.Parallel()
	certified := httptest.NewUnstartedServer(nil)
	certified.EnableHTTP2 = true
	certified.StartTLS()
	config := certified.TLS.Clone()
	certified.Close()
	config.NextProtos = []string{"h2"}
	l, err := tls.Listen("tcp", "127.0.0.1:0", config)
	if err != nil {
		t.Fatal(err)
	}
	var opened atomic.Int32
	const headers, settings, goAway = 1, 4, 7 // types of frames (RFC 9113, 6)
	frame := func(conn net.Conn, kind byte, payload string) {
		_, _ = io.WriteString(conn, "\x00\x00"+string(rune(len(payload)))+string(rune(kind))+"\x00\x00\x00\x00\x00"+payload)
	}
	listen(t, l, func(conn net.Conn) {
		opened.Add(1)
		frame(conn, settings, "")
		const preface = 24
		if _, err := io.CopyN(io.Discard, conn, preface); err != nil {
			return
		}
		for head := make([]byte, 9); ; {
			if _, err := io.ReadFull(conn, head); err != nil {
				return
			}
			if _, err := io.CopyN(io.Discard, conn, int64(binary.BigEndian.Uint32(append([]byte{0}, head[:3]...)))); err != nil {
				return
			}
			if head[3] == headers {
				frame(conn, goAway, strings.Repeat("\x00", 8))
				return
			}
		}
	})
	tr := New(Options{
		RequestTimeout: 15 * time.Second, Retries: 1, Concurrency: 1, Insecure: func(string) bool { return false },
		TLS: func(string) (*tls.Config, error) { return &tls.Config{InsecureSkipVerify: true}, nil }, Proxy: noProxy,
	})
	defer tr.Close()
	_, err = tr.Do(t.Context(), Request{Method: http.MethodGet, URL: &url.URL{Scheme: "https", Host: l.Addr().String(), Path: "/"}, Limit: 1})
	if !errors.Is(err, errConnections) {
		t.Errorf("want %v, got %v", errConnections, err)
	}
	if n := opened.Load(); n > 2*(maxConnections+2) {
		t.Errorf("want few connections, got %d", n)
	}
}
