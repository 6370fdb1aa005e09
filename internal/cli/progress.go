package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// progress shows on a terminal how many of the images are resolved, and for which
// registries goldenarch waits.
type progress struct {
	status *console.Status

	mu      sync.Mutex
	asked   int
	done    int
	waiting map[string]int // images without an answer, by the host of their registry
}

// width is how many characters the bar has.
const width = 10

// before adds the bar to a Resolver. A nil bar, for an output that is not a terminal,
// shows nothing.
func (p *progress) before(r registry.Resolver) registry.Resolver {
	if p == nil {
		return r
	}
	return resolverFunc(func(ctx context.Context, ref imageref.Reference) (registry.Image, error) {
		p.add(ref.Host(), 1, 0)
		defer p.add(ref.Host(), 0, 1)
		return r.Resolve(ctx, ref)
	})
}

// resolverFunc is a function that resolves images.
type resolverFunc func(ctx context.Context, ref imageref.Reference) (registry.Image, error)

// Resolve implements registry.Resolver.
func (f resolverFunc) Resolve(ctx context.Context, ref imageref.Reference) (registry.Image, error) {
	return f(ctx, ref)
}

func (p *progress) add(host string, asked, done int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked, p.done = p.asked+asked, p.done+done
	if p.waiting == nil {
		p.waiting = map[string]int{}
	}
	if p.waiting[host] += asked - done; p.waiting[host] == 0 {
		delete(p.waiting, host)
	}
	full := width * p.done / p.asked
	bar := fmt.Sprintf("[%s%s] %d of %d images", strings.Repeat("#", full), strings.Repeat(".", width-full), p.done, p.asked) + p.waits()
	p.status.Show(bar)
}

// waits returns the registries that have not answered, the one with the most images
// first.
func (p *progress) waits() string {
	hosts := slices.SortedFunc(maps.Keys(p.waiting), func(a, b string) int {
		return cmp.Or(cmp.Compare(p.waiting[b], p.waiting[a]), cmp.Compare(a, b))
	})
	if len(hosts) == 0 {
		return ""
	}
	for i, host := range hosts {
		hosts[i] = fmt.Sprintf("%s (%d)", host, p.waiting[host])
	}
	return ", waiting for " + strings.Join(hosts, ", ")
}

// clear removes the bar.
func (p *progress) clear() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status.Clear()
}

// newProgress returns a bar if standard error is a terminal that can show one.
func newProgress(show *console.Printer) *progress {
	status := show.Status()
	if status == nil {
		return nil
	}
	return &progress{status: status}
}

// waiting has the images that a run has queried and that have no answer yet. A stopped
// run names them.
type waiting struct {
	mu     sync.Mutex
	images map[imageref.Reference]int
}

type waitingKey struct{}

// withWaiting returns a context that carries the images without an answer.
func withWaiting(ctx context.Context) (context.Context, *waiting) {
	w := &waiting{images: map[imageref.Reference]int{}}
	return context.WithValue(ctx, waitingKey{}, w), w
}

func (w *waiting) add(ref imageref.Reference, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.images[ref] += n; w.images[ref] == 0 {
		delete(w.images, ref)
	}
}

// String names the registries that have not answered, and some of the images; "" if all
// have answered.
func (w *waiting) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.images) == 0 {
		return ""
	}
	hosts, names := map[string]bool{}, make([]string, 0, len(w.images))
	for ref := range w.images {
		hosts[ref.Host()] = true
		names = append(names, console.Escape(ref.String()))
	}
	slices.Sort(names)
	const shown = 5
	return fmt.Sprintf("no answer yet from %s about %s", strings.Join(slices.Sorted(maps.Keys(hosts)), ", "), finding.Shortened(names, shown))
}

// noted opens registries with a resolver that records the images without an answer.
func noted(o registry.Options) (registry.Resolver, error) {
	next, err := registry.Open(o)
	if err != nil {
		return nil, err
	}
	return resolverFunc(func(ctx context.Context, ref imageref.Reference) (registry.Image, error) {
		if w, ok := ctx.Value(waitingKey{}).(*waiting); ok {
			w.add(ref, 1)
			defer func() {
				if ctx.Err() == nil { // an image whose time ran out has no answer
					w.add(ref, -1)
				}
			}()
		}
		return next.Resolve(ctx, ref)
	}), nil
}
