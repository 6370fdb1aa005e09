package registry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/mirror"
)

// Mirrored wraps a Resolver so that it queries the mirrors of a policy one after
// another, and then the registry of the reference. insecure is the Resolver for places
// that the policy declares insecure.
//
// Like containers/image it goes on to the next place whatever the error is. The answer
// keeps the requested reference, and names the mirror that answered and the mirrors
// that failed before. The error names every place.
func Mirrored(next, insecure Resolver, p mirror.Policy) Resolver {
	return &mirrored{next: next, insecure: insecure, policy: p}
}

type mirrored struct {
	next     Resolver
	insecure Resolver
	policy   mirror.Policy
}

var _ Resolver = (*mirrored)(nil)

// MirrorError is why a mirror did not answer for an image.
type MirrorError struct {
	// Mirror is the place, as a reference names it.
	Mirror string
	Err    error
}

// Error implements error.
func (e MirrorError) Error() string { return fmt.Sprintf("mirror %s: %v", e.Mirror, e.Err) }

// Unwrap returns the cause.
func (e MirrorError) Unwrap() error { return e.Err }

// Resolve implements Resolver.
func (m *mirrored) Resolve(ctx context.Context, ref imageref.Reference) (Image, error) {
	name := ref.Host() + "/" + ref.Repository()
	places := m.policy.Places(name, ref.Pinned())
	if len(places) == 1 && places[0] == (mirror.Place{Name: name, Source: true}) {
		return m.next.Resolve(ctx, ref)
	}
	q := queryOf(ctx)
	q.requested = ref
	failed := failures{ref: ref, mirrored: m.policy.Mirrored(name)}
	places = distinct(places)
	for i, place := range places {
		q.shortTimeout = slices.ContainsFunc(places[i+1:], func(p mirror.Place) bool { return !p.Blocked })
		image, err := m.ask(q.in(ctx), ref, place)
		if err == nil {
			image.Passed = failed.mirrors()
			return image, nil
		}
		failed.list = append(failed.list, failure{place: place, err: err})
		if ctx.Err() != nil {
			break
		}
	}
	return Image{}, failed.error()
}

// distinct omits a place that comes before. A mirror may also be the source.
func distinct(places []mirror.Place) []mirror.Place {
	var out []mirror.Place
	for _, place := range places {
		if !slices.ContainsFunc(out, func(p mirror.Place) bool { p.Source = place.Source; return p == place }) {
			out = append(out, place)
		}
	}
	return out
}

// ask queries one place.
func (m *mirrored) ask(ctx context.Context, ref imageref.Reference, place mirror.Place) (Image, error) {
	if place.Blocked {
		return Image{}, errBlocked
	}
	at, err := ref.WithName(place.Name)
	if err != nil {
		return Image{}, badContent(ErrReference, "does not give a valid reference: %v", err)
	}
	resolver := m.next
	if place.Insecure {
		resolver = m.insecure
	}
	image, err := resolver.Resolve(ctx, at)
	if err != nil {
		return Image{}, err
	}
	image.Reference, image.Mirror = ref.String(), ""
	if at != ref {
		image.Mirror = at.String()
	}
	return image, nil
}

// errBlocked is the error of a place that the policy forbids.
var errBlocked = &contentError{kind: ErrBlocked, text: "goldenarch does not query it, because the mirror policy forbids it"}

// failures are the places that did not answer for a reference.
type failures struct {
	ref      imageref.Reference
	mirrored bool // the policy has mirrors, perhaps not for such a reference
	list     []failure
}

type failure struct {
	place mirror.Place
	err   error
}

// mirrors returns the mirrors among the failures.
func (f failures) mirrors() []MirrorError {
	var out []MirrorError
	for _, one := range f.list {
		if !one.place.Source {
			out = append(out, MirrorError{Mirror: one.place.Name, Err: withoutImage(one.err)})
		}
	}
	return out
}

// withoutImage returns the error of a place, without the name of the image.
func withoutImage(err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		return &reworded{e.Err.Error(), e}
	}
	return err
}

// error returns all failures as one. It has the kind of the last place that the
// resolver queried, which is the source unless the policy blocks it.
func (f failures) error() *Error {
	e := &Error{Reference: f.ref.String(), Registry: f.ref.Host(), Kind: ErrBlocked}
	var parts []string
	for _, one := range f.list {
		what := "mirror " + one.place.Name
		if one.place.Source {
			what = "the source " + one.place.Name
		}
		parts = append(parts, what+": "+withoutImage(one.err).Error())
		content, ok := errors.AsType[*contentError](one.err)
		switch last, is := errors.AsType[*Error](one.err); {
		case is:
			e.Kind, e.Status, e.Hint = last.Kind, last.Status, last.Hint
		case ok && !errors.Is(content.kind, ErrBlocked):
			e.Kind = content.kind
		case !ok:
			e.Kind = one.err
		}
	}
	switch {
	case len(f.list) != 1 || !f.list[0].place.Blocked:
	case !f.mirrored:
		e.Hint = "add a mirror for it, or allow the source: blocked in registries.conf, or neverContactSource in spec.registry.mirrors"
	case f.ref.Pinned():
		e.Hint = "its mirrors are for tags only: add mirrors for digests (ImageDigestMirrorSet)"
	default:
		e.Hint = "its mirrors are for references by digest only: add mirrors for tags (ImageTagMirrorSet)"
	}
	e.Err = errors.New(strings.Join(parts, "; "))
	return e
}

// shortTimeoutShare is the part of RequestTimeout that a place gets while there is another one
// to query: 5 s of 15. A working mirror answers much faster, and a silent one must not
// use up the time for the source.
const shortTimeoutShare = 3
