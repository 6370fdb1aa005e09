package registry_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/test/registrytest"
)

// late answers requests for a digest later than all others.
func late(digest string, after time.Duration) registrytest.Wrapper {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, digest) {
				time.Sleep(after)
			}
			next.ServeHTTP(rw, r)
		})
	}
}

// TestFirstFaultInTheIndexIsReported: of several entries that fail, the first one in
// the index is the error, whichever fails first in time.
func TestFirstFaultInTheIndexIsReported(t *testing.T) {
	t.Parallel()
	child := func(platforms ...string) registrytest.Artifact { return registrytest.Index(platforms...) }
	missing := func(a registrytest.Artifact, platform string) registrytest.Entry {
		return registrytest.Entry{Artifact: a, Platform: platform}
	}
	first, second, third := child("linux/amd64"), child("linux/arm64"), child("linux/s390x")
	nothing := registrytest.IndexOf(missing(first, "linux/amd64"), missing(second, "linux/arm64"), missing(third, "linux/s390x")).Sparse()
	broken := registrytest.IndexOf(missing(first, "linux/amd64"), missing(second, "linux/arm64"), missing(third, "linux/s390x"))
	broken.Body = []byte(strings.Replace(string(broken.Body), second.Digest(), "sha256:none", 1))
	broken.Children = nil
	half := registrytest.IndexOf(missing(first, "linux/amd64"), missing(second, "linux/arm64"), missing(third, "linux/s390x"))
	half.Children = half.Children[:1]
	for name, tc := range map[string]struct {
		reason string
		index  registrytest.Artifact
		slow   string // the digest that is answered last
		says   string
	}{
		"Missing":  {"All are missing, and the first one is found out last.", nothing, first.Digest(), first.Digest()},
		"Digest":   {"A digest that is none is found out at once, and comes second.", broken, first.Digest(), first.Digest()},
		"Present":  {"The first is there.", half, second.Digest(), second.Digest()},
		"LastSlow": {"The first fails first.", nothing, third.Digest(), first.Digest()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for range 3 {
				s := with(t, late(tc.slow, 100*time.Millisecond))
				s.Push("org/app:1", tc.index)
				_, err := resolve(t, client(t, trusting(t)), reference(t, s, "org/app:1"))
				if err == nil || !strings.Contains(err.Error(), tc.says) {
					t.Errorf("%s\nwant an error about %s, got %v", tc.reason, tc.says, err)
				}
			}
		})
	}
}
