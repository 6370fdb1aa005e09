package registry

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"golang.org/x/net/http/httpproxy"
)

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
