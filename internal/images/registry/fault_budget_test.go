package registry_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestRequestsByKind counts what 40 images of which 10 are single cost: a
// manifest for each, a config for each single one, one challenge a registry, a
// token for each repository and one more at most, and never a ping or a HEAD.
func TestRequestsByKind(t *testing.T) {
	t.Parallel()
	const images, singles, concurrency = 40, 10, 8
	users := registrytest.Users{plantedUser: plantedPassword}
	basic := func() []registrytest.Wrapper { return []registrytest.Wrapper{registrytest.Basic(users)} }
	bearer := func() []registrytest.Wrapper {
		tokens := &registrytest.Tokens{Service: "r", Users: users}
		return []registrytest.Wrapper{tokens.Require()}
	}
	anybody := func() []registrytest.Wrapper { return nil }
	cases := map[string]struct {
		reason      string
		options     registrytest.Options
		auth        func() []registrytest.Wrapper
		want        registrytest.Counts
		connections int
	}{
		"Plain": {
			reason: "Over plain HTTP.", options: registrytest.Options{PlainHTTP: true}, auth: anybody,
			want: registrytest.Counts{Manifest: images, Blob: singles}, connections: concurrency + 2,
		},
		"HTTP1": {
			reason: "HTTP/1.1 takes a connection for each request under way.", options: registrytest.Options{HTTP1: true}, auth: anybody,
			want: registrytest.Counts{Manifest: images, Blob: singles}, connections: concurrency + 2,
		},
		"HTTP2": {
			reason: "HTTP/2 takes one.", auth: anybody,
			want: registrytest.Counts{Manifest: images, Blob: singles}, connections: 2,
		},
		"BasicHTTP1": {
			reason: "One request is challenged.", options: registrytest.Options{HTTP1: true}, auth: basic,
			want: registrytest.Counts{Manifest: images + 1, Blob: singles}, connections: concurrency + 2,
		},
		"BasicHTTP2": {
			reason: "One request is challenged.", auth: basic,
			want: registrytest.Counts{Manifest: images + 1, Blob: singles}, connections: 2,
		},
		"BearerHTTP1": {
			reason: "A token for each repository.", options: registrytest.Options{HTTP1: true}, auth: bearer,
			want: registrytest.Counts{Manifest: images + 1, Blob: singles, Token: images}, connections: concurrency + 2,
		},
		"BearerHTTP2": {
			reason: "A token for each repository.", auth: bearer,
			want: registrytest.Counts{Manifest: images + 1, Blob: singles, Token: images}, connections: 2,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// The latency makes requests meet.
			tc.options.Wrappers = append([]registrytest.Wrapper{registrytest.Latency(5 * time.Millisecond)}, tc.auth()...)
			s := start(t, tc.options)
			refs := fill(t, s, images, singles)
			o := unhurried(t)
			o.Concurrency = concurrency
			if tc.options.PlainHTTP {
				o.Insecure = []string{s.Host()}
			}
			o.AuthFile = login(t, map[string]string{s.Host(): plantedUser + ":" + plantedPassword})
			if errs := failures(t, client(t, o), append(refs, refs...)); len(errs) > 0 {
				t.Fatalf("%s\n%d failures, the first: %v", tc.reason, len(errs), errs[0])
			}
			got := s.Counts()
			got.Other = 0 // the first bytes of TLS at a plain registry
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s\nrequests (-want +got):\n%s", tc.reason, diff)
			}
			if got := s.Connections(); got > tc.connections {
				t.Errorf("%s\nwant at most %d connections, got %d", tc.reason, tc.connections, got)
			}
			if got := s.MaxInFlight(); got > concurrency {
				t.Errorf("%s\nwant at most %d requests in flight, got %d", tc.reason, concurrency, got)
			}
		})
	}
}

// TestTagsShareTheTokenOfTheirRepository asks for ten tags of one repository.
func TestTagsShareTheTokenOfTheirRepository(t *testing.T) {
	t.Parallel()
	tokens := &registrytest.Tokens{Service: "r"}
	s := with(t, tokens.Require())
	var refs []imageref.Reference
	for i := range 10 {
		name := fmt.Sprintf("org/app:%d", i)
		s.Push(name, registrytest.Index("linux/amd64"))
		refs = append(refs, reference(t, s, name))
	}
	if errs := failures(t, client(t, unhurried(t)), refs); len(errs) > 0 {
		t.Fatal(errs[0])
	}
	if diff := cmp.Diff(registrytest.Counts{Manifest: 11, Token: 1}, s.Counts()); diff != "" {
		t.Errorf("ten tags, one challenge, one token (-want +got):\n%s", diff)
	}
}
