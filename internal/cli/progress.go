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

// queries are the images that a run asks registries about. A terminal shows how many have an answer and for which registries
// goldenarch waits, and a stopped run names the images without one.
type queries struct {
	mu          sync.Mutex
	status      *console.Status // nil shows nothing
	asked, done int
	waiting     map[imageref.Reference]int
}

// width is how many characters the bar has.
const width = 10

// open opens registries with a resolver that is counted.
func (q *queries) open(o registry.Options) (registry.Resolver, error) {
	next, err := registry.Open(o)
	if err != nil {
		return nil, err
	}
	return q.before(next), nil
}

// before counts what a resolver is asked. An image whose time ran out has no answer.
func (q *queries) before(next registry.Resolver) registry.Resolver {
	return resolverFunc(func(ctx context.Context, ref imageref.Reference) (registry.Image, error) {
		q.add(ref, 1, 0)
		defer func() {
			if ctx.Err() == nil {
				q.add(ref, 0, 1)
			}
		}()
		return next.Resolve(ctx, ref)
	})
}

// resolverFunc is a function that resolves images.
type resolverFunc func(ctx context.Context, ref imageref.Reference) (registry.Image, error)

// Resolve implements registry.Resolver.
func (f resolverFunc) Resolve(ctx context.Context, ref imageref.Reference) (registry.Image, error) {
	return f(ctx, ref)
}

func (q *queries) add(ref imageref.Reference, asked, done int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.asked, q.done = q.asked+asked, q.done+done
	if q.waiting == nil {
		q.waiting = map[imageref.Reference]int{}
	}
	if q.waiting[ref] += asked - done; q.waiting[ref] == 0 {
		delete(q.waiting, ref)
	}
	if q.status == nil {
		return
	}
	full := width * q.done / q.asked
	bar := fmt.Sprintf("[%s%s] %d of %d images", strings.Repeat("#", full), strings.Repeat(".", width-full), q.done, q.asked)
	owed := q.owed()
	hosts := slices.SortedFunc(maps.Keys(owed), func(a, b string) int { return cmp.Or(cmp.Compare(owed[b], owed[a]), cmp.Compare(a, b)) })
	for i, host := range hosts {
		hosts[i] = fmt.Sprintf("%s (%d)", host, owed[host])
	}
	if len(hosts) > 0 {
		bar += ", waiting for " + strings.Join(hosts, ", ")
	}
	q.status.Show(bar)
}

// owed returns how many images have no answer, by the host of their registry.
func (q *queries) owed() map[string]int {
	out := map[string]int{}
	for ref, n := range q.waiting {
		out[ref.Host()] += n
	}
	return out
}

// show shows the progress on standard error if that is a terminal that can show it, until the caller hides it.
func (q *queries) show(on *console.Printer) (hide func()) {
	q.status = on.Status()
	return func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		if q.status != nil {
			q.status.Clear()
		}
	}
}

// unanswered names the registries that have not answered, and some of the images; "" if all
// have answered.
func (q *queries) unanswered() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		return ""
	}
	var names []string
	for ref := range q.waiting {
		names = append(names, console.Escape(ref.String()))
	}
	slices.Sort(names)
	const shown = 5
	return fmt.Sprintf("no answer yet from %s about %s", strings.Join(slices.Sorted(maps.Keys(q.owed())), ", "), finding.Shortened(names, shown))
}
