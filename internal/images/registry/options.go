package registry

import (
	"cmp"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"golang.org/x/net/http/httpproxy"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/images/certificate"
	"github.com/goldenarch/goldenarch/internal/images/confine"
	"github.com/goldenarch/goldenarch/internal/images/credential"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/mirror"
)

// Options configures how a [Client] queries registries. The zero Options suits most
// callers: a field that is 0 has its default of v1alpha1. The context limits the time of
// a run.
type Options struct {
	// RequestTimeout limits one attempt, from the connection to the last byte. A mirror
	// gets a third of it, unless it is the last place to query.
	RequestTimeout time.Duration
	// Retries is how often the client retries a failed attempt; less than zero means
	// never.
	Retries int
	// Concurrency is how many requests one registry gets at once, at most. An
	// overloaded registry gets fewer.
	Concurrency int
	// RequestsPerSecond is how many requests one registry gets in a second, at most; 0
	// is no limit.
	RequestsPerSecond int
	// Insecure lists registries of which the client accepts any certificate, and plain
	// HTTP if they do not speak TLS: "host:port", "host" for all its ports, or
	// "*.example.com" for all hosts below a domain. They get no credentials.
	Insecure []string
	// AllowInsecureCredentials lets the client send credentials to insecure registries.
	AllowInsecureCredentials bool
	// RootCAs are the trusted certificate authorities. nil: the system's, loaded when
	// the client first needs them.
	RootCAs *x509.CertPool
	// Authorities are trusted in addition, each for its host, and so are the
	// certificates in the directories certs.d, client certificates included.
	Authorities []certificate.Authority
	// Credentials take precedence over those of the auth files.
	Credentials []credential.Credential
	// Note, if set, receives what a registry reports to its user. Many goroutines call
	// it, and may repeat a note.
	Note func(Note)
	// Allow lists the only hosts that the client may contact; nil for all that the machine
	// allows. A host must also be in the list of the machine, if it has one.
	Allow []string
	// NoLogins prevents the use of the machine's logins: auth files, credential helpers and
	// client certificates. Only Credentials count.
	NoLogins bool
	// AuthFile, if set, is the only auth file that the client reads, instead of
	// podman's and docker's.
	AuthFile string
	// Dial opens the connections to registries, token services and proxies. Default:
	// net.Dialer.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// UserAgent is sent with every request. Default: "goldenarch".
	UserAgent string
	// Env returns an environment variable: those that podman, docker and proxies use,
	// HOME and PATH. Default: os.Getenv.
	Env func(string) string

	// The fields below are for [Open]: a [Client] alone does not use them.

	// Verify is how far goldenarch trusts the indexes of images.
	Verify v1alpha1.Verify
	// Mirrors is the policy that names the mirrors of images.
	Mirrors mirror.Policy
	// RegistriesConf is a file with the mirrors of this machine, which take precedence
	// over Mirrors; "" for none.
	RegistriesConf string
}

// withDefaults sets the defaults of empty fields.
func (o Options) withDefaults() Options {
	if o.RequestTimeout <= 0 {
		o.RequestTimeout = v1alpha1.DefaultRequestTimeout
	}
	switch {
	case o.Retries == 0:
		o.Retries = v1alpha1.DefaultRetries
	case o.Retries < 0:
		o.Retries = 0
	}
	if o.Concurrency <= 0 {
		o.Concurrency = v1alpha1.DefaultConcurrency
	}
	o.UserAgent = cmp.Or(o.UserAgent, "goldenarch")
	if o.Env == nil {
		o.Env = os.Getenv
	}
	return o
}

// Confinement returns which hosts the client may contact. The error names the variable or
// the flag that is not valid.
func (o Options) Confinement() (confine.Policy, error) {
	o = o.withDefaults()
	policy, err := confine.FromEnv(o.Env)
	if err != nil {
		return policy, err
	}
	return policy.WithList(confine.AllowFlag, strings.Join(o.Allow, ","))
}

// insecure reports whether a host with or without port is listed as insecure.
func (o Options) insecure(host string) bool {
	name, _ := imageref.SplitPort(host)
	for _, listed := range o.Insecure {
		listed = strings.ToLower(listed)
		domain, wildcard := strings.CutPrefix(listed, "*")
		if host == listed || host+":443" == listed || name == listed || wildcard && strings.HasSuffix(name, domain) {
			return true
		}
	}
	return false
}

// proxyFrom returns a function that selects a proxy by the usual variables. Upper case
// and lower case names are valid, upper case first. Requests to localhost never use a
// proxy.
//
// httpproxy ignores a proxy that it cannot read. Here that is an error: a user who sets
// a proxy does not want requests to bypass it.
func proxyFrom(env func(string) string) func(*url.URL) (*url.URL, error) {
	get := func(name string) (value, as string) {
		if v := env(name); v != "" {
			return v, name
		}
		return env(strings.ToLower(name)), strings.ToLower(name)
	}
	var config httpproxy.Config
	config.NoProxy, _ = get("NO_PROXY")
	unreadable := map[string]error{}
	for scheme, proxy := range map[string]*string{"http": &config.HTTPProxy, "https": &config.HTTPSProxy} {
		value, name := get(strings.ToUpper(scheme) + "_PROXY")
		if err := checkProxy(value); value != "" && err != nil {
			// The error omits the value, which may contain a password. httpproxy still
			// decides whether the host needs a proxy.
			value, unreadable[scheme] = "http://unreadable.invalid", fmt.Errorf("%s %w", name, err)
		}
		*proxy = value
	}
	choose := config.ProxyFunc()
	return func(u *url.URL) (*url.URL, error) {
		proxy, err := choose(u)
		if err == nil && proxy != nil && unreadable[u.Scheme] != nil {
			return nil, unreadable[u.Scheme]
		}
		return proxy, err
	}
}

// checkProxy reads a proxy as httpproxy does: a URL, or host:port.
func checkProxy(value string) error {
	for _, prefix := range []string{"", "http://"} {
		u, err := url.Parse(prefix + value)
		if err != nil || u.Host == "" || u.Hostname() == "" {
			continue
		}
		switch u.Scheme {
		case "http", "https", "socks5", "socks5h":
			return nil
		}
	}
	return errors.New("is not the URL of a proxy; expected http://host:port")
}
