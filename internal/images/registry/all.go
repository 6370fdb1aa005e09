package registry

import (
	"context"
	"sync"
)

// Result is the answer for one reference: an image, or why there is none.
type Result struct {
	Reference Reference
	Image     Image
	Err       error
}

// ResolveAll asks the resolver for all references at once and returns the
// results in the order of the references. One failure stops nothing: each
// result has its own error. How much really runs at once is the resolver's
// matter; see [Limited].
func ResolveAll(ctx context.Context, r Resolver, refs []Reference) []Result {
	results := make([]Result, len(refs))
	var all sync.WaitGroup
	for i, ref := range refs {
		all.Go(func() {
			image, err := r.Resolve(ctx, ref)
			results[i] = Result{Reference: ref, Image: image, Err: err}
		})
	}
	all.Wait()
	return results
}
