package registry

import (
	"context"
	"sync"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
)

// Result is the answer for one reference: an image, or the error.
type Result struct {
	Reference imageref.Reference
	Image     Image
	Err       error
}

// ResolveAll resolves all references at once, each of them once, and returns the
// results in the order of the references. A failure does not stop the others: each
// result has its own error. A [Client] itself limits how many requests one registry
// gets at once.
func ResolveAll(ctx context.Context, r Resolver, refs []imageref.Reference) []Result {
	results := make([]Result, len(refs))
	var all sync.WaitGroup
	first := map[imageref.Reference]int{}
	for i, ref := range refs {
		if _, asked := first[ref]; asked {
			continue
		}
		first[ref] = i
		all.Go(func() {
			image, err := r.Resolve(ctx, ref)
			results[i] = Result{Reference: ref, Image: image, Err: err}
		})
	}
	all.Wait()
	for i, ref := range refs {
		results[i] = results[first[ref]]
	}
	return results
}
