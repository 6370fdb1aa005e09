package registry

import (
	"net/url"

	"golang.org/x/net/http/httpproxy"
)

// proxyFrom returns the choice of a proxy by the usual variables. Upper case
// and lower case count, upper case first; requests to localhost never go
// through one.
func proxyFrom(env func(string) string) func(*url.URL) (*url.URL, error) {
	get := func(upper, lower string) string {
		if v := env(upper); v != "" {
			return v
		}
		return env(lower)
	}
	config := &httpproxy.Config{
		HTTPProxy:  get("HTTP_PROXY", "http_proxy"),
		HTTPSProxy: get("HTTPS_PROXY", "https_proxy"),
		NoProxy:    get("NO_PROXY", "no_proxy"),
	}
	return config.ProxyFunc()
}
