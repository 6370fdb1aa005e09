package registry

import (
	"context"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/layout"
)

// Recorded wraps a Resolver and keeps the manifests and configurations of its answers
// in a layout, byte for byte. The index names an image by the requested reference; if a
// mirror answered, the entry names the mirror. The index names an image only if all of
// its parts were received: then a replay has the same result as the recorded run, even
// if that is an error. Close of the Recording reports what it cannot write.
//
// It wraps [Mirrored] and [Client.Verified], whose queries count as one.
func Recorded(next Resolver, to *layout.Recording) Resolver {
	return &recorded{next: next, to: to, secrets: newSentSecrets()}
}

type recorded struct {
	next    Resolver
	to      *layout.Recording
	secrets *sentSecrets
}

var _ Resolver = (*recorded)(nil)

// Resolve implements Resolver.
func (r *recorded) Resolve(ctx context.Context, ref imageref.Reference) (Image, error) {
	rec := &recorder{to: r.to, secrets: r.secrets}
	image, err := r.next.Resolve(context.WithValue(ctx, recorderKey{}, rec), ref)
	if e, whole := rec.entry(ref); whole {
		r.to.Add(e)
	}
	return image, err
}
