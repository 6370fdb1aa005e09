package registry_test

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/mirror"
	"github.com/goldenarch/goldenarch/internal/images/mirror/registriesconf"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

const (
	source   = "[[registry]]\nlocation='HOST'\n"
	first    = "[[registry.mirror]]\nlocation='OTHER'\n"
	second   = "[[registry.mirror]]\nlocation='THIRD'\n"
	isLax    = "insecure=true\n"
	isClosed = "blocked=true\n"
)

// conf is a registries.conf, with the words for the hosts in it.
func conf(text string) func(*world) mirror.Policy {
	return func(w *world) mirror.Policy {
		w.Helper()
		p, err := registriesconf.Read(write(w, w.said(text), w.TempDir(), "registries.conf"))
		if err != nil {
			w.Fatal(err)
		}
		return p
	}
}

// sets are mirror sets of OpenShift: kind, spec, kind, spec.
func sets(objects ...string) func(*world) mirror.Policy {
	return func(w *world) mirror.Policy {
		w.Helper()
		var rules []mirror.Rule
		for o := range slices.Chunk(objects, 2) {
			version := "config.openshift.io/v1"
			if o[0] == "ImageContentSourcePolicy" {
				version = "operator.openshift.io/v1alpha1"
			}
			list, faults := mirror.Parse(version, o[0], []byte(w.said(`{"spec":`+o[1]+`}`)))
			if len(faults) > 0 {
				w.Fatal(faults)
			}
			rules = append(rules, list...)
		}
		return mirror.Translate(rules...)
	}
}

func digestMirrors(entry string) func(*world) mirror.Policy {
	return sets("ImageDigestMirrorSet", `{"imageDigestMirrors":[`+entry+`]}`)
}

func tagMirrors(entry string) func(*world) mirror.Policy {
	return sets("ImageTagMirrorSet", `{"imageTagMirrors":[`+entry+`]}`)
}

// TestMirrors are policies in the forms that users have: registries.conf, and OpenShift's mirror
// sets. HOST is the registry of the reference, OTHER and THIRD are mirrors.
func TestMirrors(t *testing.T) {
	// at is a row where these places have the image, such as "HOST org/app:1".
	at := func(name, reason string, policy func(*world) mirror.Policy, places ...string) *situation {
		s := when(name, reason).mirrors(policy).nowhere()
		for _, place := range places {
			s.has(place, app())
		}
		return s
	}
	// bySource and byFirst are who answers.
	bySource := func(s *situation, passed ...string) *situation { return s.asked(1).past(passed...) }
	byFirst := func(s *situation) *situation { return s.others(1).from("OTHER/org/app:1") }
	pinned := "HOST/org/app@" + app().Digest()
	byPinned := func(s *situation) *situation { return s.asks(pinned).others(1).from("OTHER/org/app@" + app().Digest()) }
	const host, other, third = "HOST org/app:1", "OTHER org/app:1", "THIRD org/app:1"
	const entry, never = `{"source":"HOST/org","mirrors":["OTHER/org"]}`,
		`{"source":"HOST/org","mirrors":["OTHER/org"],"mirrorSourcePolicy":"NeverContactSource"}`
	neverTags := strings.Replace(never, "OTHER/org", "mirror.invalid", 1)
	two, one := conf(source+first+second), conf(source+first)
	use := func(value string) func(*world) mirror.Policy {
		return conf(source + first + "pull-from-mirror='" + value + "'\n")
	}
	blockedSource := conf(source + isClosed + first + second)
	noPlace := func(name, reason, says string, policy func(*world) mirror.Policy) *situation {
		return at(name, reason, policy, host, other).fails(registry.ErrBlocked, 0, says)
	}
	plain := func(w *world) { w.other = w.start(registrytest.Options{PlainHTTP: true}) }
	plainPrivate := func(w *world) {
		private := registrytest.Basic(registrytest.Users{plantedUser: plantedPassword})
		w.other = w.start(registrytest.Options{PlainHTTP: true, Wrappers: []registrytest.Wrapper{private}})
	}
	faulty := func(fault registrytest.Wrapper) func(*world) { return func(w *world) { w.other = w.with(fault) } }
	hiccup := func(name string, fault registrytest.Wrapper) *situation {
		return at("mirror that fails once with "+name, "it is asked again, or the lock would change sides with each hiccup", one, host, other).timed().
			prepare(faulty(registrytest.First(1, fault))).from("OTHER/org/app:1").others(2)
	}
	rewritten := registrytest.On(registrytest.Manifest, registrytest.ReplyBody(200, ociIndex, registrytest.Index("linux/amd64").Body, nil))
	differs := func(w *world, results []registry.Result) {
		if passed := results[0].Image.Passed; len(passed) != 1 || !errors.Is(passed[0], registry.ErrDiffers) {
			w.Errorf("want it told that the mirror differs, got %v", passed)
		}
	}
	sparse := func(s *situation, mirrors registrytest.Artifact) *situation {
		return s.has("OTHER "+appImage, mirrors).client(func(w *world) {
			w.resolver = func(c *registry.Client) registry.Resolver { return c.Verified(v1alpha1.VerifyChildren) }
		}).anonymous()
	}
	runSituations(t, slices.Concat([]*situation{
		byFirst(at("first", "both mirrors and the source have the image", two, host, other, third)),
		at("second", "the second mirror and the source have it", two, host, third).from("THIRD/org/app:1").others(3).
			past("mirror OTHER/org/app: answered 404"),
		bySource(at("source", "the source alone has it", two, host).others(3), "answered 404", "answered 404"),
		bySource(at("any error goes on", "one mirror is down, one sends a web page", two, host).
			has(third, registrytest.Raw("text/html", []byte("<html>Log in</html>"))).
			client(func(w *world) { w.other.Close() }).others(1), "no usable answer", "web page"),
		bySource(at("also a failure", "500 for ever", one, host).prepare(faulty(reply(500))).timed().others(2), "500"),
		at("all are told", "nobody has it: no two for the same reason", two).has(other, registrytest.HelmChart()).
			has(third, registrytest.Schema1("amd64")).asked(2).others(2).
			fails(registry.ErrNotFound, 404, "mirror OTHER/org/app: ", "helm", "mirror THIRD/org/app: ", "schema 1",
				"the source HOST/org/app: answered 404", "check the repository"),
		at("the same is told of both", "a mirror that is down, and nobody has it", two).client(func(w *world) { w.other.Close() }).anonymous().asked(1).
			others(1).
			fails(registry.ErrNotFound, 404, "no usable answer", "THIRD/org/app: answered 404", "the source HOST/org/app: answered 404"),
		hiccup("500", reply(500)), hiccup("503", reply(503)), hiccup("429", registrytest.Reply(429, registrytest.RetryAfter(1))),
		hiccup("a cut", registrytest.Reset()), hiccup("half", registrytest.Truncate()),

		at("longest prefix", "the mirror of the longer prefix has it, that of the registry is not asked",
			conf(source+first+"[[registry]]\nlocation='HOST/org'\n[[registry.mirror]]\nlocation='THIRD/quay'\n"), other, "THIRD quay/app:1").
			others(1).from("THIRD/quay/app:1"),
		at("wildcard", "a mirror for *.example.com", conf("[[registry]]\nprefix='*.example.com'\n"+first), other).
			asks("a.example.com/org/app:1", "c.b.example.com/org/app:1").others(2).from("OTHER/org/app:1"),
		bySource(at("wildcard of another domain", "the registry is not below it", conf("[[registry]]\nprefix='*.example.com'\n"+first), host, other)),
		at("prefix is replaced", "a prefix with another location", conf("[[registry]]\nprefix='example.com/foo'\nlocation='HOST/bar'\n"+
			strings.ReplaceAll(first, "OTHER", "OTHER/baz")), "HOST bar/app:1").asks("example.com/foo/app:1").asked(1).others(2).past("404").
			from("HOST/bar/app:1"),
		bySource(at("digest-only and a tag", "a mirror for digests", use("digest-only"), host, other)),
		byPinned(at("digest-only and a digest", "a mirror for digests", use("digest-only"), host, other)),
		bySource(at("tag-only and a digest", "a mirror for tags", use("tag-only"), host, other).asks(pinned)),
		bySource(at("mirror-by-digest-only", "the older word, and a tag", conf(source+"mirror-by-digest-only=true\n"+first), host, other)),
		byFirst(at("insecure mirror", "a mirror without TLS that says so; there is a login for it, which it does not need", conf(source+first+isLax),
			host, other).prepare(plain)),
		bySource(at("mirror without TLS", "of a source that is insecure", conf(source+isLax+first), host, other).
			prepare(plain), "first record does not look like a TLS handshake"),
		byFirst(at("insecure mirror of two", "it is said of an endpoint, not of its host", conf(source+first+first+isLax), host, other).prepare(plain)).
			past("first record does not look like a TLS handshake"),
		bySource(at("private insecure mirror", "it gets no login", conf(source+first+isLax), host, other).prepare(plainPrivate).others(1), "401"),
		at("private insecure mirror, allowed", "unless told so", conf(source+first+isLax), host, other).prepare(plainPrivate).allowed().
			from("OTHER/org/app:1").others(2).sees("OTHER"),
		byFirst(at("blocked source", "its mirror answers", conf(source+isClosed+first), host, other)),
		at("blocked source, second mirror", "the same", blockedSource, host, third).anonymous().from("THIRD/org/app:1").others(2).past("404"),
		at("blocked source, no answer", "it is not asked, though it has the image", blockedSource, host).anonymous().others(2).
			fails(registry.ErrNotFound, 404,
				"mirror OTHER/org/app: answered 404", "mirror THIRD/org/app: answered 404", "the source HOST/org/app: goldenarch does not query it"),
		bySource(at("blocked mirror", "a mirror within a blocked registry", conf(source+first+"[[registry]]\nlocation='OTHER'\n"+isClosed), host, other),
			"does not query it"),

		byPinned(at("digest mirrors and a digest", "an ImageDigestMirrorSet", digestMirrors(entry), host, other)),
		bySource(at("digest mirrors and a tag", "an ImageDigestMirrorSet", digestMirrors(entry), host, other)),
		byFirst(at("tag mirrors and a tag", "an ImageTagMirrorSet", tagMirrors(entry), host, other)),
		bySource(at("tag mirrors and a digest", "an ImageTagMirrorSet", tagMirrors(entry), host, other).asks(pinned)),
		at("several sets for one source", "two sets, [d THIRD] and [a b d]: three places of OTHER come before THIRD",
			sets("ImageTagMirrorSet", `{"imageTagMirrors":[{"source":"HOST/org","mirrors":["OTHER/d","THIRD/org"]}]}`,
				"ImageTagMirrorSet", `{"imageTagMirrors":[{"source":"HOST/org","mirrors":["OTHER/a","OTHER/b","OTHER/d"]}]}`), host, third).
			others(5).from("THIRD/org/app:1").past("OTHER/a/app: answered 404", "OTHER/b/app: answered 404", "OTHER/d/app: answered 404"),
		at("nested scopes inherit", "an insecure registry within a mirrored one, as OpenShift writes it: the mirror counts for it too",
			func(w *world) mirror.Policy {
				return conf("[[registry]]\nlocation='HOST/org'\n")(w).Over(tagMirrors(`{"source":"HOST","mirrors":["OTHER/all"]}`)(w))
			}, host, "OTHER all/org/app:1").others(1).from("OTHER/all/org/app:1"),
		noPlace("source never contacted, and a tag", "it can be had nowhere", "ImageTagMirrorSet", digestMirrors(never)),
		noPlace("source of tag mirrors never contacted, and a digest", "nor can that", "ImageDigestMirrorSet", tagMirrors(neverTags)).asks(pinned),
		noPlace("source never contacted without a mirror", "nor anything", "forbids it; add a mirror for it, or allow the source", conf(source+isClosed)),
		at("source never contacted, and a digest", "which the mirror lacks", digestMirrors(never), host).asks(pinned).others(2).
			fails(registry.ErrNotFound, 404, "mirror ", "the source ", "does not query it"),
		bySource(at("set that repeats its source", "its only mirror is the source, which it forbids: it is ignored, with its policy",
			digestMirrors(`{"source":"HOST/org","mirrors":["HOST/org"],"mirrorSourcePolicy":"NeverContactSource"}`), host)),
		bySource(at("ImageContentSourcePolicy", "it is for digests only and forbids no source, and a tag",
			sets("ImageContentSourcePolicy", `{"repositoryDigestMirrors":[`+entry+`]}`), host, other)),
		at("short name", "a mirror of Docker Hub", conf("[[registry]]\nlocation='docker.io'\n"+first), "OTHER library/app:1").asks("app:1").
			others(1).from("OTHER/library/app:1"),
		at("logical name is kept", "the answer says who gave it", conf(source+strings.ReplaceAll(first, "OTHER", "OTHER/x/y")), "OTHER x/y/org/app:1").
			others(1).from("OTHER/x/y/org/app:1"),
		byFirst(at("sparse mirror", "an index whose children the mirror does not have", one).has(other, app().Sparse())),
		byFirst(sparse(at("sparse mirror, verified", "the first place that has the index answers, as for a node (containers/image docker/docker_image_src.go: "+
			"newImageSource)", one, host), missing(app(), 1)).finds("linux/amd64")).others(3).also(func(w *world, results []registry.Result) {
			if absent := results[0].Image.Absent.Linux().String(); absent != "arm64" {
				w.Errorf("want arm64 absent, got %q", absent)
			}
		}),
		sparse(at("empty mirror, verified", "a mirror without any of the images does not answer", one, host), app().Sparse()).asked(3).others(3).
			past("404"),
		bySource(at("mirror that rewrote the index", "an index with one architecture where the digest is that of two", one, host).asks(pinned).
			prepare(faulty(rewritten)).others(1).also(differs), "sent content with the digest"),
		byFirst(at("certs.d of a mirror", "a certificate that certs.d knows for the mirror alone", one, host, other).client(func(w *world) {
			w.options.RootCAs = nil
			certsDir("OTHER", "ca.crt", string(registrytest.CertificateAuthority()))(w)
		})),
	}, silentMirrorRows(), mirrorLoginRows())...)
}

// silentMirrorRows have mirrors before the source that say nothing, in many ways: they get a third
// of a request's time, for all images together, and no retry.
func silentMirrorRows() []*situation {
	const images, third = 30, "(3.333"
	silent, policy := registrytest.Silent(), conf(source+first)
	tokens := func(more ...registrytest.Wrapper) []registrytest.Wrapper {
		return append(more, registrytest.On(registrytest.Token, silent), (&registrytest.Tokens{Service: "r"}).Require())
	}
	quiet := func(name, reason string, most int, o registrytest.Options, faults ...registrytest.Wrapper) *situation {
		s := when("mirror that is "+name, reason).timed().anonymous().retries(4).mirrors(policy).many(images, 0).asked(images).past(third).
			prepare(func(w *world) { o.Wrappers = faults; w.other = w.start(o) })
		s.elsewhere = span{1, most}
		return s
	}
	usual := registrytest.Options{}
	var muted atomic.Int64
	taken := func(w *world, _ []registry.Result) {
		if n := muted.Load(); n < 1 || n > 2 {
			w.Errorf("want one or two connections to the mute host, got %d", n)
		}
	}
	return []*situation{
		quiet("silent", "it takes the question, which may be about one repository: of each image it is one", images, usual, silent),
		quiet("silent over HTTP/1.1", "the same without HTTP/2", images, registrytest.Options{HTTP1: true}, silent),
		quiet("mute", "it takes the connection and does not answer TLS's greeting", 0,
			registrytest.Options{Listen: taking(func(net.Conn) { muted.Add(1) })}).others(0).also(taken),
		quiet("without tokens", "its token service is silent: of each token it is one question", 1+images, usual, tokens()...),
		quiet("late", "its first answer takes 1 s: after 667 ms a second request does not wait for it", 2+images, usual,
			tokens(registrytest.On(registrytest.Manifest, registrytest.Latency(time.Second)))...),
		quiet("silent and the last place", "where nobody else may be asked, it gets the whole time", images, usual, silent).
			mirrors(conf(source+isClosed+first)).fails(registry.ErrUnreachable, 0, "mirror OTHER", "10s", "does not query it").asked(0).past(),
		when("two silent mirrors", "they come one after the other, before one that answers").timed().mirrors(conf(source+first+second)).many(10, 2).
			asked(12).
			prepare(func(w *world) { w.other, w.third = w.with(silent), w.with(silent) }).past(third, third).others(20).takes(9 * time.Second),
		when("mirror that is silent for one image", "it has the others").timed().retries(2).times(20).mirrors(policy).many(6, 0).asked(20).mixed().
			prepare(func(w *world) {
				w.other = w.with(registrytest.OnRepository("org/r0", silent))
				fill(w.T, w.other, 6, 0)
			}).others(20 * 6).also(func(w *world, results []registry.Result) {
			for i, r := range results {
				if r.Err != nil || (i == 0) != (r.Image.Mirror == "") {
					w.Errorf("image %d: got %q, %v", i, r.Image.Mirror, r.Err)
				}
			}
		}),
	}
}

// mirrorLoginRows: credentials go to the host that is really asked, and only its own.
func mirrorLoginRows() []*situation {
	users := registrytest.Users{"m": "mirror-pw", "s": "source-pw"}
	var rows []*situation
	for name, auth := range map[string]func() registrytest.Wrapper{
		"Basic":  func() registrytest.Wrapper { return registrytest.Basic(users) },
		"Bearer": func() registrytest.Wrapper { return (&registrytest.Tokens{Service: "r", Users: users}).Require() },
	} {
		rows = append(rows, when("logins of mirrors with "+name, "each host gets its own", auth()).
			prepare(func(w *world) { w.other, w.third = w.with(auth()), w.with(auth()) }).
			has("THIRD q/org/app:1", app()).mirrors(conf(source+first+strings.ReplaceAll(second, "THIRD", "THIRD/q"))).
			loggedIn("OTHER", "m:wrong-pw", "THIRD/q", "m:mirror-pw", "THIRD", "m:other-pw", "HOST", "s:source-pw").
			saw("OTHER", "m:wrong-pw").saw("THIRD", "m:mirror-pw").from("THIRD/q/org/app:1").past("401").mostElsewhere(8).
			also(func(w *world, results []registry.Result) {
				if strings.Contains(results[0].Image.Passed[0].Error(), "-pw") {
					w.Errorf("a password is told: %v", results[0].Image.Passed)
				}
			}))
	}
	return rows
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
