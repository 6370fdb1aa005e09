package registry_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"net/http"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

const (
	soakRuns   = 8
	soakImages = 250
	// soakFaults is how many requests of a hundred go wrong.
	soakFaults = 5
)

// TestSoak resolves 2,000 images at registries where one request in twenty goes
// wrong, in any of the ways there are. Every answer is right, or an error; and
// when it is over no connection is open, and no goroutine is left. It is not
// parallel: others would start goroutines.
func TestSoak(t *testing.T) {
	before := runtime.NumGoroutine()
	hits := map[string]*atomic.Int64{}
	for name := range soakKinds() {
		hits[name] = &atomic.Int64{}
	}
	var right, failed, requests atomic.Int64
	var all sync.WaitGroup
	for run := range soakRuns {
		soak := newSoak(t, run, hits)
		all.Go(func() {
			ok, errs := soak.resolve(t)
			right.Add(int64(ok))
			failed.Add(int64(errs))
			requests.Add(int64(soak.server.Counts().Total()))
			soak.client.Close()
			eventually(t, func() bool { return soak.server.OpenConnections() == 0 }, "a connection was left open")
			soak.server.Close()
		})
	}
	all.Wait()
	total := int64(0)
	for name, n := range hits {
		total += n.Load()
		if n.Load() == 0 {
			t.Errorf("the fault %q never happened: the test proves nothing of it", name)
		}
	}
	if total*100 < requests.Load()*(soakFaults-2) {
		t.Errorf("%d faults in %d requests are too few", total, requests.Load())
	}
	if right.Load() < soakRuns*soakImages*2/3 || right.Load()+failed.Load() != soakRuns*soakImages {
		t.Errorf("of %d images %d were right and %d failed", soakRuns*soakImages, right.Load(), failed.Load())
	}
	if !eventually(t, func() bool { return runtime.NumGoroutine() <= before }, "goroutines are left") {
		var stacks bytes.Buffer
		_ = pprof.Lookup("goroutine").WriteTo(&stacks, 1)
		t.Logf("%d before, %d now:\n%s", before, runtime.NumGoroutine(), stacks.String())
	}
	t.Logf("%d right, %d failed, %d faults in %d requests", right.Load(), failed.Load(), total, requests.Load())
}

// soakKinds are the faults, by name. Those with content that could be taken for
// right are for questions by digest only.
func soakKinds() map[string]registrytest.Wrapper {
	const index = "application/vnd.oci.image.index.v1+json"
	text := func(status int, contentType, body string) registrytest.Wrapper {
		return registrytest.ReplyBody(status, contentType, []byte(body), nil)
	}
	return map[string]registrytest.Wrapper{
		"429 now":       registrytest.Reply(429, registrytest.RetryAfter(0)),
		"429 later":     registrytest.Reply(429, registrytest.RetryAfter(1)),
		"429 bare":      registrytest.Reply(429, nil),
		"500":           registrytest.Reply(500, nil),
		"503":           registrytest.Reply(503, nil),
		"502 page":      text(502, "text/html", "<html>Bad gateway</html>"),
		"reset":         registrytest.Reset(),
		"truncated":     registrytest.Truncate(),
		"slow":          registrytest.SlowBody(100 * time.Millisecond),
		"silent":        registrytest.Silent(),
		"page":          registrytest.HTMLPage(),
		"no JSON":       text(200, index, `{"manifests":[`),
		"empty":         text(200, index, ""),
		"401":           registrytest.Reply(401, nil),
		"404":           registrytest.Reply(404, nil),
		"loop":          registrytest.Redirect("", "loop"),
		"wrong content": byDigest(text(200, index, string(registrytest.Index("linux/riscv64").Body))),
	}
}

// soaked is one run: a registry, a client, and what is true.
type soaked struct {
	server *registrytest.Server
	client *registry.Client
	refs   []imageref.Reference
	truth  map[imageref.Reference]truth
}

type truth struct{ platforms, digest string }

func newSoak(t *testing.T, run int, hits map[string]*atomic.Int64) soaked {
	t.Helper()
	users := registrytest.Users{plantedUser: plantedPassword}
	faults := make([]registrytest.Wrapper, 0, len(hits))
	kinds := soakKinds()
	// Time-outs are long, but where they are what is to happen: a busy machine is
	// no fault.
	slow := run%4 == 3
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		if slow || name != "slow" && name != "silent" {
			faults = append(faults, counted(hits[name], kinds[name]))
		}
	}
	server := start(t, registrytest.Options{HTTP1: run%2 == 0, Wrappers: []registrytest.Wrapper{
		looping,
		// A host that is silent from the beginning is given up, as it should be.
		registrytest.After(10, dice(uint64(run), soakFaults, faults...)),
		(&registrytest.Tokens{Service: "r", Users: users}).Require(),
	}})
	s := soaked{server: server, truth: map[imageref.Reference]truth{}}
	for i := range soakImages {
		a, platforms := soakImage(i)
		name := fmt.Sprintf("org/r%d:%d", i/2, i%2)
		server.Push(name, a)
		if i%3 == 0 {
			name = fmt.Sprintf("org/r%d@%s", i/2, a.Digest())
		}
		ref := reference(t, server, name)
		s.refs = append(s.refs, ref)
		s.truth[ref] = truth{platforms, a.Digest()}
	}
	o := trusting(t)
	o.Retries, o.RequestTimeout, o.Concurrency = 0, time.Minute, 32 // the default of retries
	if slow {
		o.RequestTimeout = 2 * time.Second
	}
	o.AuthFile = login(t, map[string]string{server.Host(): plantedUser + ":" + plantedPassword})
	s.client = registry.New(o)
	return s
}

// soakImage is the i-th image, of one of 15 sets of platforms and four shapes.
func soakImage(i int) (a registrytest.Artifact, platforms string) {
	var list []string
	for bit, name := range []string{"linux/amd64", "linux/arm64", "linux/ppc64le", "linux/s390x"} {
		if (i%15+1)>>bit&1 == 1 {
			list = append(list, name)
		}
	}
	switch i % 4 {
	case 0:
		return registrytest.Image(list[0]), list[0]
	case 1:
		return registrytest.BareIndex(list...), list[0] // CDI takes the first of those without a platform
	case 2:
		return registrytest.DockerList(list...), strings.Join(list, " ")
	}
	return registrytest.AttestedIndex(list...), strings.Join(list, " ")
}

// resolve asks for all images of the run and counts the right answers and the
// errors. Anything else is wrong.
func (s soaked) resolve(t *testing.T) (right, failed int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 4*deadline)
	defer cancel()
	results := registry.ResolveAll(ctx, s.client, s.refs)
	if ctx.Err() != nil {
		t.Error("it did not end by itself")
	}
	for _, r := range results {
		if r.Err != nil {
			failed++
			if _, ok := errors.AsType[*registry.Error](r.Err); !ok {
				t.Errorf("%s: want a *registry.Error, got %v", r.Reference, r.Err)
			}
			noSecret(t, "An error of the soak.", r.Err)
			continue
		}
		var got []string
		for _, p := range r.Image.Platforms {
			got = append(got, p.String())
		}
		want := s.truth[r.Reference]
		if strings.Join(got, " ") != want.platforms || r.Image.Digest != want.digest {
			t.Errorf("%s: WRONG: want %+v, got %v, %s", r.Reference, want, got, r.Image.Digest)
			continue
		}
		right++
	}
	return right, failed
}

// looping sends who was sent into a loop round and round.
func looping(next http.Handler) http.Handler {
	again := registrytest.Redirect("", "loop")(next)
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery == "loop" {
			again.ServeHTTP(rw, r)
			return
		}
		next.ServeHTTP(rw, r)
	})
}

func counted(n *atomic.Int64, w registrytest.Wrapper) registrytest.Wrapper {
	return func(next http.Handler) http.Handler {
		wrapped := w(next)
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			n.Add(1)
			wrapped.ServeHTTP(rw, r)
		})
	}
}

// eventually waits for what happens soon.
func eventually(t *testing.T, done func() bool, failure string) bool {
	t.Helper()
	for end := time.Now().Add(deadline); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if done() {
			return true
		}
	}
	t.Error(failure)
	return false
}

// dice applies one of the faults to so many percent of the requests. Which
// request is hit, and by what, follows from the seed, from what is asked for and
// from how often it was asked for before: it is the same in each run, in whatever
// order the requests come.
func dice(seed uint64, percent int, faults ...registrytest.Wrapper) registrytest.Wrapper {
	var mu sync.Mutex
	asked := map[string]uint64{}
	return func(next http.Handler) http.Handler {
		hit := make([]http.Handler, len(faults))
		for i, fault := range faults {
			hit[i] = fault(next)
		}
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			what := r.Method + " " + r.URL.RequestURI()
			mu.Lock()
			asked[what]++
			n := asked[what]
			mu.Unlock()
			sum := fnv.New64a()
			_, _ = sum.Write([]byte(what))
			roll := rand.New(rand.NewPCG(seed+n<<32, sum.Sum64()))
			if roll.IntN(100) < percent {
				hit[roll.IntN(len(hit))].ServeHTTP(rw, r)
				return
			}
			next.ServeHTTP(rw, r)
		})
	}
}

// byDigest applies a wrapper to the requests by digest only: those whose answer can be
// known to be wrong.
func byDigest(w registrytest.Wrapper) registrytest.Wrapper {
	return func(next http.Handler) http.Handler {
		wrapped := w(next)
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.Path, "/sha256:") {
				wrapped.ServeHTTP(rw, r)
				return
			}
			next.ServeHTTP(rw, r)
		})
	}
}
