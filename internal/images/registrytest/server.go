package registrytest

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"
)

// Options says how a [Server] listens and behaves. The zero Options is a
// registry over TLS with HTTP/2 on IPv4's loopback, for anybody, without a
// fault.
type Options struct {
	// PlainHTTP serves without TLS, and so without HTTP/2.
	PlainHTTP bool
	// HTTP1 serves over TLS without HTTP/2.
	HTTP1 bool
	// IPv6 listens on [::1].
	IPv6 bool
	// ClientCertificates refuses who shows no certificate.
	ClientCertificates bool
	// RoundTrip is how far away the registry is; 0 is next door.
	RoundTrip time.Duration
	// Streams is how many requests a connection of HTTP/2 carries at once; 0 is Go's
	// default.
	Streams int
	// Wrappers stand before the store, the first one outermost.
	Wrappers []Wrapper
}

// Server is a registry that listens. Push to its Store at any time.
type Server struct {
	*Store

	recorder *recorder
	server   *httptest.Server
}

// Start starts a registry. The error is that of listening, or of making the
// certificates.
func Start(o Options) (*Server, error) {
	address := "127.0.0.1:0"
	if o.IPv6 {
		address = "[::1]:0"
	}
	listener, err := net.Listen("tcp", address) //nolint:noctx // listening on the loopback takes no time
	if err != nil {
		return nil, fmt.Errorf("registrytest: listen: %w", err)
	}
	if o.RoundTrip > 0 {
		listener = latency{listener, o.RoundTrip}
	}
	s := &Server{Store: NewStore(), recorder: newRecorder()}
	s.server = &httptest.Server{
		Listener:    listener,
		EnableHTTP2: !o.PlainHTTP && !o.HTTP1,
		Config: &http.Server{ //nolint:gosec // slow clients are the tests' own
			Handler:   s.recorder.wrap(wrap(s.Store, o.Wrappers)),
			HTTP2:     &http.HTTP2Config{MaxConcurrentStreams: o.Streams},
			ConnState: s.recorder.connState,
			// Refused handshakes and aborted answers are on purpose.
			ErrorLog: log.New(io.Discard, "", 0),
		},
	}
	if o.PlainHTTP {
		s.server.Start()
		return s, nil
	}
	own, err := authority()
	if err != nil {
		_ = listener.Close()
		return nil, fmt.Errorf("registrytest: certificate: %w", err)
	}
	s.server.TLS = &tls.Config{Certificates: []tls.Certificate{own.certificate}, MinVersion: tls.VersionTLS12}
	if o.ClientCertificates {
		s.server.TLS.ClientAuth = tls.RequireAnyClientCert
		// In TLS 1.3 the client has sent its request when it is refused, and the
		// answer may be lost with the connection.
		s.server.TLS.MaxVersion = tls.VersionTLS12
	}
	s.server.StartTLS()
	return s, nil
}

// Close cuts all connections and ends the registry.
func (s *Server) Close() {
	s.server.CloseClientConnections()
	s.server.Close()
}

// Host is the registry as a reference names it: "127.0.0.1:41234".
func (s *Server) Host() string { return s.server.Listener.Addr().String() }

// URL is the root of the registry, without a slash at the end.
func (s *Server) URL() string { return s.server.URL }

// RootCAs returns a new pool that trusts the private CA of all servers of this
// package and no other.
func RootCAs() (*x509.CertPool, error) {
	own, err := authority()
	if err != nil {
		return nil, fmt.Errorf("registrytest: certificate: %w", err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(own.ca)
	return pool, nil
}

// CertificateAuthority returns the private CA in PEM, for SSL_CERT_FILE.
func CertificateAuthority() ([]byte, error) {
	own, err := authority()
	return own.ca, err
}

type identity struct {
	certificate tls.Certificate
	ca          []byte
}

// authority is made once: all servers have the same certificate.
var authority = sync.OnceValues(func() (identity, error) {
	cert, ca, err := certificate()
	return identity{cert, ca}, err
})
