package registry_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestStatusOfTheManifest answers a question for a manifest with a status, n
// times or for ever.
func TestStatusOfTheManifest(t *testing.T) {
	t.Parallel()
	const all = "linux/amd64 linux/arm64"
	reply := func(status int) registrytest.Wrapper { return registrytest.Reply(status, nil) }
	cases := map[string]struct {
		reason   string
		fault    registrytest.Wrapper
		want     outcome
		requests int
	}{
		"429Bare": {
			reason: "Without Retry-After the back-off counts.",
			fault:  registrytest.First(1, reply(http.StatusTooManyRequests)),
			want:   outcome{platforms: all}, requests: 2,
		},
		"500Once": {
			reason: "A failure is tried again.", fault: registrytest.First(1, reply(http.StatusInternalServerError)),
			want: outcome{platforms: all}, requests: 2,
		},
		"500ForEver": {
			reason: "But not for ever.", fault: reply(http.StatusInternalServerError),
			want: outcome{kind: registry.ErrServer, status: 500, says: []string{"500", "UNKNOWN"}}, requests: 2,
		},
		"503Once": {
			reason: "Nor at 503.", fault: registrytest.First(1, registrytest.Reply(http.StatusServiceUnavailable, registrytest.RetryAfter(1))),
			want: outcome{platforms: all}, requests: 2,
		},
		"503AnHour": {
			reason: "Nor is an hour waited for where the server fails.",
			fault:  registrytest.Reply(http.StatusServiceUnavailable, registrytest.RetryAfter(3600)),
			want:   outcome{kind: registry.ErrServer, status: 503, says: []string{"503", "Retry-After: 3600"}}, requests: 1,
		},
		"403": {
			reason: "403 is an answer, not a failure.", fault: reply(http.StatusForbidden),
			want: outcome{kind: registry.ErrDenied, status: 403, says: []string{"403", "DENIED", "log in"}}, requests: 1,
		},
		"404": {
			reason: "So is 404.", fault: reply(http.StatusNotFound),
			want: outcome{kind: registry.ErrNotFound, status: 404, says: []string{"404", "NOT_FOUND"}}, requests: 1,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := with(t, registrytest.On(registrytest.Manifest, tc.fault))
			ref := fill(t, s, 1, 0)[0]
			image, err := resolve(t, client(t, trusting(t)), ref)
			tc.want.check(t, tc.reason, ref, image, err)
			if got := s.Counts().Manifest; got != tc.requests {
				t.Errorf("%s\nwant %d requests, got %d", tc.reason, tc.requests, got)
			}
		})
	}
}

// TestStorm asks a registry that serves four requests at a time and refuses
// all others.
func TestStorm(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]registrytest.Options{"HTTP1": {HTTP1: true}, "HTTP2": {}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			options.Wrappers = []registrytest.Wrapper{
				registrytest.MaxInFlight(4, registrytest.RetryAfter(1)),
				registrytest.Latency(5 * time.Millisecond),
			}
			s := start(t, options)
			o := trusting(t)
			o.Retries = 0 // the default
			errs := failures(t, client(t, o), fill(t, s, 60, 15))
			if len(errs) > 0 {
				t.Errorf("%d of 60 failed, the first: %v", len(errs), errs[0])
			}
			if got := s.Counts().Total(); got > 4*(60+15) {
				t.Errorf("%d requests for 60 images: the storm was answered with a storm", got)
			}
		})
	}
}

// TestBrokenRepositoriesFailAlone asks a registry of which a tenth is broken,
// those first.
func TestBrokenRepositoriesFailAlone(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			t.Parallel()
			var broken []registrytest.Wrapper
			for i := range 6 {
				broken = append(broken, registrytest.OnRepository(fmt.Sprintf("org/r%d", i), registrytest.Reply(status, nil)))
			}
			s := with(t, broken...)
			refs := fill(t, s, 60, 0)
			c := client(t, trusting(t))
			bad := failures(t, c, refs[:6])
			good := failures(t, c, refs[6:])
			if len(bad) != 6 || len(good) > 0 {
				t.Fatalf("want 6 failures and none beside them, got %d and %d: %v", len(bad), len(good), append(bad, good...)[len(bad)])
			}
			for i, err := range bad {
				outcome{kind: registry.ErrServer, status: status, says: []string{fmt.Sprint(status)}}.
					check(t, "Each says its own status.", refs[i], registry.Image{}, err)
			}
		})
	}
}
