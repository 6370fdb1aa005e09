package transport

import (
	"context"
	"crypto/x509"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/goldenarch/goldenarch/internal/images/confine"
)

// Options says how hosts are asked. Every field must be set, but HastyTimeout,
// RootCAs, Trust, RequestsPerSecond, Proxy and Dial.
type Options struct {
	// RequestTimeout bounds one attempt, from the connection to the last byte
	// of the body.
	RequestTimeout time.Duration
	// HastyTimeout is the same for a hasty request, and the longest Retry-After
	// that one waits for; 0 is RequestTimeout.
	HastyTimeout time.Duration
	// Retries is how often a failed attempt is tried again.
	Retries int
	// Concurrency is how many requests one host gets at once, at most.
	Concurrency int
	// RequestsPerSecond is how many requests one host gets in a second, at
	// most; 0 is as many as there are.
	RequestsPerSecond int
	// UserAgent is sent with every request.
	UserAgent string
	// RootCAs are the trusted certificate authorities; nil means the system's,
	// which are loaded with the first TLS connection.
	RootCAs *x509.CertPool
	// Trust returns what a host ("name" or "name:port") is trusted by beside
	// that; nil is nothing. It is asked once a host.
	Trust func(host string) (Trust, error)
	// Insecure reports whether a host ("name" or "name:port") may be asked
	// over TLS with any certificate, or over plain HTTP.
	Insecure func(host string) bool
	// Proxy returns the proxy for a URL, or nil.
	Proxy func(*url.URL) (*url.URL, error)
	// Confine says which hosts and addresses may be contacted. The address of a
	// proxy is not asked about: who sets the proxy has chosen it.
	Confine confine.Policy
	// Dial opens connections; nil is the system's way.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Request is one question.
type Request struct {
	// Method is GET or POST.
	Method string
	// URL is where to; an insecure host may be asked over http instead of
	// https.
	URL *url.URL
	// Header may hold an Authorization, which goes to the origin of URL only.
	Header http.Header
	// Body is sent anew with every attempt.
	Body []byte
	// Limit is the size of the largest answer that is taken.
	Limit int64
	// Headed, if set, is called when the header of a success has come and its
	// body not yet; again with every attempt.
	Headed func()
	// Large, if set, is called before more than LargeAnswer of an answer is read,
	// and may wait.
	Large func(context.Context) error
	// Slow says that the host may take its time: that it is silent once does
	// not mean that it is dead.
	Slow bool
	// Hasty says that the same can be asked elsewhere, as of a mirror: silence
	// is not waited for again, and once the host was silent no other hasty
	// request is sent to it. Requests that have nowhere else to go still are.
	Hasty bool
	// PlainHTTP allows a URL with the scheme http at a host that is not
	// insecure.
	PlainHTTP bool
}

// Response is a whole answer.
type Response struct {
	Status int
	Header http.Header
	// Body is complete where the status is 2xx; of other answers it is at
	// most the beginning.
	Body []byte
	// URL is what answered, behind all redirects.
	URL *url.URL
}

// Transport sends requests. It is safe for use by many goroutines, which share
// its connections.
type Transport struct {
	options  Options
	secure   http.RoundTripper
	insecure http.RoundTripper

	mu    sync.Mutex
	hosts map[string]*host
}

// New returns a Transport. It opens nothing before the first request.
func New(o Options) *Transport {
	if o.HastyTimeout <= 0 {
		o.HastyTimeout = o.RequestTimeout
	}
	return &Transport{
		options:  o,
		secure:   roundTripper(o, Trust{}, false),
		insecure: roundTripper(o, Trust{}, true),
		hosts:    map[string]*host{},
	}
}

// Close closes the connections that are kept for further requests.
func (t *Transport) Close() {
	all := []http.RoundTripper{t.secure, t.insecure}
	t.mu.Lock()
	for _, h := range t.hosts {
		h.mu.Lock()
		all = append(all, h.private)
		h.mu.Unlock()
	}
	t.mu.Unlock()
	for _, rt := range all {
		if c, ok := rt.(*http.Transport); ok {
			c.CloseIdleConnections()
		}
	}
}

// host returns the one state of the host of a URL.
func (t *Transport) host(u *url.URL) *host {
	key := Origin(u)
	t.mu.Lock()
	defer t.mu.Unlock()
	h := t.hosts[key]
	if h == nil {
		h = &host{name: u.Host, limiter: newLimiter(t.options.Concurrency, t.options.RequestsPerSecond)}
		t.hosts[key] = h
	}
	return h
}

// Origin returns the host of a URL with its port, also where the port is the
// usual one of the scheme.
func Origin(u *url.URL) string {
	port := u.Port()
	switch {
	case port != "":
	case u.Scheme == "http":
		port = "80"
	default:
		port = "443"
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// Do sends a request, follows at most 10 redirects, and returns the answer
// whatever its status is, after the retries that the status calls for.
//
// The error is a [*HostError], or the context's.
func (t *Transport) Do(ctx context.Context, r Request) (*Response, error) {
	for hops := 0; ; hops++ {
		if err := t.mayAsk(r); err != nil {
			return nil, err
		}
		resp, err := t.send(ctx, r)
		if err != nil {
			return nil, err
		}
		next, err := redirect(r, resp)
		if err != nil {
			return nil, err
		}
		if next == nil {
			return resp, nil
		}
		if hops == maxRedirects {
			return nil, &HostError{Host: r.URL.Host, Err: errRedirects}
		}
		r = *next
	}
}
