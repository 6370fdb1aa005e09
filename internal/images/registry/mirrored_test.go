package registry_test

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/mirror"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// scopeOf is a policy for all of a registry.
func scopeOf(source *registrytest.Server, blocked bool, mirrors ...string) mirror.Policy {
	scope := mirror.Scope{Prefix: source.Host(), Blocked: blocked}
	for _, m := range mirrors {
		scope.Mirrors = append(scope.Mirrors, mirror.Endpoint{Location: m})
	}
	return mirror.New(scope)
}

func mirrored(t *testing.T, p mirror.Policy) registry.Resolver {
	t.Helper()
	strict, lax := trusting(t), trusting(t)
	lax.Insecure = p.Insecure()
	return registry.Mirrored(client(t, strict), client(t, lax), p)
}

func TestMirrored(t *testing.T) {
	t.Parallel()
	both, one := registrytest.Index("linux/amd64", "linux/arm64"), registrytest.Index("linux/amd64")
	notFound := registrytest.On(registrytest.Manifest, registrytest.Reply(http.StatusNotFound, nil))
	broken := registrytest.On(registrytest.Manifest, registrytest.Reply(http.StatusInternalServerError, nil))
	// Each case has a source and two mirrors; what each has under a/b:1.
	cases := map[string]struct {
		reason                string
		source, first, second *registrytest.Artifact
		wrap                  registrytest.Wrapper // of the first mirror
		dead                  bool                 // the first mirror is not there
		blocked, pinned       bool
		from                  string // who answers: source, first, second
		passed                []string
		asked                 [3]bool // source, first, second
		kind                  error
		says                  []string
	}{
		"First": {
			reason: "the first mirror answers, and nobody else is asked",
			source: &both, first: &one, second: &both,
			from: "first", asked: [3]bool{false, true, false},
		},
		"Missing": {
			reason: "a mirror without the image is passed",
			source: &both, second: &both,
			from: "second", passed: []string{"answered 404"}, asked: [3]bool{false, true, true},
		},
		"Down": {
			reason: "a mirror that is down is passed",
			source: &both, second: &both, dead: true,
			from: "second", passed: []string{"no usable answer"}, asked: [3]bool{false, false, true},
		},
		"Fails": {
			reason: "whatever goes wrong, the next place is asked",
			source: &both, first: &both, second: &both, wrap: broken,
			from: "second", passed: []string{"500"}, asked: [3]bool{false, true, true},
		},
		"Page": {
			reason: "a captive portal is no answer",
			source: &both, second: &both, wrap: registrytest.HTMLPage(),
			from: "second", passed: []string{"web page"}, asked: [3]bool{false, true, true},
		},
		"Source": {
			reason: "the source is the last; that it answered is no mirror's answer",
			source: &both,
			from:   "source", passed: []string{"404", "404"}, asked: [3]bool{true, true, true},
		},
		"Pinned": {
			reason: "a digest is asked of the mirrors as well",
			source: &both, first: &both, pinned: true,
			from: "first", asked: [3]bool{false, true, false},
		},
		"Rewritten": {
			reason: "a mirror that rewrote the index is no answer to a digest",
			source: &both, first: &one, second: &both, wrap: anyDigest(one), pinned: true,
			from: "second", passed: []string{"sent content with the digest"}, asked: [3]bool{false, true, true},
		},
		"Blocked": {
			reason:  "a source that must not be asked is not, though it has the image",
			source:  &both,
			blocked: true,
			kind:    registry.ErrNotFound,
			says:    []string{"mirror FIRST/a/b: answered 404", "mirror SECOND/a/b: answered 404", "the source SOURCE/a/b: goldenarch does not query it"},
			asked:   [3]bool{false, true, true},
		},
		"BlockedMirrors": {
			reason: "the mirrors of a blocked source answer",
			second: &one, blocked: true,
			from: "second", passed: []string{"404"}, asked: [3]bool{false, true, true},
		},
		"Nobody": {
			reason: "every place is named, and the error is of the source's kind",
			wrap:   broken,
			kind:   registry.ErrNotFound,
			says:   []string{"mirror FIRST/a/b:", "500", "mirror SECOND/a/b: answered 404", "the source SOURCE/a/b: answered 404", "check the repository"},
			asked:  [3]bool{true, true, true},
		},
		"NotFoundTwice": {
			reason: "the same answer of two places is told of both",
			wrap:   notFound, dead: true,
			kind: registry.ErrNotFound, says: []string{"no usable answer", "SECOND", "SOURCE"},
			asked: [3]bool{true, false, true},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source, first, second := with(t), with(t), with(t)
			if tc.wrap != nil {
				first = with(t, tc.wrap)
			}
			servers := []*registrytest.Server{source, first, second}
			for i, a := range []*registrytest.Artifact{tc.source, tc.first, tc.second} {
				if a != nil {
					servers[i].Push("a/b:1", *a)
				}
			}
			if tc.dead {
				first.Close()
			}
			p := scopeOf(source, tc.blocked, first.Host(), second.Host())
			ref := reference(t, source, "a/b:1")
			if tc.pinned {
				ref = reference(t, source, "a/b@"+both.Digest())
			}
			image, err := resolve(t, mirrored(t, p), ref)
			for i, s := range servers {
				if got := s.Counts().Manifest > 0; got != tc.asked[i] {
					t.Errorf("%s: place %d asked: want %v, got %v", tc.reason, i, tc.asked[i], got)
				}
			}
			names := strings.NewReplacer(source.Host(), "SOURCE", first.Host(), "FIRST", second.Host(), "SECOND")
			if tc.kind != nil {
				e, ok := errors.AsType[*registry.Error](err)
				if !ok || !errors.Is(e.Kind, tc.kind) || e.Reference != ref.String() || e.Registry != source.Host() {
					t.Fatalf("%s: want a %v of the reference, got %#v", tc.reason, tc.kind, err)
				}
				for _, want := range tc.says {
					if text := names.Replace(err.Error()); !strings.Contains(text, want) {
						t.Errorf("%s: want %q in\n%s", tc.reason, want, text)
					}
				}
				return
			}
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if image.Reference != ref.String() {
				t.Errorf("%s: the answer keeps the reference %s, got %s", tc.reason, ref, image.Reference)
			}
			at := map[string]string{"source": "", "first": "FIRST", "second": "SECOND"}[tc.from]
			if got, _, _ := strings.Cut(names.Replace(image.Mirror), "/"); got != at {
				t.Errorf("%s: want an answer of %q, got %q", tc.reason, at, image.Mirror)
			}
			if len(image.Passed) != len(tc.passed) {
				t.Fatalf("%s: want %d places passed, got %v", tc.reason, len(tc.passed), image.Passed)
			}
			for i, want := range tc.passed {
				if text := image.Passed[i].Error(); !strings.Contains(text, want) || !strings.Contains(names.Replace(text), "mirror "+[]string{"FIRST", "SECOND"}[i]) {
					t.Errorf("%s: want %q of place %d, got %s", tc.reason, want, i, text)
				}
			}
		})
	}
}

// anyDigest answers for each digest with one artifact.
func anyDigest(a registrytest.Artifact) registrytest.Wrapper {
	return registrytest.On(registrytest.Manifest, registrytest.ReplyBody(http.StatusOK, a.MediaType, a.Body, nil))
}

func TestMirrorDiffersIsTold(t *testing.T) {
	t.Parallel()
	image := registrytest.Index("linux/amd64", "linux/arm64")
	lying, source := with(t, anyDigest(registrytest.Index("linux/amd64"))), with(t)
	source.Push("a/b:1", image)
	got, err := resolve(t, mirrored(t, scopeOf(source, false, lying.Host())), reference(t, source, "a/b@"+image.Digest()))
	if err != nil || len(got.Passed) != 1 || !errors.Is(got.Passed[0], registry.ErrDiffers) {
		t.Errorf("a mirror with other content is no missing one: got %v, %v", got.Passed, err)
	}
}

// Credentials go to the host that is really asked, and only its own.
func TestMirroredCredentials(t *testing.T) {
	t.Parallel()
	users := registrytest.Users{"m": "mirror-pw", "s": "source-pw"}
	for name, auth := range map[string]func() registrytest.Wrapper{
		"Basic":  func() registrytest.Wrapper { return registrytest.Basic(users) },
		"Bearer": func() registrytest.Wrapper { return (&registrytest.Tokens{Service: "r", Users: users}).Require() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			empty, full, source := with(t, auth()), with(t, auth()), with(t, auth())
			full.Push("q/a/b:1", registrytest.Index("linux/amd64"))
			o := unhurried(t)
			o.AuthFile = login(t, map[string]string{
				empty.Host(): "m:wrong-pw", full.Host() + "/q": "m:mirror-pw", full.Host(): "m:other-pw", source.Host(): "s:source-pw",
			})
			p := scopeOf(source, false, empty.Host(), full.Host()+"/q")
			c := client(t, o)
			image, err := resolve(t, registry.Mirrored(c, c, p), reference(t, source, "a/b:1"))
			if err != nil || image.Mirror != full.Host()+"/q/a/b:1" {
				t.Fatalf("want the second mirror's answer, got %v, %v", image, err)
			}
			for s, want := range map[*registrytest.Server][]string{empty: {"m:wrong-pw"}, full: {"m:mirror-pw"}, source: nil} {
				if diff := cmp.Diff(want, passwords(s)); diff != "" {
					t.Errorf("the logins that came to a host are its own (-want +got):\n%s", diff)
				}
			}
			if len(image.Passed) != 1 || strings.Contains(image.Passed[0].Error(), "-pw") {
				t.Errorf("a password is told: %v", image.Passed)
			}
		})
	}
}

func passwords(s *registrytest.Server) []string {
	var out []string
	for _, proof := range s.Credentials() {
		if rest, ok := strings.CutPrefix(proof, "Basic "); ok {
			text, _ := base64.StdEncoding.DecodeString(rest)
			out = append(out, string(text))
		}
	}
	return out
}

// An insecure mirror is asked over plain HTTP; that says nothing about others on
// the same host, and gives it no credentials.
func TestMirroredInsecure(t *testing.T) {
	t.Parallel()
	users := registrytest.Users{"u": "plain-pw"}
	source := with(t)
	source.Push("a/b:1", registrytest.Index("linux/amd64"))
	plain := start(t, registrytest.Options{PlainHTTP: true})
	plain.Push("open/a/b:1", registrytest.Index("linux/amd64", "linux/arm64"))
	policy := func(location string, insecure bool) mirror.Policy {
		return mirror.New(mirror.Scope{Prefix: source.Host(), Mirrors: []mirror.Endpoint{{Location: location, Insecure: insecure}}})
	}
	image, err := resolve(t, mirrored(t, policy(plain.Host()+"/open", true)), reference(t, source, "a/b:1"))
	if err != nil || !strings.HasPrefix(image.Mirror, plain.Host()) {
		t.Errorf("an insecure mirror is asked over plain HTTP, got %q, %v", image.Mirror, err)
	}
	image, err = resolve(t, mirrored(t, policy(plain.Host()+"/open", false)), reference(t, source, "a/b:1"))
	if err != nil || image.Mirror != "" || len(image.Passed) != 1 {
		t.Errorf("a mirror that is not insecure is not, got %q, %v", image.Mirror, err)
	}
	both := mirror.New(mirror.Scope{
		Prefix:  source.Host(),
		Mirrors: []mirror.Endpoint{{Location: plain.Host() + "/open"}, {Location: plain.Host() + "/open", Insecure: true}},
	})
	image, err = resolve(t, mirrored(t, both), reference(t, source, "a/b:1"))
	if err != nil || len(image.Passed) != 1 || !strings.HasPrefix(image.Mirror, plain.Host()) {
		t.Errorf("insecure is said of an endpoint, not of its host, got %q after %v, %v", image.Mirror, image.Passed, err)
	}

	private := start(t, registrytest.Options{PlainHTTP: true, Wrappers: []registrytest.Wrapper{registrytest.Basic(users)}})
	private.Push("a/b:1", registrytest.Index("linux/amd64", "linux/arm64"))
	p := policy(private.Host(), true)
	for _, allowed := range []bool{false, true} {
		lax := trusting(t)
		lax.Insecure, lax.AllowInsecureCredentials = p.Insecure(), allowed
		lax.AuthFile = login(t, map[string]string{private.Host(): "u:plain-pw"})
		image, err := resolve(t, registry.Mirrored(client(t, trusting(t)), client(t, lax), p), reference(t, source, "a/b:1"))
		if err != nil || (image.Mirror != "") != allowed || (len(private.Credentials()) > 0) != allowed {
			t.Errorf("allowed %v: got an answer of %q, logins %v, %v", allowed, image.Mirror, private.Credentials(), err)
		}
	}
}

func TestMirroredByTagOfDigestMirrors(t *testing.T) {
	t.Parallel()
	source := with(t)
	both := registrytest.Index("linux/amd64", "linux/arm64")
	source.Push("a/b:1", both)
	for _, tc := range []struct {
		reason  string
		use     mirror.Use
		name    string
		says    string
		mirrors int
	}{
		{"a tag has no place under mirrors for digests whose source is never contacted", mirror.DigestOnly, "a/b:1", "ImageTagMirrorSet", 1},
		{"nor has a digest under mirrors for tags", mirror.TagOnly, "a/b@" + both.Digest(), "ImageDigestMirrorSet", 1},
		{"nor has anything where there is no mirror at all", mirror.Any, "a/b:1", "forbids it; add a mirror for it, or allow the source", 0},
	} {
		scope := mirror.Scope{Prefix: source.Host(), Blocked: true}
		if tc.mirrors > 0 {
			scope.Mirrors = []mirror.Endpoint{{Location: "mirror.invalid", Use: tc.use}}
		}
		_, err := resolve(t, mirrored(t, mirror.New(scope)), reference(t, source, tc.name))
		if !errors.Is(err, registry.ErrBlocked) || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: got %v", tc.reason, err)
		}
	}
	if source.Counts().Total() > 0 {
		t.Errorf("the source must not be asked, got %+v", source.Counts())
	}
}

// Without a policy, and for images that it says nothing of, all is as without the
// wrapper, the error to the letter.
func TestMirroredLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	s := with(t)
	c := client(t, trusting(t))
	ref := reference(t, s, "a/b:1")
	_, plain := resolve(t, c, ref)
	for _, p := range []mirror.Policy{{}, mirror.New(mirror.Scope{Prefix: "other.example.com", Blocked: true})} {
		_, wrapped := resolve(t, registry.Mirrored(c, c, p), ref)
		if plain == nil || wrapped == nil || plain.Error() != wrapped.Error() {
			t.Errorf("want %v, got %v", plain, wrapped)
		}
	}
}

// A name that cannot be one is no reason to ask somebody else.
func TestMirroredOddNames(t *testing.T) {
	t.Parallel()
	var asked []string
	next := answering(func(ref imageref.Reference) (registry.Image, error) {
		asked = append(asked, ref.String())
		return registry.Image{Reference: ref.String()}, nil
	})
	for _, location := range []string{"mirror", "docker.io", "m.io//x", "M.io/X", "m.io:1:2"} {
		asked = nil
		p := mirror.New(mirror.Scope{Prefix: "quay.io/a", Mirrors: []mirror.Endpoint{{Location: location}}})
		ref, _ := imageref.Parse("quay.io/a/b:1@sha256:" + strings.Repeat("0", 64))
		image, err := registry.Mirrored(next, next, p).Resolve(t.Context(), ref)
		if err != nil || image.Mirror != "" || len(image.Passed) != 1 || !errors.Is(image.Passed[0], image.Passed[0].Err) {
			t.Errorf("%s: want the source's answer after one that failed, got %+v, %v", location, image, err)
		}
		if diff := cmp.Diff([]string{ref.String()}, asked); diff != "" {
			t.Errorf("%s: nobody is asked by mistake (-want +got):\n%s", location, diff)
		}
	}
}

type answering func(imageref.Reference) (registry.Image, error)

func (a answering) Resolve(_ context.Context, ref imageref.Reference) (registry.Image, error) {
	return a(ref)
}

// The end of the run ends the asking: the next mirror is not tried.
func TestMirroredEndsWithTheRun(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	asked := 0
	next := answering(func(imageref.Reference) (registry.Image, error) {
		asked++
		cancel()
		return registry.Image{}, context.Canceled
	})
	p := mirror.New(mirror.Scope{Prefix: "quay.io", Mirrors: []mirror.Endpoint{{Location: "m.io"}, {Location: "n.io"}}})
	ref, _ := imageref.Parse("quay.io/a/b")
	_, err := registry.Mirrored(next, next, p).Resolve(ctx, ref)
	if asked != 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("want one question and the end of the run, got %d and %v", asked, err)
	}
}

// Whatever the policy and whoever answers: the places are asked in their order,
// each once, up to the first that answers; a blocked one never, an insecure one
// by who may.
func TestMirroredProperty(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		location := rapid.SampledFrom([]string{"a.io", "a.io/x", "b.io", "c.io/y", "s.io", "s.io/q"})
		var scopes []mirror.Scope
		for _, prefix := range rapid.SliceOfDistinct(location, func(s string) string { return s }).Draw(t, "prefixes") {
			s := mirror.Scope{Prefix: prefix, Insecure: rapid.Bool().Draw(t, "insecure"), Blocked: rapid.Bool().Draw(t, "blocked")}
			for range rapid.IntRange(0, 3).Draw(t, "mirrors") {
				s.Mirrors = append(s.Mirrors, mirror.Endpoint{
					Location: location.Draw(t, "mirror"), Insecure: rapid.Bool().Draw(t, "insecure mirror"),
					Use: rapid.SampledFrom([]mirror.Use{mirror.Any, mirror.DigestOnly, mirror.TagOnly}).Draw(t, "use"),
				})
			}
			scopes = append(scopes, s)
		}
		p := mirror.New(scopes...)
		has := map[string]bool{}
		for _, name := range []string{"a.io/q/i", "a.io/x/q/i", "b.io/q/i", "c.io/y/q/i", "s.io/q/i"} {
			has[name] = rapid.Bool().Draw(t, name)
		}
		var mu sync.Mutex
		var asked []string
		asker := func(how string) registry.Resolver {
			return answering(func(ref imageref.Reference) (registry.Image, error) {
				name := ref.Host() + "/" + ref.Repository()
				mu.Lock()
				defer mu.Unlock()
				asked = append(asked, how+name)
				if !has[name] {
					return registry.Image{}, errors.New("not here")
				}
				return registry.Image{Reference: ref.String()}, nil
			})
		}
		ref, _ := imageref.Parse("s.io/q/i:1")
		image, err := registry.Mirrored(asker(""), asker("insecure "), p).Resolve(t.Context(), ref)
		var want []string
		answered := ""
		for _, place := range p.Places("s.io/q/i", false) {
			name := place.Name
			if place.Insecure {
				name = "insecure " + name
			}
			if place.Blocked || slices.Contains(want, name) {
				continue
			}
			if want = append(want, name); has[place.Name] {
				answered = place.Name
				break
			}
		}
		if diff := cmp.Diff(want, asked); diff != "" {
			t.Fatalf("places asked (-want +got):\n%s", diff)
		}
		if (err == nil) != (answered != "") {
			t.Fatalf("answered by %q, but %v", answered, err)
		}
		if err == nil && answered != "s.io/q/i" && image.Mirror != answered+":1" {
			t.Fatalf("answered by %q, but %q is said", answered, image.Mirror)
		}
	})
}
