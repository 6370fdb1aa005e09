package registry_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/registry"
	"github.com/goldenarch/goldenarch/registry/mirror"
	"github.com/goldenarch/goldenarch/registry/registrytest"
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

func (r matrixRow) run(t *testing.T) {
	t.Helper()
	w := &world{T: t, options: trusting(t)}
	w.other, w.third = with(t), with(t)
	if r.wrap != nil {
		r.listen.Wrappers = r.wrap(w)
	}
	w.registry = start(t, r.listen)
	refs := r.references(w)
	proof := plantedUser + ":" + plantedPassword
	w.options.AuthFile = login(t, map[string]string{w.registry.Host(): proof, w.other.Host(): proof})
	if r.client != nil {
		r.client(w)
	}
	limit := deadline
	if r.deadline > 0 {
		limit = r.deadline
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	begun := time.Now()
	results := registry.ResolveAll(ctx, r.resolver(w), refs)
	// A generous bound; the exact one is proved in virtual time (registry/internal/transport).
	if took := time.Since(begun); took > limit+2*time.Second {
		t.Errorf("%s\nit was to end after %s, and took %s", r.sent, limit, took)
	}
	for i, result := range results {
		if r.want.kind == nil && result.Err != nil {
			noSecret(t, r.sent, result.Err)
		}
		r.want.check(t, r.sent, refs[i], result.Image, result.Err)
		r.checkMirror(w, result)
		for _, ours := range []string{"Go ", "registry.Error", "unmarshal"} {
			if result.Err != nil && strings.Contains(result.Err.Error(), ours) {
				t.Errorf("%s\nthe error speaks of our own types (%q): %v", r.sent, ours, result.Err)
			}
		}
	}
	r.count(w)
	if r.also != nil {
		r.also(w, results)
	}
}

// references fills the registries and reads what is asked for.
func (r matrixRow) references(w *world) []registry.Reference {
	w.Helper()
	switch {
	case r.push != nil:
		r.push(w)
	case r.images == 0:
		both := registrytest.Index("linux/amd64", "linux/arm64")
		w.registry.Push(appImage, both)
		w.other.Push(appImage, both)
	}
	if r.images > 0 {
		return fill(w.T, w.registry, r.images, 0)
	}
	if r.ask == nil {
		r.ask = []string{"HOST/" + appImage}
	}
	var refs []registry.Reference
	for _, text := range r.ask {
		ref, err := registry.ParseReference(strings.ReplaceAll(text, "HOST", w.registry.Host()))
		if r.want.kind == registry.ErrReference { //nolint:errorlint // it is a row's own word
			r.refused(w, text, err)
			continue
		}
		if err != nil {
			w.Fatal(err)
		}
		refs = append(refs, ref)
	}
	return refs
}

// refused checks what is no reference: it is never asked for.
func (r matrixRow) refused(w *world, text string, err error) {
	w.Helper()
	if _, ok := errors.AsType[*registry.ParseError](err); !ok {
		w.Errorf("%s\n%q: want a *registry.ParseError, got %v", r.sent, text, err)
		return
	}
	for _, part := range r.want.says {
		if !strings.Contains(err.Error(), part) {
			w.Errorf("%s\n%q: the error must hold %q: %v", r.sent, text, part, err)
		}
	}
}

// resolver asks as the row says: the client, behind mirrors where there is a
// policy.
func (r matrixRow) resolver(w *world) registry.Resolver {
	c := client(w.T, w.options)
	if w.resolver != nil {
		return w.resolver(c)
	}
	if r.policy == nil {
		return c
	}
	p := r.policy(w)
	lax := w.options
	lax.Insecure = append(slices.Clone(lax.Insecure), p.Insecure()...)
	return registry.Mirrored(c, client(w.T, lax), p)
}

func (r matrixRow) checkMirror(w *world, result registry.Result) {
	w.Helper()
	names := strings.NewReplacer(w.registry.Host(), "SOURCE", w.other.Host(), "FIRST", w.third.Host(), "SECOND")
	if got := names.Replace(result.Image.Mirror); got != r.mirror {
		w.Errorf("%s\nwant the answer of %q, got %q", r.sent, r.mirror, got)
	}
	if got := len(result.Image.Passed); got != r.passed {
		w.Errorf("%s\nwant %d places passed, got %v", r.sent, r.passed, result.Image.Passed)
	}
	if result.Err == nil && result.Image.Reference != result.Reference.String() {
		w.Errorf("%s\nthe answer is for %s, not for %s", r.sent, result.Image.Reference, result.Reference)
	}
}

// count checks what each host was asked, and what it got to see.
func (r matrixRow) count(w *world) {
	w.Helper()
	others := asked(w.other) + asked(w.third)
	if got := asked(w.registry); !r.requests.holds(got) {
		w.Errorf("%s\nwant %s requests at the registry, got %d (%+v)", r.sent, r.requests, got, w.registry.Counts())
	}
	if !r.otherRequests.holds(others) {
		w.Errorf("%s\nwant %s requests elsewhere, got %d", r.sent, r.otherRequests, others)
	}
	for name, s := range map[string]*registrytest.Server{"registry": w.registry, "other": w.other, "third": w.third} {
		proof := "Basic " + base64.StdEncoding.EncodeToString([]byte(plantedUser+":"+plantedPassword))
		if got := slices.Contains(s.Credentials(), proof); got != (r.login == name) {
			w.Errorf("%s\nthe password reached the %s: %v, want %v", r.sent, name, got, r.login == name)
		}
	}
}

// asked counts the requests that a registry understands: one that speaks no TLS
// also gets its greeting.
func asked(s *registrytest.Server) int {
	c := s.Counts()
	return c.Total() - c.Other
}

// TestMatrixIsWhole compares the table with the list: each line has a row, and
// each row a line.
func TestMatrixIsWhole(t *testing.T) {
	t.Parallel()
	file, err := os.Open("testdata/robustness.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows := map[string]int{}
	names := map[string]bool{}
	for _, r := range matrix() {
		rows[r.row]++
		if name := r.row + "/" + r.variant; names[name] {
			t.Errorf("two rows are called %q", name)
		} else {
			names[name] = true
		}
		if r.sent == "" || r.want.kind == nil && r.want.platforms == "" {
			t.Errorf("%s %s: it says neither what is sent nor what must come of it", r.row, r.variant)
		}
	}
	lines := bufio.NewScanner(file)
	listed := map[string]bool{}
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		listed[line] = true
		if rows[line] == 0 {
			t.Errorf("no row for %q", line)
		}
	}
	if len(listed) < 70 {
		t.Errorf("the list has %d lines only", len(listed))
	}
	for row := range rows {
		if !listed[row] {
			t.Errorf("row %q is not in the list", row)
		}
	}
}
