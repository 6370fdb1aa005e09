package transport

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// headerLimit is the size of the largest headers that the transport reads. Go's default
// is 10 MiB.
const headerLimit = 256 << 10

// Whether a connection verifies the certificate of the host.
const verified, unverified = false, true

// roundTripper returns a connection pool for hosts whose certificate is verified, or
// for those whose certificate is not.
func roundTripper(o Options, trust Trust, insecure bool) http.RoundTripper {
	dial := o.Dial
	if dial == nil {
		dial = guarded(o.Confine)
	}
	proxy := func(*http.Request) (p *url.URL, err error) { return nil, nil }
	if o.Proxy != nil {
		proxy = func(r *http.Request) (*url.URL, error) {
			p, err := o.Proxy(r.URL)
			if err != nil {
				err = fmt.Errorf("%w: %w", ErrProxy, err)
			}
			return p, err
		}
	}
	roots := o.RootCAs
	if trust.RootCAs != nil {
		roots = trust.RootCAs
	}
	return &http.Transport{
		Proxy: proxy,
		OnProxyConnectResponse: func(_ context.Context, _ *url.URL, _ *http.Request, res *http.Response) error {
			if res.StatusCode != http.StatusOK {
				return &ProxyError{Status: res.StatusCode}
			}
			return nil
		},
		DialContext: dial,
		TLSClientConfig: &tls.Config{
			MinVersion: tls.VersionTLS12,
			RootCAs:    roots,
			// The transport shows them to a host that requires a client certificate.
			Certificates: trust.Certificates,
			// Only for hosts that the user lists as insecure.
			InsecureSkipVerify: insecure,
		},
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
		// Digests are of the bytes as the server sends them.
		DisableCompression: true,
	}
}
