package registry

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/goldenarch/goldenarch/internal/images/layout"
)

// tape is what is recorded of one question, in whichever place it is asked. A nil
// tape records nothing.
type tape struct {
	to      *layout.Recording
	secrets *shownSecrets // of the whole run

	mu sync.Mutex
	// place is where the image is asked for now, and root its manifest there, if
	// that came.
	place Reference
	root  layout.Entry
	// lost says that a part did not come, or is none: what is recorded does not
	// lead to the same answer.
	lost bool
}

type tapeKey struct{}

func tapeOf(ctx context.Context) *tape {
	t, _ := ctx.Value(tapeKey{}).(*tape)
	return t
}

// secretsOf returns who notes what is sent as credentials.
func secretsOf(ctx context.Context) *shownSecrets {
	if t := tapeOf(ctx); t != nil {
		return t.secrets
	}
	return nil
}

// begin says that the image is asked for in a place, after all others failed.
func (t *tape) begin(place Reference) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.place, t.root, t.lost = place, layout.Entry{}, false
}

// before returns the source with the tape running.
func (t *tape) before(s source) source {
	if t == nil {
		return s
	}
	return &taped{next: s, tape: t}
}

type taped struct {
	next source
	tape *tape
}

// fetch implements source.
func (s *taped) fetch(ctx context.Context, p part) (fetched, error) {
	got, err := s.next.fetch(ctx, p)
	if err != nil || !s.tape.take(ctx, p, got) {
		s.tape.lose()
	}
	return got, err
}

func (t *tape) lose() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lost = true
}

// take keeps a part, if it is one: a web page in its place is not, nor is what
// has another digest. They would say of an image what is not so, and anything of
// who asked.
func (t *tape) take(ctx context.Context, p part, got fetched) bool {
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
	if !ok || t.holdsSecret(got.body) || t.holdsSecret([]byte(mediaType)) {
		return false
	}
	t.to.Put(digest, got.body)
	if p.root() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.root = layout.Entry{Digest: digest, Size: int64(len(got.body)), MediaType: mediaType}
	}
	return true
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

// holdsSecret reports whether content repeats a credential, and gives the
// recording up then: what is left out silently would be looked for.
func (t *tape) holdsSecret(body []byte) bool {
	if !t.secrets.in(body) {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.to.Fail(&Error{Reference: t.place.String(), Registry: t.place.Host(), Kind: ErrContent, Err: errRepeated})
	return true
}
