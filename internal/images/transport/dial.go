package transport

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"

	"github.com/goldenarch/goldenarch/internal/images/confine"
)

// headerLimit is the size of the largest headers that the transport reads. Go's default
// is 10 MiB.
const headerLimit = 256 << 10

// connections returns a connection pool for a host.
func (o Options) connections(h *host) (http.RoundTripper, error) {
	config, err := o.TLS(h.name)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCertificates, err)
	}
	dial := o.Dial
	if dial == nil {
		dial = guarded(o.Confine)
	}
	return &http.Transport{
		Proxy: func(r *http.Request) (*url.URL, error) {
			p, err := o.Proxy(r.URL)
			if err != nil {
				err = fmt.Errorf("%w: %w", ErrProxy, err)
			}
			return p, err
		},
		OnProxyConnectResponse: func(_ context.Context, _ *url.URL, _ *http.Request, res *http.Response) error {
			if res.StatusCode != http.StatusOK {
				return &ProxyError{Status: res.StatusCode}
			}
			return nil
		},
		DialContext:         dial,
		TLSClientConfig:     config,
		TLSHandshakeTimeout: 10 * time.Second,
		// A custom TLSClientConfig disables HTTP/2 by default.
		ForceAttemptHTTP2: true,
		HTTP2: &http.HTTP2Config{
			// StrictMaxConcurrentRequests is not set. With it Go 1.26 waits forever if
			// a host allows fewer requests on a connection than are sent: net/http
			// counts waiting requests as requests in flight. Such a host gets more
			// connections. Pings detect a silently broken connection, which net/http
			// then drops.
			SendPingTimeout: 10 * time.Second,
			PingTimeout:     5 * time.Second,
		},
		// Go keeps two connections for each host by default, and would open the others
		// again.
		MaxIdleConnsPerHost: o.Concurrency,
		// A connection also counts if it was dialed for a request that then got another
		// one.
		MaxConnsPerHost:        o.Concurrency,
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: headerLimit,
	}, nil
}

// dialer opens a connection.
type dialer = func(ctx context.Context, network, address string) (net.Conn, error)

// proxiedKey is the context key of a request that uses a proxy.
type proxiedKey struct{}

// throughProxy returns a context that records whether requests to a URL use a proxy.
func (t *Transport) throughProxy(ctx context.Context, u *url.URL) context.Context {
	if t.proxyOf(u) == "" {
		return ctx
	}
	return context.WithValue(ctx, proxiedKey{}, true)
}

// guarded returns a dialer that checks each address of a name, after resolving the name
// and before sending anything. A name that resolves to another address the next time
// cannot bypass the check.
func guarded(policy confine.Policy) dialer {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
		if ctx.Value(proxiedKey{}) == nil {
			dialer.Control = func(_, address string, _ syscall.RawConn) error {
				to, err := netip.ParseAddrPort(address)
				if err != nil {
					return fmt.Errorf("%w: %q is not an address", confine.ErrRefused, address)
				}
				return policy.Address(to.Addr())
			}
		}
		return dialer.DialContext(ctx, network, address)
	}
}

const maxRedirects = 10

// LongestHost is the length of the longest host with a port. A name has at most 255 characters
// (RFC 1035, 2.3.4).
const LongestHost = 255 + len(":65535")

var errRedirects = fmt.Errorf("more than %d redirects", maxRedirects)

// redirect returns the request that a redirecting answer requires, or nil if the answer
// is final. Another origin gets no credentials, not even on another port of the same
// host.
func redirect(r Request, resp *Response) (*Request, error) {
	location := resp.Header.Get("Location")
	switch resp.Status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil, nil
	}
	if location == "" {
		return nil, nil
	}
	// The Location may contain a signature, so no message shows it.
	target, err := resp.URL.Parse(location)
	if err != nil || target.Host == "" || len(target.Host) > LongestHost {
		return nil, &HostError{Host: resp.URL.Host, Err: errors.New("redirect to something that is not a URL")}
	}
	target.User, target.Fragment = nil, ""
	same := target.Scheme == resp.URL.Scheme && Origin(target) == Origin(resp.URL)
	if r.Method != http.MethodGet && !same {
		return nil, &HostError{Host: resp.URL.Host, Err: fmt.Errorf("redirect of a %s to %s, which would get the credentials", r.Method, target.Host)}
	}
	r.URL, r.PlainHTTP = target, same && (r.PlainHTTP || target.Scheme == "http")
	if !same {
		r.Header = r.Header.Clone()
		r.Header.Del("Authorization")
	}
	return &r, nil
}

// mayAsk refuses a URL with another scheme than https, unless http is allowed, and the
// URL of a host that the transport must not contact.
func (t *Transport) mayAsk(r Request) error {
	if err := t.options.Confine.Host(r.URL.Host); err != nil {
		return &HostError{Host: r.URL.Host, Err: err}
	}
	switch {
	case r.URL.Scheme == "https":
		return nil
	case r.URL.Scheme == "http" && (r.PlainHTTP || t.options.Insecure(r.URL.Host)):
		return nil
	case r.URL.Scheme == "http":
		return &HostError{Host: r.URL.Host, Err: ErrPlainHTTP}
	}
	return &HostError{Host: r.URL.Host, Err: fmt.Errorf("a URL with the scheme %q, which is not https", r.URL.Scheme)}
}
