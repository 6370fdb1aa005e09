package transport

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/goldenarch/goldenarch/internal/images/confine"
)

// Options configures how a Transport queries hosts. All fields are required except
// TLS, RequestsPerSecond, Proxy and Dial.
type Options struct {
	// RequestTimeout limits one attempt, from the connection to the last byte of the
	// body.
	RequestTimeout time.Duration
	// HastyTimeout is the same for a hasty request. It is also the longest Retry-After
	// that such a request waits for.
	HastyTimeout time.Duration
	// Retries is how often the transport retries a failed attempt.
	Retries int
	// Concurrency is how many requests one host gets at once, at most.
	Concurrency int
	// RequestsPerSecond is how many requests one host gets in a second, at most; 0 is
	// no limit.
	RequestsPerSecond int
	// UserAgent is sent with every request.
	UserAgent string
	// TLS returns how to verify a host ("name" or "name:port"); nil is Go's default. The
	// transport calls it once for each host.
	TLS func(host string) (*tls.Config, error)
	// Insecure reports whether the transport may use plain HTTP for a host ("name" or
	// "name:port").
	Insecure func(host string) bool
	// Proxy returns the proxy for a URL, or nil.
	Proxy func(*url.URL) (*url.URL, error)
	// Confine decides which hosts and addresses the transport may contact. It does not
	// apply to the address of a proxy, which the user chose.
	Confine confine.Policy
	// Dial opens connections; nil uses the system's default.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Request is one request.
type Request struct {
	// Method is GET or POST.
	Method string
	// URL is the target; for an insecure host the transport may use http instead of
	// https.
	URL *url.URL
	// Header may hold an Authorization, which only the origin of URL receives.
	Header http.Header
	// Body is sent again with every attempt.
	Body []byte
	// Limit is the size of the largest answer that the transport accepts.
	Limit int64
	// Headed, if set, is called after the header of a success and before its body;
	// again with every attempt.
	Headed func()
	// Slow reports that the host may be slow: one timeout does not mean that it is
	// down.
	Slow bool
	// Hasty reports that another host, such as the next mirror, can answer the same
	// request. The transport does not retry after a timeout, and then sends no other
	// hasty request to the host. It still sends requests that only this host can
	// answer.
	Hasty bool
	// PlainHTTP allows a URL with the scheme http for a host that is not insecure.
	PlainHTTP bool
}

// Response is a whole answer.
type Response struct {
	Status int
	Header http.Header
	// Body is complete if the status is 200; for other answers it is at most the
	// beginning.
	Body []byte
	// URL is the URL that answered, after all redirects.
	URL *url.URL

	release func()
}

// Release lets the transport read another large answer in place of this one.
func (r *Response) Release() {
	if r.release != nil {
		r.release()
	}
}

// Transport sends requests. It is safe for use by many goroutines, which share
// its connections.
type Transport struct {
	options Options
	// large bounds the large answers that the callers hold at once.
	large *semaphore.Weighted
	// pool makes the connections of a host.
	pool func(*host) (http.RoundTripper, error)

	mu    sync.Mutex
	hosts map[string]*host
}

// New returns a Transport. It opens no connection before the first request.
func New(o Options) *Transport {
	return &Transport{options: o, large: semaphore.NewWeighted(LargeAtOnce), pool: o.connections, hosts: map[string]*host{}}
}

// Close closes the idle connections.
func (t *Transport) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, h := range t.hosts {
		if pool, err := h.pool(); err == nil {
			(&http.Client{Transport: pool}).CloseIdleConnections()
		}
	}
}

// host returns the state of the host of a URL.
func (t *Transport) host(u *url.URL) *host {
	key := Origin(u)
	t.mu.Lock()
	defer t.mu.Unlock()
	h := t.hosts[key]
	if h == nil {
		h = &host{name: u.Host, limiter: newLimiter(t.options.Concurrency, t.options.RequestsPerSecond)}
		h.pool = sync.OnceValues(func() (http.RoundTripper, error) { return t.pool(h) })
		t.hosts[key] = h
	}
	return h
}

// Origin returns the host of a URL with its port, even if the port is the default of
// the scheme.
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

// Do sends a request, follows at most 10 redirects, and retries as the status requires.
// It returns the answer whatever its status is.
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
