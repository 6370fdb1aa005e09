package registry

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/goldenarch/goldenarch/internal/images/certificate"
	"github.com/goldenarch/goldenarch/internal/images/confine"
	"github.com/goldenarch/goldenarch/internal/images/credential"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/transport"
)

// Client is the Resolver that queries registries. It learns once what registries and
// hosts require and shares it among all references: authentication, connections,
// tokens, and whether the host is alive. Make one Client for a run. It is safe for use
// by many goroutines.
type Client struct {
	options   Options
	secrets   *sentSecrets
	confine   confine.Policy
	invalid   error // why the settings of the machine cannot be read
	transport *transport.Transport
	keyring   *credential.Keyring

	mu        sync.Mutex
	endpoints map[string]*endpoint
}

var _ Resolver = (*Client)(nil)

// New returns a Client. It reads no file and opens no connection before the first
// request.
func New(o Options) *Client {
	o = o.withDefaults()
	policy, err := o.Confinement()
	return &Client{
		options: o, confine: policy, invalid: err, secrets: &sentSecrets{},
		transport: transport.New(transport.Options{
			RequestTimeout:    o.RequestTimeout,
			ShortTimeout:      o.RequestTimeout / shortTimeoutShare,
			Retries:           o.Retries,
			Concurrency:       o.Concurrency,
			RequestsPerSecond: o.RequestsPerSecond,
			UserAgent:         o.UserAgent,
			TLS:               tlsConfig(o),
			Insecure:          o.insecure,
			Proxy:             proxyFrom(o.Env),
			Dial:              o.Dial,
			Confine:           policy,
		}),
		keyring:   &credential.Keyring{Given: o.Credentials, AuthFile: o.AuthFile, Env: o.Env, GivenOnly: o.NoLogins, UID: os.Getuid()},
		endpoints: map[string]*endpoint{},
	}
}

// Close closes the idle connections.
func (c *Client) Close() { c.transport.Close() }

// Resolve fetches the manifest of the reference from its registry. If the manifest
// names no platform, it also fetches the image's configuration. The error is an
// [*Error].
func (c *Client) Resolve(ctx context.Context, ref imageref.Reference) (Image, error) {
	if ref == (imageref.Reference{}) {
		return Image{}, &Error{Kind: ErrReference, Err: errors.New("no reference to resolve")}
	}
	if c.invalid != nil {
		return Image{}, &Error{Reference: ref.String(), Registry: ref.Host(), Kind: ErrForbidden, Err: c.invalid, Hint: "correct the environment variable"}
	}
	r := &resolution{ref: ref, endpoint: c.endpoint(ref.Host())}
	image, err := r.image(ctx)
	if err != nil {
		return Image{}, c.explain(ref, err)
	}
	for i, why := range image.RejectedEntries {
		if c.secrets.repeatedIn(why) {
			image.RejectedEntries[i] = notShown
		}
	}
	return image, nil
}

// explain returns an error as an Error that goldenarch can show. It repeats no credential,
// even if a server does.
func (c *Client) explain(ref imageref.Reference, err error) *Error {
	return c.secrets.withhold(explain(ref, err))
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

// tlsConfig returns how the transport verifies a host. A client certificate goes to an
// insecure host as little as a password does.
func tlsConfig(o Options) func(string) (*tls.Config, error) {
	store := &certificate.Store{Base: o.RootCAs, Given: o.Authorities, Env: o.Env, AuthoritiesOnly: o.NoLogins}
	return func(host string) (*tls.Config, error) {
		roots, clients, err := store.For(host)
		if o.insecure(host) && !o.AllowInsecureCredentials {
			clients = nil
		}
		// Only the hosts that the user lists as insecure are not verified.
		return &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: cmp.Or(roots, o.RootCAs), Certificates: clients, InsecureSkipVerify: o.insecure(host)}, err
	}
}

// gate lets one caller through alone. When that caller opens the gate, all others
// follow. If it does not open the gate within patience, the next caller goes. If
// failures is set, the gate opens by itself after that many callers fail, so that one
// failing caller does not decide for the others.
type gate struct {
	patience time.Duration
	failures int

	exclusive chan struct{}
	opened    chan struct{}
	once      sync.Once

	mu     sync.Mutex
	failed int
}

func newGate(patience time.Duration, failures int) *gate {
	return &gate{patience: patience, failures: failures, exclusive: make(chan struct{}, 1), opened: make(chan struct{})}
}

func (g *gate) open() { g.once.Do(func() { close(g.opened) }) }

// next lets the next caller go, after one that did not open the gate.
func (g *gate) next() {
	g.mu.Lock()
	g.failed++
	enough := g.failed == g.failures
	g.mu.Unlock()
	if enough {
		g.open()
	}
	<-g.exclusive
}

// enter waits until the gate is open, or goes first. The caller that goes first calls
// open when the others may follow, and leave at the end. If it fails and does not open
// the gate, the next caller goes first. A caller may call both more than once.
func (g *gate) enter(ctx context.Context) (open, leave func(), err error) {
	nothing := func() {}
	select {
	case <-g.opened:
		return nothing, nothing, nil
	default:
	}
	select {
	case <-g.opened:
		return nothing, nothing, nil
	case g.exclusive <- struct{}{}:
		next := sync.OnceFunc(g.next)
		timer := time.AfterFunc(g.patience, next)
		return g.open, func() { timer.Stop(); next() }, nil
	case <-ctx.Done():
		return nil, nil, context.Cause(ctx)
	}
}
