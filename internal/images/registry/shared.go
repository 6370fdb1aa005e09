package registry

import (
	"context"
	"reflect"
	"sync"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/parallel"
)

// Shared asks for each image once, for all who query registries in the same way: the steps of a run, and the clusters of a repository.
type Shared struct {
	// Next opens registries.
	Next func(Options) (Resolver, error)

	mu     sync.Mutex
	opened []*sharedResolver
}

// Open opens registries. The same options get the same resolver.
func (s *Shared) Open(o Options) (Resolver, error) {
	key := o
	key.Note, key.Dial, key.Env = nil, nil, nil // functions, which are the same for all
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.opened {
		if reflect.DeepEqual(one.key, key) {
			return one, nil
		}
	}
	next, err := s.Next(o)
	if err != nil {
		return nil, err
	}
	out := &sharedResolver{next: next, key: key, answers: map[imageref.Reference]*answer{}}
	s.opened = append(s.opened, out)
	return out, nil
}

type sharedResolver struct {
	next Resolver
	key  Options

	mu      sync.Mutex
	answers map[imageref.Reference]*answer
}

// answer is what came of one image.
type answer struct {
	mu    sync.Mutex
	known bool
	image Image
	err   error
}

// Resolve implements [Resolver]. It remembers failures too, but not those of a
// run that has ended.
func (r *sharedResolver) Resolve(ctx context.Context, ref imageref.Reference) (image Image, err error) {
	parallel.Wait(ctx, func() { image, err = r.resolve(ctx, ref) })
	return image, err
}

func (r *sharedResolver) resolve(ctx context.Context, ref imageref.Reference) (Image, error) {
	r.mu.Lock()
	a := r.answers[ref]
	if a == nil {
		a = &answer{}
		r.answers[ref] = a
	}
	r.mu.Unlock()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.known {
		return a.image, a.err
	}
	image, err := r.next.Resolve(ctx, ref)
	if err == nil || ctx.Err() == nil {
		a.known, a.image, a.err = true, image, err
	}
	return image, err
}
