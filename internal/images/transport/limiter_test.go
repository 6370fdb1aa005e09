package transport

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptrace"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// connected plays the transport's part of saying that there is a connection.
func connected(r *http.Request) {
	if trace := httptrace.ContextClientTrace(r.Context()); trace != nil && trace.GotConn != nil {
		trace.GotConn(httptrace.GotConnInfo{})
	}
}

func TestStormEndsWithoutErrors(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason string
		bound  int32
		images int
		within time.Duration
		// serving is how long the host takes for a request, refusing for a refusal.
		serving, refusing time.Duration
		retries           int
	}{
		"Four": {
			"60 images at a host that serves 4 at once: every one is served, in 4 times the 0.75 s of a client that knows.",
			4, 60, 3 * time.Second, 50 * time.Millisecond, 0, 4,
		},
		"One": {
			"A host that serves one at a time.",
			1, 40, 6 * time.Second, 50 * time.Millisecond, 0, 4,
		},
		"Many": {
			"200 images, 10 at once.",
			10, 200, 6 * time.Second, 50 * time.Millisecond, 0, 4,
		},
		"LateRefusals": {
			"The limit falls by a quarter at a time if the refusals come late, since the host served many meanwhile. That uses up no retries.",
			4, 200, 10 * time.Second, time.Millisecond, 500 * time.Millisecond, 1,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var inflight atomic.Int32
				s := &script{do: func(_ int, r *http.Request) (*http.Response, error) {
					connected(r)
					if inflight.Add(1) > tc.bound {
						inflight.Add(-1)
						time.Sleep(tc.refusing)
						return reply(429, "", "Retry-After", "1"), nil
					}
					defer inflight.Add(-1)
					time.Sleep(tc.serving)
					return reply(200, "x"), nil
				}}
				tr := s.transport(tc.retries)
				start := time.Now()
				results := make([]*Response, tc.images)
				errs := make([]error, tc.images)
				var all sync.WaitGroup
				for i := range tc.images {
					all.Go(func() { results[i], errs[i] = tr.Do(t.Context(), get("https://r/v2/a")) })
				}
				all.Wait()
				for i := range results {
					if errs[i] != nil || results[i].Status != 200 {
						t.Fatalf("%s\nimage %d: %v, %v", tc.reason, i, results[i], errs[i])
					}
				}
				if took := time.Since(start); took > tc.within {
					t.Errorf("%s\ntook %s and %d requests", tc.reason, took, s.calls)
				}
			})
		})
	}
}

// TestNoRetriesMeansNone: who wants no retries gets none, also for one of too many requests.
func TestNoRetriesMeansNone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var inflight atomic.Int32
		s := &script{do: func(_ int, r *http.Request) (*http.Response, error) {
			connected(r)
			defer inflight.Add(-1)
			if inflight.Add(1) > 4 {
				return reply(429, "", "Retry-After", "1"), nil
			}
			time.Sleep(time.Second)
			return reply(200, "x"), nil
		}}
		many(t.Context(), s.transport(0), 6)
		if s.calls != 6 {
			t.Errorf("6 requests without retries were sent %d times", s.calls)
		}
	})
}

func TestOneRequestUntilThereIsAConnection(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var before, alone atomic.Int32
		var open atomic.Bool
		s := &script{do: func(_ int, r *http.Request) (*http.Response, error) {
			if !open.Load() && before.Add(1) > 1 {
				alone.Add(1)
			}
			time.Sleep(time.Second) // dialling
			open.Store(true)
			connected(r)
			return reply(200, "x"), nil
		}}
		many(t.Context(), s.transport(0), 50)
		if alone.Load() > 0 {
			t.Errorf("%d requests began beside the first one before it had a connection", alone.Load())
		}
	})
}

func TestConcurrencyIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var inflight, most atomic.Int32
		s := &script{do: func(_ int, r *http.Request) (*http.Response, error) {
			connected(r)
			if n := inflight.Add(1); n > most.Load() {
				most.Store(n)
			}
			time.Sleep(time.Second)
			inflight.Add(-1)
			return reply(200, "x"), nil
		}}
		many(t.Context(), s.transport(0), 300)
		if most.Load() != 64 {
			t.Errorf("want 64 requests at once at most, got %d", most.Load())
		}
	})
}

// TestRequestsKeepTheirOrder: requests begin in the order in which they are wanted. Of
// 200 images, with a token and a manifest each and a configuration for every fourth, no
// image then begins so late that its three requests come after all others: 450 requests,
// 100 at once, take 5 rounds.
func TestRequestsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(100, 0)
		l.open()
		var images sync.WaitGroup
		start := time.Now()
		for i := range 200 {
			images.Go(func() {
				requests := 2
				if i%4 == 3 {
					requests = 3
				}
				for range requests {
					if _, err := l.acquire(t.Context(), maxWait); err != nil {
						t.Error(err)
					}
					time.Sleep(time.Second)
					l.release()
				}
			})
		}
		images.Wait()
		if rounds := time.Since(start) / time.Second; rounds != 5 {
			t.Errorf("450 requests, 100 at once, took %d rounds, want 5", rounds)
		}
	})
}

// TestGrantedTurnThatNobodyTakes: a request that ends just when its turn comes leaves
// its place to the next one.
func TestGrantedTurnThatNobodyTakes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(1, 0)
		if _, err := l.acquire(t.Context(), maxWait); err != nil {
			t.Fatal(err)
		}
		canceled, cancel := context.WithCancel(t.Context())
		var waiters sync.WaitGroup
		for _, ctx := range []context.Context{canceled, t.Context()} {
			waiters.Go(func() {
				if _, err := l.acquire(ctx, maxWait); err == nil {
					l.release()
				}
			})
			synctest.Wait()
		}
		cancel()
		l.release()
		waiters.Wait()
		if _, err := l.acquire(t.Context(), maxWait); err != nil || l.inflight != 1 {
			t.Errorf("%d requests in flight, want 1: %v", l.inflight, err)
		}
	})
}

func TestWaiterThatLeavesBlocksNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(1, 0)
		if _, err := l.acquire(t.Context(), maxWait); err != nil {
			t.Fatal(err)
		}
		impatient, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := l.acquire(impatient, maxWait); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("want the context's error, got %v", err)
		}
		got := make(chan error, 1)
		go func() { _, err := l.acquire(t.Context(), maxWait); got <- err }()
		synctest.Wait()
		l.release()
		if err := <-got; err != nil {
			t.Error(err)
		}
	})
}

func TestCloseWakesAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(1, 0)
		if _, err := l.acquire(t.Context(), maxWait); err != nil {
			t.Fatal(err)
		}
		dead := errors.New("dead")
		got := make(chan error, 3)
		for range 3 {
			go func() { _, err := l.acquire(t.Context(), maxWait); got <- err }()
		}
		synctest.Wait()
		l.close(dead)
		for range 3 {
			if err := <-got; err != dead {
				t.Errorf("want the reason, got %v", err)
			}
		}
	})
}
