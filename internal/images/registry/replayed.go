package registry

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/semaphore"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/layout"
	"github.com/goldenarch/goldenarch/internal/images/transport"
)

// Replay returns a Resolver that answers from a layout as a [Client] does from
// registries, and opens no connection. It uses no mirrors, credentials or certificates:
// an entry answers for the reference that it names in full, including the host. An
// entry without a full reference answers for its digest.
func Replay(l *layout.Layout, v v1alpha1.Verify) Resolver {
	r := &replay{
		layout: l, large: semaphore.NewWeighted(transport.LargeAtOnce),
		named: map[imageref.Reference][]layout.Entry{}, unnamed: map[string]layout.Entry{},
	}
	for _, e := range l.Entries() {
		if ref, ok := fullReference(e); ok {
			r.named[ref] = append(r.named[ref], e)
		} else {
			r.unnamed[e.Digest] = e
		}
	}
	return verifying(r, v)
}

// fullReference returns the reference that an entry names. A tag alone, which many
// tools write, does not identify the image.
func fullReference(e layout.Entry) (imageref.Reference, bool) {
	for _, name := range []string{e.Name, e.FullName} {
		if ref, err := imageref.Parse(name); err == nil && imageref.HasHost(name) {
			return ref, true
		}
	}
	return imageref.Reference{}, false
}

type replay struct {
	layout  *layout.Layout
	large   *semaphore.Weighted
	named   map[imageref.Reference][]layout.Entry
	unnamed map[string]layout.Entry
}

var _ asker = (*replay)(nil)

// Resolve implements Resolver.
func (r *replay) Resolve(ctx context.Context, ref imageref.Reference) (Image, error) {
	e, err := r.find(ref)
	if err != nil {
		return Image{}, explain(ref, err)
	}
	image, err := (&resolution{ref: ref, source: stored{r.layout, e, r.large}}).image(ctx)
	if err != nil {
		return Image{}, explain(ref, err)
	}
	image.Mirror = e.Mirror
	return image, nil
}

// explain implements asker.
func (r *replay) explain(ref imageref.Reference, err error) *Error { return explain(ref, err) }

// source implements asker. The caller has found the reference in the layout.
func (r *replay) source(ref imageref.Reference) source {
	e, _ := r.find(ref)
	return stored{r.layout, e, r.large}
}

func (r *replay) find(ref imageref.Reference) (layout.Entry, error) {
	list := r.named[ref]
	if e, ok := r.unnamed[ref.Digest()]; ok && len(list) == 0 {
		return e, nil
	}
	if len(list) == 0 {
		return layout.Entry{}, notRecorded(r.layout.Dir(), "does not have it")
	}
	for _, other := range list[1:] {
		if other.Digest != list[0].Digest {
			return layout.Entry{}, &contentError{
				local: true, kind: ErrContent, hint: "remove one of them from its index.json",
				text: fmt.Sprintf("the layout %q has two entries for it, %s and %s", r.layout.Dir(), list[0].Digest, other.Digest),
			}
		}
	}
	return list[0], nil
}

// stored is an image in a layout.
type stored struct {
	layout *layout.Layout
	entry  layout.Entry
	large  *semaphore.Weighted
}

// fetch implements source.
func (s stored) fetch(ctx context.Context, p part) (fetched, error) {
	digest, what, limit := p.name, "manifest", int64(manifestLimit)
	if p.config {
		what, limit = "configuration", configLimit
	}
	got := fetched{}
	if p.root() {
		digest, got.mediaType = s.entry.Digest, s.entry.MediaType
	}
	if err := s.large.Acquire(ctx, 1); err != nil {
		return fetched{}, context.Cause(ctx)
	}
	got.decoded = func() { s.large.Release(1) }
	var err error
	if got.body, err = s.layout.Blob(digest, limit); err == nil {
		return got, nil
	}
	got.decoded()
	if errors.Is(err, layout.ErrMissing) {
		return fetched{}, notRecorded(s.layout.Dir(), fmt.Sprintf("lacks its %s %s", what, digest))
	}
	problem := &contentError{
		local: true, kind: ErrContent, text: fmt.Sprintf("the layout %q cannot be read: %v", s.layout.Dir(), err),
		hint: "correct it, or record it again in another directory",
	}
	if errors.Is(err, layout.ErrDamaged) {
		problem.kind = ErrDiffers
	}
	return fetched{}, problem
}

// notRecorded is the error of a part that the layout in a directory does not have.
func notRecorded(dir, lack string) error {
	return &contentError{
		local: true, kind: ErrNotRecorded, text: fmt.Sprintf("the layout %q %s", dir, lack),
		hint: fmt.Sprintf("add it on a machine that reaches its registry, with --record %q instead of --replay", dir),
	}
}
