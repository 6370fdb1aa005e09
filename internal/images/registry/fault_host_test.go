package registry_test

import (
	"crypto/x509"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestHowAHostListens asks registries over TLS, over plain HTTP, on IPv6 and
// with a private authority.
func TestHowAHostListens(t *testing.T) {
	t.Parallel()
	const all = "linux/amd64 linux/arm64"
	reset := []registrytest.Wrapper{registrytest.Reset()}
	cases := map[string]struct {
		reason   string
		options  registrytest.Options
		insecure bool
		distrust bool
		want     outcome
	}{
		"PrivateCAHTTP1": {reason: "Without HTTP/2.", options: registrytest.Options{HTTP1: true}, want: outcome{platforms: all}},
		"IPv6PlainNotTold": {
			reason: "But only there.", options: registrytest.Options{IPv6: true, PlainHTTP: true},
			want: outcome{kind: registry.ErrUnreachable, says: []string{"does not use TLS", "insecure"}},
		},
		"UnknownCAInsecure": {reason: "It counts for nothing where told so.", distrust: true, insecure: true, want: outcome{platforms: all}},
		"InsecureReset": {
			reason: "A host that speaks TLS and fails is not asked over plain HTTP.", options: registrytest.Options{HTTP1: true, Wrappers: reset},
			insecure: true, want: outcome{kind: registry.ErrUnreachable},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, tc.options)
			ref := fill(t, s, 1, 0)[0]
			o := trusting(t)
			if tc.distrust {
				o.RootCAs = x509.NewCertPool()
			}
			if tc.insecure {
				o.Insecure = []string{s.Host()}
			}
			image, err := resolve(t, client(t, o), ref)
			tc.want.check(t, tc.reason, ref, image, err)
			if err != nil && strings.Contains(err.Error(), "over plain HTTP:") {
				t.Errorf("%s\nit was asked over plain HTTP: %v", tc.reason, err)
			}
		})
	}
}

// TestProxyThatRefuses puts a proxy in the way that wants to know who asks.
func TestProxyThatRefuses(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	proxy := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		rw.WriteHeader(http.StatusProxyAuthRequired)
	}))
	t.Cleanup(proxy.Close)
	withLogin := strings.Replace(proxy.URL, "//", "//"+plantedUser+":"+plantedPassword+"@", 1)
	cases := map[string]struct {
		reason string
		proxy  string
		says   []string
		asked  int32
	}{
		"407": {
			reason: "A refusal is an answer: it is not asked again.", proxy: withLogin,
			says: []string{"through proxy " + proxy.URL, "407 Proxy Authentication Required", "HTTPS_PROXY"}, asked: 1,
		},
		"Malformed": {
			reason: "What is no URL is said to be none, without its password.", proxy: "http://" + plantedUser + ":" + plantedPassword + "@%zz",
			says: []string{"HTTPS_PROXY is not the URL of a proxy", "http://host:port"},
		},
		"MalformedToo": {
			reason: "Also where nothing of a URL is in it.", proxy: "://" + plantedPassword,
			says: []string{"HTTPS_PROXY is not the URL of a proxy", "http://host:port"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			before := asked.Load()
			o := trusting(t)
			o.Env = func(key string) string {
				if key == "HTTPS_PROXY" {
					return tc.proxy
				}
				return ""
			}
			// Go sends nothing for a loopback address to a proxy.
			ref, err := imageref.Parse("registry.example/org/app:1")
			if err != nil {
				t.Fatal(err)
			}
			image, err := resolve(t, client(t, o), ref)
			outcome{kind: registry.ErrUnreachable, says: tc.says}.check(t, tc.reason, ref, image, err)
			if got := asked.Load() - before; got != tc.asked {
				t.Errorf("%s\nwant the proxy asked %d times, got %d", tc.reason, tc.asked, got)
			}
		})
	}
}
