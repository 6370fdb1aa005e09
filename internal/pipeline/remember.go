package pipeline

import (
	"context"
	"sync"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// memory keeps the answers of a run, so that the run queries an image of both a CR and
// a pod only once.
type memory struct {
	mu      sync.Mutex
	answers map[imageref.Reference]registry.Image
}

// remember wraps the function that opens registries, so that the run uses its memory
// before them.
func remember(open func(registry.Options) (registry.Resolver, error)) func(registry.Options) (registry.Resolver, error) {
	if open == nil {
		open = registry.Open
	}
	m := &memory{answers: map[imageref.Reference]registry.Image{}}
	return func(o registry.Options) (registry.Resolver, error) {
		next, err := open(o)
		if err != nil {
			return nil, err
		}
		return remembering{next, m}, nil
	}
}

type remembering struct {
	next registry.Resolver
	*memory
}

// Resolve implements registry.Resolver.
func (r remembering) Resolve(ctx context.Context, ref imageref.Reference) (registry.Image, error) {
	r.mu.Lock()
	image, known := r.answers[ref]
	r.mu.Unlock()
	if known {
		return image, nil
	}
	image, err := r.next.Resolve(ctx, ref)
	if err == nil {
		r.mu.Lock()
		r.answers[ref] = image
		r.mu.Unlock()
	}
	return image, err
}
