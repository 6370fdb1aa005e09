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

// recorder keeps what is fetched for one question, in whichever place it is asked. A
// nil recorder keeps nothing.
type recorder struct {
	to      *layout.Recording
	secrets *sentSecrets // of the whole run

	mu sync.Mutex
	// place is where the image is asked for now, and root its manifest there, if
	// that came.
	place imageref.Reference
	root  layout.Entry
	// incomplete says that a part did not come, or is none: what is recorded does
	// not lead to the same answer.
	incomplete bool
}

type recorderKey struct{}

func recorderOf(ctx context.Context) *recorder {
	r, _ := ctx.Value(recorderKey{}).(*recorder)
	return r
}

// recordedSecrets returns the secrets that must not be recorded.
func recordedSecrets(ctx context.Context) *sentSecrets {
	if r := recorderOf(ctx); r != nil {
		return r.secrets
	}
	return nil
}

// startAt forgets the other places: the image is asked for in this one now.
func (r *recorder) startAt(place imageref.Reference) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.place, r.root, r.incomplete = place, layout.Entry{}, false
}

// wrap returns a source whose parts are kept.
func (r *recorder) wrap(s source) source {
	if r == nil {
		return s
	}
	return &recordedSource{next: s, recorder: r}
}

type recordedSource struct {
	next     source
	recorder *recorder
}

// fetch implements source.
func (s *recordedSource) fetch(ctx context.Context, p part) (fetched, error) {
	got, err := s.next.fetch(ctx, p)
	if err != nil || !s.recorder.keep(ctx, p, got) {
		s.recorder.mu.Lock()
		s.recorder.incomplete = true
		s.recorder.mu.Unlock()
	}
	return got, err
}

// keep records a part, if it is one: a web page in its place is not, nor is what
// has another digest. They would say of an image what is not so, and anything of
// who asked.
func (r *recorder) keep(ctx context.Context, p part, got fetched) bool {
	mediaType, ok := "", true
	if !p.config {
		mediaType, ok = manifestType(ctx, got)
	}
	digest := digestOf(got.body)
	if strings.Contains(p.name, ":") {
		ok = ok && verify(got.body, p.name) == nil
		if !p.root() {
			digest = p.name // it is looked for by this one, be it sha512
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

// entry returns what the index is to say of an image, if all of it was kept.
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

// manifestType returns what a manifest is, by its own word or else its sender's.
// What is known to be no image is a manifest as well.
func manifestType(ctx context.Context, got fetched) (string, bool) {
	d, err := parseDocument(ctx, got.body, got.mediaType)
	if wrong, is := errors.AsType[*contentError](err); is && errors.Is(wrong.kind, ErrNotImage) {
		return cmp.Or(wrong.mediaType, "application/octet-stream"), true
	}
	return d.MediaType, err == nil
}

// errRepeated is why a run is not recorded.
var errRepeated = errors.New("it repeats the credentials that it was sent, which are not to be recorded")

// refusesSecret reports whether content repeats a credential, and gives the
// recording up then: what is left out silently would be looked for.
func (r *recorder) refusesSecret(body []byte) bool {
	if !r.secrets.repeatedIn(body) {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.to.Fail(&Error{Reference: r.place.String(), Registry: r.place.Host(), Kind: ErrContent, Err: errRepeated})
	return true
}
