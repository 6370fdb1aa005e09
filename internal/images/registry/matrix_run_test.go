package registry_test

import (
	"context"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

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
	// A generous bound, also for a busy machine; the exact one is proved in virtual time (package transport).
	if took := time.Since(begun); took > limit+10*time.Second {
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
func (r matrixRow) references(w *world) []imageref.Reference {
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
	var refs []imageref.Reference
	for _, text := range r.ask {
		ref, err := imageref.Parse(strings.ReplaceAll(text, "HOST", w.registry.Host()))
		if r.want.kind == registry.ErrReference {
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
	if _, ok := errors.AsType[*imageref.ParseError](err); !ok {
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
