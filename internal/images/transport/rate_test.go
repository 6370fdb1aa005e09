package transport

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

func TestRequestsPerSecond(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason      string
		rate        int
		images      int
		least, most time.Duration
	}{
		"Ten":      {"41 requests at ten a second take four seconds.", 10, 41, 4 * time.Second, 4*time.Second + 100*time.Millisecond},
		"One":      {"One a second is one a second.", 1, 5, 4 * time.Second, 4*time.Second + 100*time.Millisecond},
		"Anything": {"0 is no bound.", 0, 60, 0, 100 * time.Millisecond},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &script{do: func(_ int, r *http.Request) (*http.Response, error) {
					connected(r)
					time.Sleep(10 * time.Millisecond)
					return reply(200, "x"), nil
				}}
				tr := s.transport(0)
				tr.options.RequestsPerSecond = tc.rate
				start := time.Now()
				many(t.Context(), tr, tc.images)
				if took := time.Since(start); s.calls != tc.images || took < tc.least || took > tc.most {
					t.Errorf("%s\nwant %d requests in %s to %s, got %d in %s", tc.reason, tc.images, tc.least, tc.most, s.calls, took)
				}
				for i := tc.rate; tc.rate > 0 && i < len(s.at); i++ {
					if within := s.at[i].Sub(s.at[i-tc.rate]); within < time.Second {
						t.Errorf("%s\n%d requests within %s", tc.reason, tc.rate+1, within)
					}
				}
			})
		})
	}
}

func TestRateEndsWithTheContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &script{do: func(_ int, r *http.Request) (*http.Response, error) { connected(r); return reply(200, "x"), nil }}
		tr := s.transport(0)
		tr.options.RequestsPerSecond = 1
		ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
		defer cancel()
		start := time.Now()
		many(ctx, tr, 20)
		if took := time.Since(start); s.calls != 3 || took != 2500*time.Millisecond {
			t.Errorf("want 3 requests and the end at 2.5 s, got %d and %s", s.calls, took)
		}
	})
}

// A token service that takes longer than one request may is asked again, and
// its host is not given up for all others.
func TestSlowIsNotDead(t *testing.T) {
	t.Parallel()
	for name, slow := range map[string]bool{"Slow": true, "Silent": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &script{do: func(n int, r *http.Request) (*http.Response, error) {
					connected(r)
					if n > 0 {
						return reply(200, "x"), nil
					}
					<-r.Context().Done()
					return nil, r.Context().Err()
				}}
				r := get("https://r/token")
				r.Slow = slow
				_, err := s.transport(4).Do(t.Context(), r)
				dead, _ := errors.AsType[*HostError](err)
				switch {
				case slow && err != nil:
					t.Errorf("the second try was answered, but: %v", err)
				case !slow && (dead == nil || !dead.GivenUp):
					t.Errorf("a registry that is silent from the first is given up, but: %v", err)
				}
			})
		})
	}
}
