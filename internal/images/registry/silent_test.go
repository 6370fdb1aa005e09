package registry_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/goldenarch/goldenarch/internal/images/mirror"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// about applies a wrapper to what is asked of the repositories r0 to rN-1.
func about(n int, wrapper registrytest.Wrapper) registrytest.Wrapper {
	return func(next http.Handler) http.Handler {
		odd := wrapper(next)
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			for i := range n {
				if strings.Contains(r.URL.Path+r.URL.RawQuery, fmt.Sprintf("r%d/", i)) {
					odd.ServeHTTP(rw, r)
					return
				}
			}
			next.ServeHTTP(rw, r)
		})
	}
}

// TestSilentRepositoriesFailAlone asks twenty times for images of which some are
// never answered: each run has the same result, and only those fail. The clock is that of
// synctest, so that no machine is too busy for the healthy ones.
func TestSilentRepositoriesFailAlone(t *testing.T) {
	t.Parallel()
	const runs, healthy = 20, 5
	users := registrytest.Users{plantedUser: plantedPassword}
	silent := registrytest.Silent()
	cases := map[string]struct {
		reason  string
		silent  int
		options registrytest.Options
		login   bool
		lax     bool // the host is listed as insecure
		mirror  bool // the host is a mirror, and the source has all images
	}{
		"TLS":       {reason: "One of six.", silent: 1},
		"HTTP1":     {reason: "Without HTTP/2.", silent: 1, options: registrytest.Options{HTTP1: true}},
		"Most":      {reason: "Most of them.", silent: 15},
		"PlainHTTP": {reason: "A host without TLS says that it has none, and so is there.", silent: 3, options: registrytest.Options{PlainHTTP: true}, lax: true},
		"Basic": {
			reason:  "The login is tried with one that is silent.",
			silent:  1,
			login:   true,
			options: registrytest.Options{Wrappers: []registrytest.Wrapper{about(1, silent), registrytest.Basic(users)}},
		},
		"Tokens": {
			reason:  "Each repository has its token.",
			silent:  3,
			login:   true,
			options: registrytest.Options{Wrappers: []registrytest.Wrapper{about(3, silent), (&registrytest.Tokens{Service: "r", Users: users}).Require()}},
		},
		"Resets": {
			reason:  "The same of those that are cut off.",
			silent:  12,
			options: registrytest.Options{Wrappers: []registrytest.Wrapper{about(12, registrytest.Reset()), about(100, registrytest.Latency(300*time.Millisecond))}},
		},
		"Mirror": {reason: "A mirror that is silent for one image has the others.", silent: 1, mirror: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			registrytest.RootCAs() // made before the clock is
			synctest.Test(t, func(t *testing.T) {
				if tc.options.Wrappers == nil {
					tc.options.Wrappers = []registrytest.Wrapper{about(tc.silent, silent)}
				}
				var network registrytest.Pipes
				tc.options.Listen = network.Listen
				s, source := start(t, tc.options), start(t, registrytest.Options{Listen: network.Listen})
				refs := fill(t, s, tc.silent+healthy, 0)
				if tc.mirror {
					refs = fill(t, source, tc.silent+healthy, 0)
				}
				var all sync.WaitGroup
				for n := range runs {
					o := trusting(t)
					o.RequestTimeout, o.Retries, o.Dial = 6*time.Second, 2, network.Dial
					if tc.login {
						o.AuthFile = login(t, map[string]string{s.Host(): plantedUser + ":" + plantedPassword})
					}
					if tc.lax {
						o.Insecure = []string{s.Host()}
					}
					all.Go(func() {
						c := client(t, o)
						var r registry.Resolver = c
						if tc.mirror {
							r = registry.Mirrored(c, c, mirror.New(mirror.Scope{Prefix: source.Host(), Mirrors: []mirror.Endpoint{{Location: s.Host()}}}))
						}
						for i, result := range registry.ResolveAll(t.Context(), r, refs) {
							broken := i < tc.silent
							switch {
							case tc.mirror && (result.Err != nil || broken != (result.Image.Mirror == "")):
								t.Errorf("%s\nrun %d, image %d: want the source's answer %v, got %q, %v", tc.reason, n, i, broken, result.Image.Mirror, result.Err)
							case !tc.mirror && broken != (result.Err != nil):
								t.Errorf("%s\nrun %d, image %d: want a failure %v, got %v", tc.reason, n, i, broken, result.Err)
							}
						}
					})
				}
				all.Wait()
			})
		})
	}
}
