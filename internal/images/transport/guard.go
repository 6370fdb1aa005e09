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

// proxiedKey is the context key of a request that uses a proxy.
type proxiedKey struct{}

// throughProxy returns a context that records whether requests to a URL use a proxy.
func (t *Transport) throughProxy(ctx context.Context, u *url.URL) context.Context {
	if t.options.Proxy == nil {
		return ctx
	}
	// The transport meets an error again, and reports it, when it needs the proxy.
	if p, err := t.options.Proxy(u); err == nil && p != nil {
		return context.WithValue(ctx, proxiedKey{}, true)
	}
	return ctx
}

// guarded returns a dialer that checks each address of a name, after resolving the name
// and before sending anything. A name that resolves to another address the next time
// cannot bypass the check.
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
