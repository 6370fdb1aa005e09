package registry

import (
	"context"
	"crypto/x509"
	"net"
	"os"
	"strings"
	"time"

	"github.com/goldenarch/goldenarch/internal/images/defaults"
	"github.com/goldenarch/goldenarch/internal/images/layout"
	"github.com/goldenarch/goldenarch/internal/images/mirror"
)

// Defaults of [Options].
const (
	DefaultRequestTimeout = defaults.RequestTimeout
	DefaultRetries        = defaults.Retries
	DefaultConcurrency    = defaults.Concurrency
	DefaultUserAgent      = "goldenarch"
)

// Options says how a [Client] asks registries. The zero Options is right for
// most. How long a run may take is the context's matter.
type Options struct {
	// RequestTimeout bounds one attempt, from the connection to the last
	// byte. A mirror that is not the last place to ask gets a third of it.
	// Default: DefaultRequestTimeout.
	RequestTimeout time.Duration
	// Retries is how often a failed attempt is tried again; less than zero
	// means never. Default: DefaultRetries.
	Retries int
	// Concurrency is how many requests one registry gets at once, at most.
	// A registry that complains gets fewer. Default: DefaultConcurrency.
	Concurrency int
	// RequestsPerSecond is how many requests one registry gets in a second, at
	// most. Default: as many as there are.
	RequestsPerSecond int
	// Insecure lists the registries ("host:port", or "host" for all its
	// ports, or "*.example.com" for all below a domain) that are asked over TLS with any certificate, or, where they do
	// not speak TLS, over plain HTTP. They get no credentials.
	Insecure []string
	// AllowInsecureCredentials lets credentials go to insecure registries.
	AllowInsecureCredentials bool
	// RootCAs are the trusted certificate authorities. nil: the system's,
	// loaded when they are first needed.
	RootCAs *x509.CertPool
	// Authorities are trusted beside RootCAs, each for its host. So is what the
	// directories certs.d hold for a host, client certificates too.
	Authorities []Authority
	// Credentials win over those of the auth files.
	Credentials []Credential
	// Note, if set, is called when a registry says what its user should know;
	// from many goroutines, and more than once about the same.
	Note func(Note)
	// AuthFile is the only auth file that is read, if set. Else the files are
	// podman's and docker's.
	AuthFile string
	// Dial opens the connections to registries, token services and proxies.
	// Default: net.Dialer.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// UserAgent is sent with every request. Default: DefaultUserAgent.
	UserAgent string
	// Env returns an environment variable (REGISTRY_AUTH_FILE,
	// XDG_RUNTIME_DIR, XDG_CONFIG_HOME, DOCKER_CONFIG, HOME, PATH,
	// HTTP_PROXY, HTTPS_PROXY, NO_PROXY). Default: os.Getenv.
	Env func(string) string

	// What follows is for [Open]: a [Client] alone does without.

	// Verify is how far the indexes of images are believed.
	Verify Verify
	// Mirrors is where images can be had.
	Mirrors mirror.Policy
	// RegistriesConf is a file with the mirrors of this machine, which win over
	// Mirrors; "" for none.
	RegistriesConf string
	// Record, if set, keeps what registries answer.
	Record *layout.Recording
	// Replay, if set, answers in the place of registries.
	Replay *layout.Layout
}

// withDefaults fills what is not set.
func (o Options) withDefaults() Options {
	if o.RequestTimeout <= 0 {
		o.RequestTimeout = DefaultRequestTimeout
	}
	switch {
	case o.Retries == 0:
		o.Retries = DefaultRetries
	case o.Retries < 0:
		o.Retries = 0
	}
	if o.Concurrency <= 0 {
		o.Concurrency = DefaultConcurrency
	}
	if o.UserAgent == "" {
		o.UserAgent = DefaultUserAgent
	}
	if o.Env == nil {
		o.Env = os.Getenv
	}
	return o
}

// insecure reports whether a host with or without port is listed as insecure.
func (o Options) insecure(host string) bool {
	for _, listed := range o.Insecure {
		listed = strings.ToLower(listed)
		domain, wildcard := strings.CutPrefix(listed, "*")
		if host == listed || host+":443" == listed || withoutPort(host) == listed || wildcard && strings.HasSuffix(withoutPort(host), domain) {
			return true
		}
	}
	return false
}

// withoutPort takes the port off "host:port" and "[::1]:port".
func withoutPort(host string) string {
	if i := strings.LastIndexByte(host, ':'); i >= 0 && i > strings.LastIndexByte(host, ']') {
		return host[:i]
	}
	return host
}
