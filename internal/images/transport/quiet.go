package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"sync/atomic"
	"time"
)

// net/http writes what a host sends on an idle HTTP/1.1 connection into the standard logger
// (net/http transport.go: readLoopPeekFailLocked). A hostile registry sends back the login
// that it got there. So no byte of an idle connection reaches net/http. HTTP/2 has no such
// line: its frames name the request that they answer.

// readBuffer is the size of the buffer of net/http for a connection. It bounds a line of a
// chunked body.
const readBuffer = 512

// quietConn is a connection of HTTP/1.1 that ends when a byte arrives between two requests.
// Only its owner knows where an answer ends. So it fills the buffer of net/http byte by
// byte, and no byte after the answer enters that buffer. net/http reads the bodies past its
// buffer, and no further than they go.
type quietConn struct {
	net.Conn

	got               atomic.Bool // a request has the connection, and sent nothing yet
	started, finished atomic.Int64
	buffer            [4096]byte // the bytes that were received, but not read
	rest              []byte     // of buffer
}

// begin records that a request has the connection.
func (c *quietConn) begin() { c.got.Store(true) }

// end records that the whole answer was read. Another request may have begun.
func (c *quietConn) end() { c.finished.Add(1) }

func (c *quietConn) isIdle() bool { return c.started.Load() == c.finished.Load() }

// Write implements [net.Conn]. net/http expects an answer before it writes a request.
func (c *quietConn) Write(p []byte) (int, error) {
	if c.got.CompareAndSwap(true, false) {
		c.started.Add(1)
	}
	return c.Conn.Write(p)
}

// Read implements [net.Conn].
func (c *quietConn) Read(p []byte) (int, error) {
	switch {
	case len(p) == 0:
		return 0, nil
	case len(c.rest) > 0:
	case len(p) > readBuffer:
		n, err := c.Conn.Read(p)
		if n > 0 && c.isIdle() {
			return 0, io.EOF
		}
		return n, err
	default:
		n, err := c.Conn.Read(c.buffer[:])
		if n == 0 {
			return 0, err
		}
		c.rest = c.buffer[:n] // an error comes again with the next Read
	}
	if c.isIdle() {
		return 0, io.EOF
	}
	if len(p) <= readBuffer {
		p = p[:1]
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

// watch makes the trace of a request tell the connection when the request has it, and when its
// answer was read. A second trace would do the same, but net/http/httptrace combines two by
// reflection, for each request.
func watch(trace *httptrace.ClientTrace) {
	var conn atomic.Pointer[quietConn]
	got := trace.GotConn
	trace.GotConn = func(info httptrace.GotConnInfo) {
		quiet, _ := info.Conn.(*quietConn)
		conn.Store(quiet)
		if quiet != nil {
			quiet.begin()
		}
		got(info)
	}
	trace.PutIdleConn = func(error) { // before net/http waits for the next byte
		if quiet := conn.Load(); quiet != nil {
			quiet.end()
		}
	}
}

// dialTLS returns a dialer for TLS. To a host it speaks HTTP/2 or, on a [quietConn],
// HTTP/1.1. To a proxy it speaks HTTP/1.1.
func dialTLS(dial dialer, config *tls.Config) dialer {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		way, isProxied := ctx.Value(proxiedKey{}).(proxied)
		own := config.Clone()
		if own.NextProtos = []string{"h2", "http/1.1"}; isProxied {
			own.NextProtos = []string{"http/1.1"}
		}
		if own.ServerName == "" {
			own.ServerName, _, _ = net.SplitHostPort(address)
		}
		plain, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		conn := tls.Client(plain, own)
		if err := handshake(ctx, conn); err != nil {
			_ = plain.Close()
			return nil, err
		}
		if conn.ConnectionState().NegotiatedProtocol == "h2" || way.tunnel {
			return conn, nil
		}
		return &quietConn{Conn: conn}, nil
	}
}

// handshake does what net/http does for its own connections of TLS.
func handshake(ctx context.Context, conn *tls.Conn) error {
	limited, cancel := context.WithTimeoutCause(ctx, handshakeTimeout, errHandshake)
	defer cancel()
	err := conn.HandshakeContext(limited)
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		err = errHandshake
	}
	if trace := httptrace.ContextClientTrace(ctx); trace != nil && trace.TLSHandshakeDone != nil {
		trace.TLSHandshakeDone(conn.ConnectionState(), err)
	}
	return err
}

const handshakeTimeout = 10 * time.Second

var errHandshake = fmt.Errorf("TLS handshake timeout: %w", os.ErrDeadlineExceeded)

// dialQuiet returns a dialer for plain HTTP, and for the way to a proxy.
func dialQuiet(dial dialer) dialer {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if way, _ := ctx.Value(proxiedKey{}).(proxied); err != nil || way.tunnel {
			return conn, err
		}
		return &quietConn{Conn: conn}, nil
	}
}

// errNotHTTP2 is the error of a host behind a proxy that does not speak HTTP/2.
var errNotHTTP2 = errors.New("the host does not speak HTTP/2")

// requireHTTP2 makes a configuration refuse connections without HTTP/2.
func requireHTTP2(config *tls.Config) *tls.Config {
	config = config.Clone()
	verify := config.VerifyConnection
	config.VerifyConnection = func(state tls.ConnectionState) error {
		if verify != nil {
			if err := verify(state); err != nil {
				return err
			}
		}
		if state.NegotiatedProtocol != "h2" {
			return errNotHTTP2
		}
		return nil
	}
	return config
}

// pools are the connections to a host. net/http makes TLS in the tunnel of a proxy itself,
// where no quietConn is possible: there only connections of HTTP/2 serve several requests.
type pools struct {
	kept *http.Transport
	// single has connections of HTTP/1.1 in tunnels, which serve one request.
	single *http.Transport
	old    atomic.Bool // the host does not speak HTTP/2 in a tunnel
}

// RoundTrip implements [http.RoundTripper].
func (p *pools) RoundTrip(r *http.Request) (*http.Response, error) {
	if way, _ := r.Context().Value(proxiedKey{}).(proxied); !way.tunnel {
		return p.kept.RoundTrip(r)
	}
	if r.URL.Scheme == "https" && !p.old.Load() {
		res, err := p.kept.RoundTrip(r)
		if !errors.Is(err, errNotHTTP2) {
			return res, err
		}
		p.old.Store(true)
		if r.Body, err = r.GetBody(); err != nil {
			return nil, err
		}
	}
	return p.single.RoundTrip(r)
}

// CloseIdleConnections closes the idle connections.
func (p *pools) CloseIdleConnections() {
	p.kept.CloseIdleConnections()
	p.single.CloseIdleConnections()
}
