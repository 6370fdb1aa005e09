package transport

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// headerLimit is the size of the largest headers that are read. Go itself reads 10
// MiB.
const headerLimit = 256 << 10

// roundTripper returns the pool of connections for hosts whose certificate is
// verified, or for those whose is not.
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
			// Shown to a host that asks for one.
			Certificates: trust.Certificates,
			// Only for hosts that the user lists as insecure.
			InsecureSkipVerify: insecure,
		},
		TLSHandshakeTimeout: 10 * time.Second,
		// A TLSClientConfig of one's own switches HTTP/2 off.
		ForceAttemptHTTP2: true,
		HTTP2: &http.HTTP2Config{
			// StrictMaxConcurrentRequests is not set: with it Go 1.26 waits for ever where
			// a host allows fewer requests on a connection than are sent (net/http counts
			// those that wait as requests under way). Such a host gets more connections.
			// A connection that died in silence is found out and dropped.
			SendPingTimeout: 10 * time.Second,
			PingTimeout:     5 * time.Second,
		},
		// Go keeps two connections a host; the others would be opened anew.
		MaxIdleConnsPerHost: o.Concurrency,
		// A connection that was dialled for a request which then got another
		// one counts as well.
		MaxConnsPerHost:        o.Concurrency,
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: headerLimit,
		// Digests are of the bytes as they are sent.
		DisableCompression: true,
	}
}
