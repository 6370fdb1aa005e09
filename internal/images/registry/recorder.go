package registry

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/layout"
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
	r.place, r.root, r.incomplete = place, layout.Entry{}, false
}

// record records a part that a source has sent, or could not send.
func (r *recorder) record(ctx context.Context, p part, got fetched, err error) {
	if r != nil && (err != nil || !r.keep(ctx, p, got)) {
		r.mu.Lock()
		r.incomplete = true
		r.mu.Unlock()
	}
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
	e.Name = ref.String()
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
		return cmp.Or(wrong.mediaType, "application/octet-stream"), true
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
	if e, whole := rec.entry(ref); whole {
		r.to.Add(e)
	}
	return image, err
}
