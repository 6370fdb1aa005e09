package registry

import (
	"context"
	"errors"
	"os"
	"sync"

	"github.com/goldenarch/goldenarch/registry/internal/credential"
	"github.com/goldenarch/goldenarch/registry/internal/transport"
)

// Client is the Resolver that asks registries. What registries and hosts say
// about themselves is learned once and shared by all references: how to prove
// who is asking, connections, tokens, and whether the host is alive. So make
// one Client a run. It is safe for use by many goroutines.
type Client struct {
	options   Options
	transport *transport.Transport
	keyring   *credential.Keyring

	mu        sync.Mutex
	endpoints map[string]*endpoint
}

var _ asker = (*Client)(nil)

// New returns a Client. It reads and opens nothing before it is asked.
func New(o Options) *Client {
	o = o.withDefaults()
	return &Client{
		options: o,
		transport: transport.New(transport.Options{
			RequestTimeout:    o.RequestTimeout,
			HastyTimeout:      o.RequestTimeout / hastyShare,
			Retries:           o.Retries,
			Concurrency:       o.Concurrency,
			RequestsPerSecond: o.RequestsPerSecond,
			UserAgent:         o.UserAgent,
			RootCAs:           o.RootCAs,
			Trust:             trust(o),
			Insecure:          o.insecure,
			Proxy:             proxyFrom(o.Env),
			Dial:              o.Dial,
		}),
		keyring:   &credential.Keyring{Given: toEntries(o.Credentials), AuthFile: o.AuthFile, Env: o.Env, UID: os.Getuid()},
		endpoints: map[string]*endpoint{},
	}
}

// Close closes the connections that are kept for further requests.
func (c *Client) Close() { c.transport.Close() }

// Resolve asks the registry of the reference for its manifest, and, where
// that names no platform, for the image's configuration. The error is an
// [*Error].
func (c *Client) Resolve(ctx context.Context, ref Reference) (Image, error) {
	if ref == (Reference{}) {
		return Image{}, &Error{Kind: ErrReference, Err: errors.New("no reference to resolve")}
	}
	tapeOf(ctx).begin(ref)
	r := &resolution{ref: ref, source: c.source(ctx, ref)}
	image, err := r.image(ctx)
	if err != nil {
		return Image{}, explain(ref, err)
	}
	return image, nil
}

// source implements asker.
func (c *Client) source(ctx context.Context, ref Reference) source {
	return tapeOf(ctx).before(c.endpoint(ref.Host()))
}

// endpoint returns the one endpoint of a registry.
func (c *Client) endpoint(host string) *endpoint {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.endpoints[host]
	if e == nil {
		e = newEndpoint(c, host)
		c.endpoints[host] = e
	}
	return e
}
