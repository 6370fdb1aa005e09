package registry

import (
	"context"

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
	return &recorded{next: next, to: to, secrets: newShownSecrets()}
}

type recorded struct {
	next    Resolver
	to      *layout.Recording
	secrets *shownSecrets
}

var _ Resolver = (*recorded)(nil)

// Resolve implements Resolver.
func (r *recorded) Resolve(ctx context.Context, ref Reference) (Image, error) {
	t := &tape{to: r.to, secrets: r.secrets}
	image, err := r.next.Resolve(context.WithValue(ctx, tapeKey{}, t), ref)
	if e, whole := t.entry(ref); whole {
		r.to.Add(e)
	}
	return image, err
}

// entry returns what the index is to say of an image, if the tape has all of it.
func (t *tape) entry(ref Reference) (layout.Entry, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e := t.root
	e.Name = ref.String()
	if t.place != ref {
		e.Mirror = t.place.String()
	}
	return e, !t.lost && e.Digest != ""
}
