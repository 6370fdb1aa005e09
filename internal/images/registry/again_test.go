package registry_test

import (
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// forgetful is a registry whose token service has one token only, which the
// registry refuses as often as refusals says.
func forgetful(t *testing.T, refusals *atomic.Int64) *registrytest.Server {
	t.Helper()
	const token = "registrytest-the-only-one"
	must := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			proof := r.Header.Get("Authorization")
			if proof == "Bearer "+token && refusals.Add(-1) < 0 {
				next.ServeHTTP(rw, r)
				return
			}
			rw.Header().Set("WWW-Authenticate", `Bearer realm="https://`+r.Host+registrytest.TokenPath+`",service="r"`)
			rw.WriteHeader(http.StatusUnauthorized)
		})
	}
	s := with(t,
		registrytest.On(registrytest.Token, registrytest.ReplyBody(http.StatusOK, "application/json", []byte(`{"token":"`+token+`"}`), nil)),
		registrytest.On(registrytest.Manifest, must))
	for _, tag := range []string{"first", "a", "b", "c", "d", "e"} {
		s.Push("org/app:"+tag, registrytest.Index("linux/amd64"))
	}
	return s
}

// TestTheSameTokenAgain has a token that was right once.
func TestTheSameTokenAgain(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason   string
		refusals int64
		want     outcome
		counts   registrytest.Counts
	}{
		"Late": {
			reason: "A registry that knows the token again is asked once more.", refusals: 1,
			want:   outcome{platforms: "linux/amd64"},
			counts: registrytest.Counts{Manifest: 4, Token: 3},
		},
		"Never": {
			reason: "Once: then it is denied, and the error says why.", refusals: 1000,
			want: outcome{kind: registry.ErrDenied, status: http.StatusUnauthorized, says: []string{
				"its token service issued the same token again, and the registry refuses it",
			}},
			counts: registrytest.Counts{Manifest: 4, Token: 3},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var refusals atomic.Int64
			s := forgetful(t, &refusals)
			c := client(t, trusting(t))
			if _, err := resolve(t, c, reference(t, s, "org/app:first")); err != nil {
				t.Fatal(err)
			}
			refusals.Store(tc.refusals)
			ref := reference(t, s, "org/app:a")
			image, err := resolve(t, c, ref)
			tc.want.check(t, tc.reason, ref, image, err)
			if diff := cmp.Diff(tc.counts, s.Counts()); diff != "" {
				t.Errorf("%s\nrequests (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// The tags of a repository share the knowledge that the token is the same.
func TestTheSameTokenAgainForManyTags(t *testing.T) {
	t.Parallel()
	var refusals atomic.Int64
	s := forgetful(t, &refusals)
	c := client(t, trusting(t))
	if _, err := resolve(t, c, reference(t, s, "org/app:first")); err != nil {
		t.Fatal(err)
	}
	refusals.Store(1000)
	var refs []imageref.Reference
	for _, tag := range []string{"a", "b", "c", "d", "e"} {
		refs = append(refs, reference(t, s, "org/app:"+tag))
	}
	if errs := failures(t, c, refs); len(errs) != len(refs) {
		t.Errorf("want %d refusals, got %d", len(refs), len(errs))
	}
	if got := s.Counts().Token; got != 3 {
		t.Errorf("want 3 requests for a token, got %d", got)
	}
}
