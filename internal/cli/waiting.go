package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/sanitize"
)

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
		names = append(names, sanitize.Escape(ref.String()))
	}
	slices.Sort(names)
	const shown = 5
	more := ""
	if len(names) > shown {
		more = fmt.Sprintf(" and %d more", len(names)-shown)
		names = names[:shown]
	}
	return fmt.Sprintf("no answer yet from %s about %s%s", strings.Join(slices.Sorted(maps.Keys(hosts)), ", "), strings.Join(names, ", "), more)
}

// noted opens registries with a resolver that records the images without an answer.
func noted(o registry.Options) (registry.Resolver, error) {
	next, err := registry.Open(o)
	if err != nil {
		return nil, err
	}
	return noting{next}, nil
}

type noting struct{ next registry.Resolver }

// Resolve implements registry.Resolver.
func (n noting) Resolve(ctx context.Context, ref imageref.Reference) (registry.Image, error) {
	if w, ok := ctx.Value(waitingKey{}).(*waiting); ok {
		w.add(ref, 1)
		defer func() {
			if ctx.Err() == nil { // an image whose time ran out has no answer
				w.add(ref, -1)
			}
		}()
	}
	return n.next.Resolve(ctx, ref)
}
