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
	get := func(upper string) (value, name string) {
		if v := env(upper); v != "" {
			return v, upper
		}
		lower := strings.ToLower(upper)
		return env(lower), lower
	}
	httpProxy, httpName := get("HTTP_PROXY")
	httpsProxy, httpsName := get("HTTPS_PROXY")
	noProxy, _ := get("NO_PROXY")
	choose := (&httpproxy.Config{
		HTTPProxy:  orAnything(httpProxy),
		HTTPSProxy: orAnything(httpsProxy),
		NoProxy:    noProxy,
	}).ProxyFunc()
	return func(u *url.URL) (*url.URL, error) {
		value, name := httpsProxy, httpsName
		if u.Scheme == "http" {
			value, name = httpProxy, httpName
		}
		proxy, err := choose(u)
		if err != nil || proxy == nil {
			return nil, err
		}
		if err := checkProxy(value); err != nil {
			// The error omits the value, which may contain a password.
			return nil, fmt.Errorf("%s %w", name, err)
		}
		return proxy, nil
	}
}

// orAnything replaces an unreadable proxy with a placeholder, so that httpproxy still
// selects a proxy.
func orAnything(value string) string {
	if value != "" && checkProxy(value) != nil {
		return "http://unreadable.invalid"
	}
	return value
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
