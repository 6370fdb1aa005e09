package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// script answers requests without a network, so that time can be virtual.
type script struct {
	mu    sync.Mutex
	calls int
	at    []time.Time
	do    func(n int, r *http.Request) (*http.Response, error)
}

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	n := s.calls
	s.calls++
	s.at = append(s.at, time.Now())
	s.mu.Unlock()
	return s.do(n, r)
}

func usualTLS(string) (*tls.Config, error) { return &tls.Config{}, nil }

func noProxy(*url.URL) (*url.URL, error) { return nil, nil }

func (s *script) transport(retries int) *Transport {
	t := New(Options{
		RequestTimeout: 15 * time.Second, Retries: retries, Concurrency: 64, UserAgent: "test",
		Insecure: func(string) bool { return false }, Proxy: noProxy,
	})
	t.pool = func(*host) (http.RoundTripper, error) { return s, nil }
	return t
}

func reply(status int, body string, header ...string) *http.Response {
	h := http.Header{}
	for i := 0; i < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body))}
}

func get(raw string) Request {
	u, err := url.Parse(raw)
	if err != nil {
		panic(err)
	}
	return Request{Method: http.MethodGet, URL: u, Limit: 1000, Header: http.Header{"Authorization": {"Basic x"}}}
}

type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }
func (b broken) Close() error             { return nil }

func TestRetries(t *testing.T) {
	t.Parallel()
	dial := &net.OpError{Op: "dial", Err: errors.New("connection refused")}
	reset := &net.OpError{Op: "read", Err: errors.New("connection reset by peer")}
	cases := map[string]struct {
		reason string
		do     func(n int) (*http.Response, error)
		calls  int
		status int
		fails  bool
		// least and most bound the time it may take.
		least, most time.Duration
	}{
		"OK": {
			reason: "An answer is an answer.", calls: 1, status: 200,
			do: func(int) (*http.Response, error) { return reply(200, "x"), nil },
		},
		"404": {
			reason: "404 is an answer.", calls: 1, status: 404,
			do: func(int) (*http.Response, error) { return reply(404, ""), nil },
		},
		"401": {
			reason: "401 is an answer.", calls: 1, status: 401,
			do: func(int) (*http.Response, error) { return reply(401, ""), nil },
		},
		"500Twice": {
			reason: "Back-off begins at 100 ms and doubles, with at most half as much again.", calls: 3, status: 200,
			do: func(n int) (*http.Response, error) {
				if n < 2 {
					return reply(500, ""), nil
				}
				return reply(200, "x"), nil
			},
			least: 300 * time.Millisecond, most: 450 * time.Millisecond,
		},
		"503ForEver": {
			reason: "After four retries the answer stands.", calls: 5, status: 503,
			do:    func(int) (*http.Response, error) { return reply(503, ""), nil },
			least: 1500 * time.Millisecond, most: 2250 * time.Millisecond,
		},
		"RetryAfterSeconds": {
			reason: "The host says how long.", calls: 2, status: 200,
			do: func(n int) (*http.Response, error) {
				if n == 0 {
					return reply(429, "", "Retry-After", "2"), nil
				}
				return reply(200, "x"), nil
			},
			least: 2 * time.Second, most: 2 * time.Second,
		},
		"RetryAfterDate": {
			reason: "A date is compared with the server's own.", calls: 2, status: 200,
			do: func(n int) (*http.Response, error) {
				if n == 0 {
					return reply(429, "", "Date", "Wed, 21 Oct 2015 07:28:00 GMT", "Retry-After", "Wed, 21 Oct 2015 07:28:07 GMT"), nil
				}
				return reply(200, "x"), nil
			},
			least: 7 * time.Second, most: 7 * time.Second,
		},
		"RetryAfterAnHour": {
			reason: "Longer than 30 s is not waited for: it fails at once.", calls: 1, fails: true,
			do: func(int) (*http.Response, error) { return reply(429, "", "Retry-After", "3600"), nil },
		},
		"Reset": {
			reason: "A reset is tried again.", calls: 2, status: 200,
			do: func(n int) (*http.Response, error) {
				if n == 0 {
					return nil, reset
				}
				return reply(200, "x"), nil
			},
			least: 100 * time.Millisecond, most: 150 * time.Millisecond,
		},
		"StreamError": {
			reason: "An HTTP/2 reset in the body is tried again.", calls: 2, status: 200,
			do: func(n int) (*http.Response, error) {
				r := reply(200, "x")
				if n == 0 {
					r.Body = broken{errors.New("stream error: stream ID 1; INTERNAL_ERROR")}
				}
				return r, nil
			},
			least: 100 * time.Millisecond, most: 150 * time.Millisecond,
		},
		"Truncated": {
			reason: "A truncated body is fetched again as a whole.", calls: 2, status: 200,
			do: func(n int) (*http.Response, error) {
				r := reply(200, "x")
				if n == 0 {
					r.Body = broken{io.ErrUnexpectedEOF}
				}
				return r, nil
			},
			least: 100 * time.Millisecond, most: 150 * time.Millisecond,
		},
		"Refused": {
			reason: "A host that never answered and refuses is dead.", calls: 1, fails: true,
			do: func(int) (*http.Response, error) { return nil, dial },
		},
		"NoSuchHost": {
			reason: "A name that does not exist will not exist in a second.", calls: 1, fails: true,
			do: func(int) (*http.Response, error) { return nil, &net.DNSError{Err: "no such host", Name: "r"} },
		},
		"RefusedLater": {
			reason: "A host that answered before may be starting anew.", calls: 3, status: 200,
			do: func(n int) (*http.Response, error) {
				switch n {
				case 0:
					return reply(500, ""), nil
				case 1:
					return nil, dial
				}
				return reply(200, "x"), nil
			},
			least: 300 * time.Millisecond, most: 450 * time.Millisecond,
		},
		"TooLarge": {
			reason: "What is too large will be too large again.", calls: 1, fails: true,
			do: func(int) (*http.Response, error) { return reply(200, strings.Repeat("x", 1001)), nil },
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &script{do: func(n int, _ *http.Request) (*http.Response, error) { return tc.do(n) }}
				start := time.Now()
				resp, err := s.transport(4).Do(t.Context(), get("https://r/v2/a"))
				took := time.Since(start)
				var host *HostError
				switch {
				case tc.fails != (err != nil), tc.fails && !errors.As(err, &host):
					t.Fatalf("%s\nerror: %v", tc.reason, err)
				case !tc.fails && resp.Status != tc.status:
					t.Errorf("%s\nstatus: want %d, got %d", tc.reason, tc.status, resp.Status)
				}
				if s.calls != tc.calls {
					t.Errorf("%s\nattempts: want %d, got %d", tc.reason, tc.calls, s.calls)
				}
				if took < tc.least || took > tc.most {
					t.Errorf("%s\ntook %s, want %s to %s", tc.reason, took, tc.least, tc.most)
				}
			})
		})
	}
}

// hang answers nothing until the request's context ends.
func hang(_ int, r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func TestSilentHostIsGivenUpAfterOneDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &script{do: hang}
		tr := s.transport(4)
		start := time.Now()
		errs := many(t.Context(), tr, 200)
		if took := time.Since(start); took != 15*time.Second {
			t.Errorf("took %s, want one RequestTimeout", took)
		}
		if s.calls != 1 {
			t.Errorf("a silent host was asked %d times for 200 requests, want once", s.calls)
		}
		for _, err := range errs {
			if err != errs[0] || !errors.Is(err, ErrTimeout) {
				t.Fatalf("want the same error for all, got %v and %v", errs[0], err)
			}
		}
	})
}

func many(ctx context.Context, tr *Transport, n int) []error {
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { _, errs[i] = tr.Do(ctx, get("https://r/v2/a")) })
	}
	all.Wait()
	return errs
}

func TestDeadlineOfTheRunIsKept(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason  string
		do      func(n int, r *http.Request) (*http.Response, error)
		within  time.Duration
		answer  bool // the error holds the host's answer
		retries int
	}{
		"Silent": {"The run's deadline ends a request.", hang, 5 * time.Second, false, 4},
		"BackOff": {"The run's deadline ends a back-off.", func(int, *http.Request) (*http.Response, error) {
			return nil, errors.New("reset")
		}, 2500 * time.Millisecond, false, 4},
		"RetryAfterPastTheDeadline": {"What cannot be waited for fails at once.", func(int, *http.Request) (*http.Response, error) {
			return reply(429, "", "Retry-After", "20"), nil
		}, 0, true, 4},
		"SilentAfterAnAnswer": {"The host was not silent: its newest answer says more than the deadline.", func(n int, r *http.Request) (*http.Response, error) {
			if n < 2 {
				return reply(429, ""), nil
			}
			return hang(n, r)
		}, 5 * time.Second, true, 4},
		"BackOffAfterAnAnswer": {"So does the answer before a wait that the deadline ends.", func(int, *http.Request) (*http.Response, error) {
			return reply(500, ""), nil
		}, 5 * time.Second, true, 8},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
				defer cancel()
				s := &script{do: tc.do}
				start := time.Now()
				_, err := s.transport(tc.retries).Do(ctx, get("https://r/v2/a"))
				if took := time.Since(start); took > tc.within {
					t.Errorf("%s\ntook %s, want at most %s", tc.reason, took, tc.within)
				}
				var answer *AnswerError
				if err == nil || errors.As(err, &answer) != tc.answer {
					t.Errorf("%s\nerror: %v", tc.reason, err)
				}
				if answer != nil && errors.Is(err, context.DeadlineExceeded) != answer.Deadline || answer != nil && answer.Deadline != (answer.Wait == 0) {
					t.Errorf("%s\nthe error must say whether the deadline ended the retries: %v", tc.reason, err)
				}
			})
		})
	}
}

// TestHostThatOnlyFails asks a host that answers everything with 503: each
// request gets its own answer, and soon without retries.
func TestHostThatOnlyFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &script{do: func(_ int, r *http.Request) (*http.Response, error) {
			connected(r)
			return reply(503, ""), nil
		}}
		start := time.Now()
		for _, err := range many(t.Context(), s.transport(4), 200) {
			if err != nil {
				t.Fatalf("503 is an answer, not silence: %v", err)
			}
		}
		if s.calls > 2*200 {
			t.Errorf("a host that only answers 503 was asked %d times for 200 requests", s.calls)
		}
		if took := time.Since(start); took > 15*time.Second {
			t.Errorf("took %s and %d requests to give the host up", took, s.calls)
		}
	})
}

func TestOneBadAnswerDoesNotCondemnTheHost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &script{do: func(_ int, r *http.Request) (*http.Response, error) {
			if strings.HasSuffix(r.URL.Path, "/bad") {
				return reply(500, ""), nil
			}
			return reply(200, "x"), nil
		}}
		tr := s.transport(4)
		if _, err := tr.Do(t.Context(), get("https://r/v2/bad")); err != nil {
			t.Fatal(err)
		}
		if resp, err := tr.Do(t.Context(), get("https://r/v2/good")); err != nil || resp.Status != 200 {
			t.Errorf("after one repository failed: %v, %v", resp, err)
		}
	})
}

func TestBodyIsSentAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var bodies []string
		s := &script{do: func(n int, r *http.Request) (*http.Response, error) {
			b, _ := io.ReadAll(r.Body)
			bodies = append(bodies, string(b))
			if n == 0 {
				return reply(503, ""), nil
			}
			return reply(200, "x"), nil
		}}
		r := get("https://r/token")
		r.Method, r.Body = http.MethodPost, []byte("refresh")
		if _, err := s.transport(4).Do(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if strings.Join(bodies, ",") != "refresh,refresh" {
			t.Errorf("bodies: %q", bodies)
		}
	})
}
