package transport

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"syscall"
	"time"

	"github.com/goldenarch/goldenarch/internal/images/confine"
)

// proxiedKey marks the context of a request that goes through a proxy.
type proxiedKey struct{}

// throughProxy marks a context if a URL is asked for through a proxy.
func (t *Transport) throughProxy(ctx context.Context, u *url.URL) context.Context {
	if t.options.Proxy == nil {
		return ctx
	}
	// An error is met again, and reported, when the proxy is wanted.
	if p, err := t.options.Proxy(u); err == nil && p != nil {
		return context.WithValue(ctx, proxiedKey{}, true)
	}
	return ctx
}

// guarded returns a dialer that looks at each address that a name leads to, after
// it was resolved and before anything is sent to it. A name that leads elsewhere
// the next time does not get past it.
func guarded(policy confine.Policy) func(ctx context.Context, network, address string) (net.Conn, error) {
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
