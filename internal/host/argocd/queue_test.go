package argocd

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestNewQueue(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		limit  int64
		slots  int
	}{
		{"without a limit nobody waits", 0, 0},
		{"the example's sidecar", 512 << 20, 4},
		{"less than one call needs", 64 << 20, 1},
		{"1 GiB", 1 << 30, 10},
	} {
		q := newQueue(t.TempDir(), tc.limit)
		if q.slots != tc.slots {
			t.Errorf("%s: want %d slots, got %d", tc.reason, tc.slots, q.slots)
		}
		if share := q.share(tc.limit); share*int64(tc.slots) > tc.limit {
			t.Errorf("%s: %d calls of %d bytes are more than %d", tc.reason, tc.slots, share, tc.limit)
		}
	}
}

// TestQueue: as many run at once as there are slots, and all get their turn.
func TestQueue(t *testing.T) {
	t.Parallel()
	q := queue{dir: t.TempDir(), slots: 3, wait: time.Minute}
	var running, maxListed atomic.Int64
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			leave, _, err := q.enter(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			defer leave()
			now := running.Add(1)
			for before := maxListed.Load(); now > before && !maxListed.CompareAndSwap(before, now); before = maxListed.Load() {
			}
			for range 1000 { // what a call does
				runtime.Gosched()
			}
			running.Add(-1)
		})
	}
	group.Wait()
	if maxListed.Load() > 3 || maxListed.Load() == 0 {
		t.Errorf("want at most 3 at once, got %d", maxListed.Load())
	}
}

func TestQueueEnds(t *testing.T) {
	t.Parallel()
	q := queue{dir: t.TempDir(), slots: 1, wait: 50 * time.Millisecond}
	leave, _, err := q.enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := q.enter(t.Context()); !errors.Is(err, errQueue) {
		t.Errorf("want %v, got %v", errQueue, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := q.enter(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("want %v, got %v", context.Canceled, err)
	}
	leave()
	q.wait = time.Minute
	leave, waited, err := q.enter(t.Context())
	if err != nil || waited > 10*time.Second {
		t.Errorf("want a free slot at once, got %v after %s", err, waited)
	}
	leave()
	if _, _, err := (queue{dir: "/nowhere", slots: 1}).enter(t.Context()); err != nil {
		t.Errorf("where no lock can be made nobody waits, got %v", err)
	}
}

func TestRegistryTimeout(t *testing.T) {
	if got := RegistryTimeout(t.Context()); got != "" {
		t.Errorf("without Argo CD: want the default of the API, got %q", got)
	}
	t.Setenv(appName, "app")
	for waited, want := range map[time.Duration]string{0: "40s", 10 * time.Second: "30s", 39 * time.Second: "5s"} {
		if got := RegistryTimeout(context.WithValue(t.Context(), waitedKey{}, waited)); got != want {
			t.Errorf("after %s: want %q, got %q", waited, want, got)
		}
	}
}

func TestAdministeredQueue(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		env    map[string]string
		want   queue
		fails  bool
	}{
		{"nothing is said", nil, queue{slots: 4, wait: longestWait, processors: runtime.GOMAXPROCS(0)}, false},
		{"both are said", map[string]string{maxCalls: "7", maxWait: "2m"}, queue{slots: 7, wait: 2 * time.Minute, processors: runtime.GOMAXPROCS(0)}, false},
		{"no call could run", map[string]string{maxCalls: "0"}, queue{}, true},
		{"no number", map[string]string{maxCalls: "many"}, queue{}, true},
		{"no duration", map[string]string{maxWait: "40"}, queue{}, true},
		{"no time", map[string]string{maxWait: "-1s"}, queue{}, true},
	} {
		q := newQueue("", 512<<20)
		err := q.administered(func(name string) string { return tc.env[name] })
		if (err != nil) != tc.fails || err == nil && q != tc.want {
			t.Errorf("%s: want %+v, got %+v and %v", tc.reason, tc.want, q, err)
		}
	}
}

// TestQueueIsShortOf: the error of a call that has waited too long names what would help.
func TestQueueIsShortOf(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason            string
		slots, processors int
		want, never       string
	}{
		{"each processor has a call", 4, 4, "4 run at once on 4 processors, so the processor is short", "memory"},
		{"more calls than processors", 4, 1, "4 run at once on 1 processor, so the processor is short", "memory"},
		{"processors are free", 4, 8, "at most 4 run at once in the memory of this container", "cpu"},
	} {
		q := queue{dir: t.TempDir(), slots: tc.slots, processors: tc.processors, wait: time.Nanosecond}
		for range tc.slots {
			leave, _, err := q.enter(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer leave()
		}
		_, _, err := q.enter(t.Context())
		if !errors.Is(err, errQueue) || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), tc.never) {
			t.Errorf("%s: want %v with %q and without %q, got %v", tc.reason, errQueue, tc.want, tc.never, err)
		}
	}
}

// TestQueuedVerbs: a verb that reads a directory waits for its turn, also behind a flag.
func TestQueuedVerbs(t *testing.T) {
	t.Setenv(appName, "hco")
	t.Setenv(maxCalls, "none") // an error for who waits
	for _, tc := range []struct {
		reason string
		args   []string
		want   bool
	}{
		{"what the plugin calls", []string{"render", "."}, true},
		{"a flag of all verbs", []string{"--max-file-size", "1Mi", "render"}, true},
		{"with its value", []string{"--max-file-size=1Mi", "argocd", "discover"}, true},
		{"another verb", []string{"version"}, false},
		{"a function", nil, false},
	} {
		err := RunQueued(t.Context(), tc.args, func(int64) {}, func(context.Context) error { return nil })
		if got := err != nil; got != tc.want {
			t.Errorf("%s: want an error %t, got %v", tc.reason, tc.want, err)
		}
	}
}
