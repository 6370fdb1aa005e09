package pipeline

import (
	"context"
	"reflect"
	"sync"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// answers keeps the answers of registries for all steps of a run: the run queries each
// image once, of a CR and of pods alike. Steps whose spec.registry differs may get different
// answers, and share none.
type answers struct {
	open func(registry.Options) (registry.Resolver, error)
	sets []*answerSet
}

type answerSet struct {
	registry v1alpha1.RegistrySpec

	mu    sync.Mutex
	known map[imageref.Reference]answer
}

// answer is what came of an image. A failure holds only for the same options: others may have
// credentials.
type answer struct {
	image   registry.Image
	err     error
	options registry.Options
}

// opener returns the function that opens registries for a step.
func (a *answers) opener(spec v1alpha1.RegistrySpec) func(registry.Options) (registry.Resolver, error) {
	open := a.open
	if open == nil {
		open = registry.Open
	}
	set := &answerSet{registry: spec, known: map[imageref.Reference]answer{}}
	for _, other := range a.sets {
		if reflect.DeepEqual(other.registry, spec) {
			set = other
		}
	}
	a.sets = append(a.sets, set)
	return func(o registry.Options) (registry.Resolver, error) {
		next, err := open(o)
		if err != nil {
			return nil, err
		}
		o.Note, o.Dial, o.Env = nil, nil, nil // functions, which are the same for all steps
		return remembering{next, o, set}, nil
	}
}

type remembering struct {
	next    registry.Resolver
	options registry.Options
	*answerSet
}

// Resolve implements [registry.Resolver]. It remembers failures too, but not those of a run
// that has ended.
func (r remembering) Resolve(ctx context.Context, ref imageref.Reference) (registry.Image, error) {
	r.mu.Lock()
	a, known := r.known[ref]
	r.mu.Unlock()
	if known && (a.err == nil || reflect.DeepEqual(a.options, r.options)) { //nolint:govet // options with errors are asked once more
		return a.image, a.err
	}
	image, err := r.next.Resolve(ctx, ref)
	if err == nil || ctx.Err() == nil {
		r.mu.Lock()
		r.known[ref] = answer{image, err, r.options}
		r.mu.Unlock()
	}
	return image, err
}
