package registrytest

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
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
	// Listen changes the listener, such as one that is far away.
	Listen func(net.Listener) net.Listener
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
	listener, err := net.Listen("tcp", address) // listening on the loopback takes no time
	if err != nil {
		return nil, fmt.Errorf("registrytest: listen: %w", err)
	}
	if o.Listen != nil {
		listener = o.Listen(listener)
	}
	s := &Server{Store: NewStore(), recorder: &recorder{credentials: map[string]int{}, open: map[net.Conn]bool{}}}
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
	if o.ClientCertificates {
		// In TLS 1.3 the client has sent its request when it is refused, and the
		// answer may be lost with the connection.
		s.server.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert, MaxVersion: tls.VersionTLS12}
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

// RootCAs returns a new pool that trusts the certificate of all servers of httptest, and so
// of this package, and no other.
func RootCAs() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(certificate())
	return pool
}

// CertificateAuthority returns that certificate in PEM, for SSL_CERT_FILE.
func CertificateAuthority() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate().Raw})
}

// certificate is the one of httptest, for the loopback addresses.
var certificate = sync.OnceValue(func() *x509.Certificate {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	return server.Certificate()
})

// Counts is how many requests of each kind came in.
type Counts struct {
	Ping, Token, Manifest, Blob, Other int
	// Head is how many of them were HEAD requests.
	Head int
}

// Total is how many requests came in.
func (c Counts) Total() int { return c.Ping + c.Token + c.Manifest + c.Blob + c.Other }

func (c *Counts) add(r *http.Request, kind Kind) {
	switch kind {
	case Ping:
		c.Ping++
	case Token:
		c.Token++
	case Manifest:
		c.Manifest++
	case Blob:
		c.Blob++
	case Other:
		c.Other++
	}
	if r.Method == http.MethodHead {
		c.Head++
	}
}

// recorder counts what a server is asked.
type recorder struct {
	mu                    sync.Mutex
	counts                Counts
	credentials           map[string]int
	connections           int
	open                  map[net.Conn]bool
	inFlight, maxInFlight int
}

func (rec *recorder) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		rec.locked(func() {
			rec.counts.add(r, parse(r).kind)
			if value := r.Header.Get("Authorization"); value != "" {
				rec.credentials[value]++
			}
			rec.inFlight++
			rec.maxInFlight = max(rec.maxInFlight, rec.inFlight)
		})
		defer rec.locked(func() { rec.inFlight-- })
		next.ServeHTTP(rw, r)
	})
}

func (rec *recorder) connState(conn net.Conn, state http.ConnState) {
	rec.locked(func() {
		switch state {
		case http.StateNew:
			rec.connections++
			rec.open[conn] = true
		case http.StateClosed, http.StateHijacked:
			delete(rec.open, conn)
		case http.StateActive, http.StateIdle:
		}
	})
}

func (rec *recorder) locked(do func()) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	do()
}

// Counts returns how many requests of each kind came in so far.
func (s *Server) Counts() (c Counts) {
	s.recorder.locked(func() { c = s.recorder.counts })
	return c
}

// Connections returns how many connections were opened.
func (s *Server) Connections() (n int) {
	s.recorder.locked(func() { n = s.recorder.connections })
	return n
}

// OpenConnections returns how many connections are open now.
func (s *Server) OpenConnections() (n int) {
	s.recorder.locked(func() { n = len(s.recorder.open) })
	return n
}

// MaxInFlight returns how many requests were in flight at most.
func (s *Server) MaxInFlight() (n int) {
	s.recorder.locked(func() { n = s.recorder.maxInFlight })
	return n
}

// Credentials returns the values of the header Authorization that came in,
// sorted, each once: the proof that none reached a host that it was not for.
func (s *Server) Credentials() (values []string) {
	s.recorder.locked(func() { values = slices.Sorted(maps.Keys(s.recorder.credentials)) })
	return values
}

// Sent returns how many requests had this value of the header Authorization.
func (s *Server) Sent(value string) (n int) {
	s.recorder.locked(func() { n = s.recorder.credentials[value] })
	return n
}
