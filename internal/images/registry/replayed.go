package registry

import (
	"context"
	"errors"
	"fmt"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/layout"
)

// Replay returns a Resolver that answers from a layout as a [Client] does from
// registries, and opens no connection. It uses no mirrors, credentials or certificates:
// an entry answers for the reference that it names in full, including the host. An
// entry without a full reference answers for its digest.
func Replay(l *layout.Layout, v v1alpha1.Verify) Resolver {
	r := &replay{layout: l, large: newSlots(), named: map[imageref.Reference][]layout.Entry{}, unnamed: map[string]layout.Entry{}}
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
	large   slots
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
func (r *replay) source(_ context.Context, ref imageref.Reference) source {
	e, _ := r.find(ref)
	return stored{r.layout, e, r.large}
}

func (r *replay) find(ref imageref.Reference) (layout.Entry, error) {
	list := r.named[ref]
	if e, ok := r.unnamed[ref.Digest()]; ok && len(list) == 0 {
		return e, nil
	}
	if len(list) == 0 {
		return layout.Entry{}, &layoutError{
			kind: ErrNotRecorded, text: fmt.Sprintf("the layout %q does not have it", r.layout.Dir()),
			hint: fmt.Sprintf("add it on a machine that reaches its registry, with --record %q instead of --replay", r.layout.Dir()),
		}
	}
	for _, other := range list[1:] {
		if other.Digest != list[0].Digest {
			return layout.Entry{}, &layoutError{
				kind: ErrContent, text: fmt.Sprintf("the layout %q has two entries for it, %s and %s", r.layout.Dir(), list[0].Digest, other.Digest),
				hint: "remove one of them from its index.json",
			}
		}
	}
	return list[0], nil
}

// stored is an image in a layout.
type stored struct {
	layout *layout.Layout
	entry  layout.Entry
	large  slots
}

// fetch implements source.
func (s stored) fetch(ctx context.Context, p part) (fetched, error) {
	if ctx.Err() != nil {
		return fetched{}, context.Cause(ctx)
	}
	digest, what, limit := p.name, "manifest", int64(manifestLimit)
	if p.config {
		what, limit = "configuration", configLimit
	}
	got := fetched{}
	if p.root() {
		digest, got.mediaType = s.entry.Digest, s.entry.MediaType
	}
	h := &hold{slots: s.large}
	if err := h.acquire(ctx); err != nil {
		return fetched{}, err
	}
	var err error
	if got.body, err = s.layout.Blob(digest, limit); err == nil {
		got.done = h.release
		return got, nil
	}
	h.release()
	problem := &layoutError{
		kind: ErrContent, text: fmt.Sprintf("the layout %q cannot be read: %v", s.layout.Dir(), err),
		hint: "correct it, or record it again in another directory",
	}
	if errors.Is(err, layout.ErrDamaged) {
		problem.kind = ErrDiffers
	}
	if errors.Is(err, layout.ErrMissing) {
		problem.kind, problem.text = ErrNotRecorded, fmt.Sprintf("the layout %q lacks its %s %s", s.layout.Dir(), what, digest)
		problem.hint = fmt.Sprintf("add it on a machine that reaches its registry, with --record %q instead of --replay", s.layout.Dir())
	}
	return fetched{}, problem
}

// layoutError is a problem with a layout. It does not involve a registry.
type layoutError struct {
	kind       error
	text, hint string
}

func (e *layoutError) Error() string { return e.text }
