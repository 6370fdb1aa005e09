package registry

import (
	"context"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/layout"
)

// Recorded wraps a Resolver so that the manifests and configurations that are
// fetched for its answers are kept in a layout, byte for byte. The index names an
// image as it was asked for; if a mirror answered, the entry says which. An image
// is named there if all that was asked for came: then a replay ends as the
// recorded run did, be it in an error. What cannot be written, Close of the
// Recording tells.
//
// It goes around [Mirrored] and [Client.Verified], whose questions are one.
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
