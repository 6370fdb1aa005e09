package registry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/semaphore"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/layout"
	"github.com/goldenarch/goldenarch/internal/images/transport"
)

// recorder keeps what the client fetches for one reference, from any place. A nil
// recorder keeps nothing.
type recorder struct {
	to      *layout.Recording
	secrets *sentSecrets // of the whole run

	mu sync.Mutex
	// place is where the client currently fetches the image. root is its manifest
	// there, if the client has received it.
	place imageref.Reference
	root  layout.Entry
	// absent are the digests of manifests that the place does not have.
	absent []string
	// incomplete reports that a part is missing or invalid. A replay of the recording
	// then has another result.
	incomplete bool
}

// startAt discards what came from other places: the client now fetches the image from
// this one.
func (r *recorder) startAt(place imageref.Reference) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.place, r.root, r.absent, r.incomplete = place, layout.Entry{}, nil, false
}

// record records a part that a source has sent, or could not send.
func (r *recorder) record(ctx context.Context, p part, got fetched, err error) {
	if r == nil || err == nil && r.keep(ctx, p, got) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if status, is := errors.AsType[*statusError](err); is && status.status == http.StatusNotFound && !p.root() && !p.config {
		r.absent = append(r.absent, p.name)
		return
	}
	r.incomplete = true
}

// keep records a part if it is valid: not a web page, and not content with another
// digest. Those would describe the image wrongly, and could contain data about the
// user.
func (r *recorder) keep(ctx context.Context, p part, got fetched) bool {
	mediaType, ok := "", true
	if !p.config {
		mediaType, ok = manifestType(ctx, got)
	}
	digest := digestOf(got.body)
	if strings.Contains(p.name, ":") {
		ok = ok && verify(got.body, p.name) == nil
		if !p.root() {
			digest = p.name // a replay looks for this digest, even if it is sha512
		}
	}
	if !ok || r.refusesSecret(got.body) || r.refusesSecret([]byte(mediaType)) {
		return false
	}
	r.to.Put(digest, got.body)
	if p.root() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.root = layout.Entry{Digest: digest, Size: int64(len(got.body)), MediaType: mediaType}
	}
	return true
}

// entry returns the index entry of an image, if the recorder kept all of it.
func (r *recorder) entry(ref imageref.Reference) (layout.Entry, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.root
	e.Name, e.Absent = ref.String(), slices.Compact(slices.Sorted(slices.Values(r.absent)))
	if r.place != ref {
		e.Mirror = r.place.String()
	}
	return e, !r.incomplete && e.Digest != ""
}

// manifestType returns the type of a manifest, from its body or else its header. A
// manifest that does not describe an image also has a type.
func manifestType(ctx context.Context, got fetched) (string, bool) {
	d, err := parseDocument(ctx, got.body, got.mediaType)
	if wrong, is := errors.AsType[*contentError](err); is && errors.Is(wrong.kind, ErrNotImage) {
		return cmp.Or(d.MediaType, "application/octet-stream"), true
	}
	return d.MediaType, err == nil
}

// errRepeated is why the recording fails.
var errRepeated = errors.New("it repeats the credentials that goldenarch sent, and goldenarch does not record credentials")

// refusesSecret reports whether content repeats a credential. If so, it fails the
// recording: a silently incomplete recording would confuse the user.
func (r *recorder) refusesSecret(body []byte) bool {
	if !r.secrets.repeatedIn(body) {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.to.Fail(&Error{Reference: r.place.String(), Registry: r.place.Host(), Kind: ErrContent, Err: errRepeated})
	return true
}

// Recorded wraps a Resolver and keeps the manifests and configurations of its answers
// in a layout, byte for byte. The index names an image by the requested reference; if a
// mirror answered, the entry names the mirror. The index names an image only if all of
// its parts were received: then a replay has the same result as the recorded run, even
// if that is an error. Close of the Recording reports what it cannot write.
//
// It wraps [Mirrored] and [Client.Verified], whose queries count as one.
func Recorded(next Resolver, to *layout.Recording) Resolver {
	return &recorded{next: next, to: to, secrets: &sentSecrets{}}
}

type recorded struct {
	next    Resolver
	to      *layout.Recording
	secrets *sentSecrets
}

var _ Resolver = (*recorded)(nil)

// Resolve implements Resolver.
func (r *recorded) Resolve(ctx context.Context, ref imageref.Reference) (Image, error) {
	rec, q := &recorder{to: r.to, secrets: r.secrets}, queryOf(ctx)
	q.recorder = rec
	image, err := r.next.Resolve(q.in(ctx), ref)
	if e, whole := rec.entry(ref); whole && (err == nil || len(e.Absent) == 0) {
		r.to.Add(e)
	}
	return image, err
}

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

var _ querier = (*replay)(nil)

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

// explain implements querier.
func (r *replay) explain(ref imageref.Reference, err error) *Error { return explain(ref, err) }

// source implements querier. The caller has found the reference in the layout.
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
	if errors.Is(err, layout.ErrMissing) && slices.Contains(s.entry.Absent, digest) {
		return fetched{}, &contentError{
			local: true, kind: ErrNotFound, text: fmt.Sprintf("the registry had no manifest %s when the layout %q was recorded", digest, s.layout.Dir()),
			hint: "the image in the registry is incomplete: push or mirror it again",
		}
	}
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
