package transport

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// hurrying is a transport that gives hasty requests 5 s of 15.
func hurrying(s *script) *Transport {
	t := s.transport(4)
	t.options.ShortTimeout = 5 * time.Second
	return t
}

func hastily(raw string) Request {
	r := get(raw)
	r.ShortTimeout = true
	return r
}

// forEver is a host that takes the connection and says nothing.
func forEver(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// TestSilenceOfAMirror asks a silent host for many images that can be had
// elsewhere: all that is lost is one short wait.
func TestSilenceOfAMirror(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason   string
		answered bool // it answered once, and then no more
		slow     bool
		requests int // sent in all
	}{
		"NeverAnswered": {"To a host without a connection one request goes, the others fail with it.", false, false, 1},
		"Slow":          {"A token service may take its time, but is given up as well.", false, true, 40},
		"FellSilent":    {"One that answered before may have one broken repository: each is asked once.", true, false, 40},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &script{do: func(n int, r *http.Request) (*http.Response, error) {
					if n == 0 && tc.answered {
						return reply(200, "x"), nil
					}
					return forEver(r)
				}}
				tr := hurrying(s)
				if tc.answered {
					if _, err := tr.Do(t.Context(), hastily("https://r/first")); err != nil {
						t.Fatal(err)
					}
				}
				start, before := time.Now(), s.calls
				if tc.requests > 1 {
					tr.host(get("https://r/").URL).limiter.open() // there is a connection
				}
				var all sync.WaitGroup
				for range 40 {
					all.Go(func() {
						r := hastily("https://r/a")
						r.Slow = tc.slow
						_, err := tr.Do(t.Context(), r)
						if !errors.Is(err, ErrTimeout) || !strings.Contains(err.Error(), "5s") {
							t.Errorf("%s\nwant a time-out of 5s, got %v", tc.reason, err)
						}
					})
				}
				all.Wait()
				if took := time.Since(start); took != 5*time.Second {
					t.Errorf("%s\nwant 5s, took %s", tc.reason, took)
				}
				if got := s.calls - before; got > tc.requests {
					t.Errorf("%s\nwant at most %d requests, got %d", tc.reason, tc.requests, got)
				}
				// From then on it costs nothing.
				start, before = time.Now(), s.calls
				if _, err := tr.Do(t.Context(), hastily("https://r/b")); !errors.Is(err, ErrTimeout) {
					t.Errorf("%s\nwant the same failure, got %v", tc.reason, err)
				}
				if time.Since(start) > 0 || s.calls > before {
					t.Errorf("%s\nit was waited for again", tc.reason)
				}
			})
		})
	}
}

// TestHasteCondemnsNobody: who has nowhere else to go still asks the host that
// was too slow for others, and with all the time there is.
func TestHasteCondemnsNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &script{do: func(_ int, r *http.Request) (*http.Response, error) {
			select {
			case <-time.After(10 * time.Second):
				return reply(200, "x"), nil
			case <-r.Context().Done():
				return nil, r.Context().Err()
			}
		}}
		tr := hurrying(s)
		if _, err := tr.Do(t.Context(), hastily("https://r/a")); !errors.Is(err, ErrTimeout) {
			t.Fatalf("want a time-out, got %v", err)
		}
		if resp, err := tr.Do(t.Context(), get("https://r/a")); err != nil || resp.Status != 200 {
			t.Errorf("want the answer of a slow host, got %v, %v", resp, err)
		}
	})
}

// TestHasteAndRetryAfter: a short wait is waited for, a long one is not.
func TestHasteAndRetryAfter(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason, after string
		status, calls int
		took          time.Duration
	}{
		"Short": {"Two seconds are less than going elsewhere costs.", "2", 200, 2, 2 * time.Second},
		"Long":  {"Twenty are not.", "20", 429, 1, 0},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &script{do: func(n int, _ *http.Request) (*http.Response, error) {
					if n == 0 {
						return reply(429, "", "Retry-After", tc.after), nil
					}
					return reply(200, "x"), nil
				}}
				tr := hurrying(s)
				start := time.Now()
				resp, err := tr.Do(t.Context(), hastily("https://r/a"))
				if err != nil || resp.Status != tc.status || s.calls != tc.calls || time.Since(start) != tc.took {
					t.Fatalf("%s\ngot %v, %v after %d requests and %s", tc.reason, resp, err, s.calls, time.Since(start))
				}
				if tc.status == 200 {
					return
				}
				// The next one is not sent, but one without haste waits.
				_, err = tr.Do(t.Context(), hastily("https://r/b"))
				if _, ok := errors.AsType[*AnswerError](err); !ok || s.calls != 1 {
					t.Errorf("%s\nwant a wait that is too long, got %v after %d requests", tc.reason, err, s.calls)
				}
				if resp, err := tr.Do(t.Context(), get("https://r/c")); err != nil || resp.Status != 200 || time.Since(start) != 20*time.Second {
					t.Errorf("%s\nwant an answer after 20s, got %v, %v after %s", tc.reason, resp, err, time.Since(start))
				}
			})
		})
	}
}

// quiet is net/http's error of a host that does not answer TLS's greeting.
type quiet struct{}

func (quiet) Error() string   { return "net/http: TLS handshake timeout" }
func (quiet) Timeout() bool   { return true }
func (quiet) Temporary() bool { return true }

// TestGreetingThatIsNotAnswered: a host that takes connections and is silent is
// as dead as one that takes none.
func TestGreetingThatIsNotAnswered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &script{do: func(int, *http.Request) (*http.Response, error) {
			time.Sleep(10 * time.Second)
			return nil, quiet{}
		}}
		tr := s.transport(4)
		start := time.Now()
		for range 3 {
			_, err := tr.Do(t.Context(), get("https://r/a"))
			if host, ok := errors.AsType[*HostError](err); !ok || !host.GivenUp {
				t.Fatalf("want the host given up, got %v", err)
			}
		}
		if s.calls != 1 || time.Since(start) != 10*time.Second {
			t.Errorf("want one attempt of 10s, got %d and %s", s.calls, time.Since(start))
		}
	})
}
