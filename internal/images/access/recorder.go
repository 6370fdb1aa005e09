package access

import (
	"context"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// recorder records each query for an image and its result.
type recorder struct {
	registry.Resolver
	access *Access
}

// Resolve implements registry.Resolver.
func (w recorder) Resolve(ctx context.Context, ref imageref.Reference) (registry.Image, error) {
	image, err := w.Resolver.Resolve(ctx, ref)
	w.access.mu.Lock()
	defer w.access.mu.Unlock()
	w.access.queried[ref] = err
	if len(image.Passed) > 0 {
		w.access.failed[ref] = image.Passed
	}
	if len(image.Unbelieved) > 0 {
		w.access.ignored[ref] = image.Unbelieved
	}
	return image, w.access.explain(ref, err)
}

func (g *Access) note(n registry.Note) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if known, ok := g.notes[n.Registry]; !ok || n.Remaining < known.Remaining {
		g.notes[n.Registry] = n
	}
}
