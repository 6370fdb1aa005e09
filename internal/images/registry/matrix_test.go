package registry_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/internal/images/mirror"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// matrixRow is one way in which registries behave, and what must come of it.
type matrixRow struct {
	// row is the line of testdata/robustness.txt; of several rows for one each
	// has its variant.
	row, variant string
	// sent says what the server sends, for who reads a failure.
	sent string

	listen registrytest.Options
	wrap   func(w *world) []registrytest.Wrapper
	// push fills the registries; by default org/app:1 is an index for amd64 and
	// arm64 at the registry and at the other host.
	push func(w *world)
	// ask is what is asked for; HOST is the registry. By default HOST/org/app:1,
	// or, with images, an index in each of so many repositories.
	ask    []string
	images int
	// client changes the options of the client, who has logins for both hosts.
	client func(w *world)
	policy func(w *world) mirror.Policy
	// deadline of the run; by default one that is never reached.
	deadline time.Duration

	want outcome
	// requests at the registry, and at the other hosts.
	requests, otherRequests span
	// login says which host may see the planted password: "registry", "other",
	// or none.
	login string
	// mirror is who answered, with the words SOURCE, FIRST and SECOND for hosts;
	// passed how many did not before.
	mirror string
	passed int
	// also checks what only this row is about.
	also func(w *world, results []registry.Result)
}

// span is how many of something there may be.
type span struct{ least, most int }

func exactly(n int) span        { return span{n, n} }
func atMost(n int) span         { return span{1, n} }
func (s span) holds(n int) bool { return s.least <= n && n <= s.most }
func (s span) String() string {
	if s.least == s.most {
		return strconv.Itoa(s.least)
	}
	return strconv.Itoa(s.least) + " to " + strconv.Itoa(s.most)
}

// world is what a row happens in: the registry that is asked, another host and
// a third one, all with certificates that the client trusts. Where there are
// mirrors, the others are they.
type world struct {
	*testing.T
	registry, other, third *registrytest.Server
	options                registry.Options
	resolver               func(registry.Resolver) registry.Resolver
}

// fault is a row in which the registry has a wrapper and nothing else is odd.
func fault(wrappers ...registrytest.Wrapper) func(*world) []registrytest.Wrapper {
	return func(*world) []registrytest.Wrapper { return wrappers }
}

const (
	appImage = "org/app:1"
	appFound = "linux/amd64 linux/arm64"
)

// matrix is all rows. Each theme has its file.
func matrix() []matrixRow {
	return slices.Concat(answerRows(), redirectRows(), contentRows(), referenceRows(), hostRows(), credentialRows(), mirrorRows())
}

// TestFaultMatrix asks a registry that does what a row says: the answer must be
// right, or an error that says what went wrong, in as many requests as it needs
// and without a credential where none belongs.
func TestFaultMatrix(t *testing.T) {
	t.Parallel()
	for _, r := range matrix() {
		t.Run(strings.TrimSuffix(r.row+"/"+r.variant, "/"), func(t *testing.T) {
			t.Parallel()
			r.run(t)
		})
	}
}
