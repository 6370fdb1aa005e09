package registry_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestRequestTargets holds the numbers that make goldenarch fast,
// for a list of which a quarter is single images, with tokens: they are counts, so
// they hold on any machine.
func TestRequestTargets(t *testing.T) {
	t.Parallel()
	const requestsPerImage = 2.3
	for _, images := range []int{20, 200} {
		for protocol, options := range map[string]registrytest.Options{"HTTP1": {HTTP1: true}, "HTTP2": {}} {
			t.Run(fmt.Sprint(images, protocol), func(t *testing.T) {
				t.Parallel()
				tokens := &registrytest.Tokens{Service: "r"}
				options.Wrappers = []registrytest.Wrapper{registrytest.Latency(5 * time.Millisecond), tokens.Require()}
				s := start(t, options)
				if errs := failures(t, client(t, unhurried(t)), fill(t, s, images, images/4)); len(errs) > 0 {
					t.Fatalf("%d failures, the first: %v", len(errs), errs[0])
				}
				c := s.Counts()
				if got := float64(c.Total()) / float64(images); got > requestsPerImage {
					t.Errorf("want at most %.1f requests an image, got %.2f: %+v", requestsPerImage, got, c)
				}
				if c.Token != images || c.Ping > 1 || c.Head > 0 {
					t.Errorf("want a token for each repository, at most one ping and no HEAD, got %+v", c)
				}
				connections := 2
				if options.HTTP1 {
					connections = v1alpha1.DefaultConcurrency + 2
				}
				if got := s.Connections(); got > connections {
					t.Errorf("want at most %d connections, got %d", connections, got)
				}
			})
		}
	}
}

// TestOnlyUniqueReferencesAreAsked: fifty times the same image, and ten times five
// tags of a repository, are six questions and two tokens.
func TestOnlyUniqueReferencesAreAsked(t *testing.T) {
	t.Parallel()
	tokens := &registrytest.Tokens{Service: "r"}
	s := with(t, registrytest.Latency(5*time.Millisecond), tokens.Require())
	var refs []imageref.Reference
	s.Push("org/same:1", registrytest.Index("linux/amd64"))
	for i := range 50 {
		tag := fmt.Sprintf("org/tags:%d", i%5)
		s.Push(tag, registrytest.Index("linux/amd64"))
		refs = append(refs, reference(t, s, "org/same:1"), reference(t, s, tag))
	}
	if errs := failures(t, client(t, unhurried(t)), refs); len(errs) > 0 {
		t.Fatalf("%d failures, the first: %v", len(errs), errs[0])
	}
	want := registrytest.Counts{Manifest: 6 + 1, Token: 2} // one more for the challenge
	if diff := cmp.Diff(want, s.Counts()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}
