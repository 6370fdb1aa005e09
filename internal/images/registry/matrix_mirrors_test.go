package registry_test

import (
	"errors"
	"strings"
	"time"

	"github.com/goldenarch/goldenarch/internal/images/mirror"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// mirrorRows are policies in the forms that users have: registries.conf, and
// OpenShift's mirror sets. SOURCE is the registry of the reference, FIRST and
// SECOND are mirrors.
func mirrorRows() []matrixRow {
	both := registrytest.Index("linux/amd64", "linux/arm64")
	right := outcome{platforms: appFound}
	pinned := "HOST/org/app@" + both.Digest()
	all := func(names ...string) func(w *world) {
		return func(w *world) {
			for _, name := range names {
				where, name, _ := strings.Cut(name, " ")
				map[string]*registrytest.Server{"SOURCE": w.registry, "FIRST": w.other, "SECOND": w.third}[where].Push(name, both)
			}
		}
	}
	const two = "[[registry.mirror]]\nlocation='FIRST'\n[[registry.mirror]]\nlocation='SECOND'\n"
	source := "[[registry]]\nlocation='SOURCE'\n"
	first := "[[registry.mirror]]\nlocation='FIRST'\n"
	idms := func(entries string) func(*world) mirror.Policy {
		return sets(object{"ImageDigestMirrorSet", `{"imageDigestMirrors":[` + entries + `]}`})
	}
	itms := func(entries string) func(*world) mirror.Policy {
		return sets(object{"ImageTagMirrorSet", `{"imageTagMirrors":[` + entries + `]}`})
	}
	blocked := func(says ...string) outcome { return outcome{kind: registry.ErrBlocked, says: says} }
	return []matrixRow{
		{
			row: "mirrors in order, source last", variant: "first", sent: "both mirrors and the source have the image", policy: conf(source + two),
			push: all("SOURCE org/app:1", "FIRST org/app:1", "SECOND org/app:1"), want: right, otherRequests: exactly(1), mirror: "FIRST/org/app:1",
		},
		{
			row: "mirrors in order, source last", variant: "second", sent: "the second mirror and the source have it", policy: conf(source + two),
			push: all("SOURCE org/app:1", "SECOND org/app:1"), want: right, otherRequests: exactly(3), mirror: "SECOND/org/app:1", passed: 1,
		},
		{
			row: "mirrors in order, source last", variant: "source", sent: "the source alone has it", policy: conf(source + two),
			push: all("SOURCE org/app:1"), want: right, requests: exactly(1), otherRequests: exactly(3), passed: 2,
		},
		{
			row: "any error goes on, all are told", variant: "goes on", sent: "one mirror is down, one sends a web page",
			push: func(w *world) {
				all("SOURCE org/app:1")(w)
				w.other.Close()
				w.third.Push(appImage, registrytest.Raw("text/html", []byte("<html>Log in</html>")))
			},
			policy: conf(source + two), want: right, requests: exactly(1), otherRequests: exactly(1), passed: 2,
		},
		{
			row: "any error goes on, all are told", variant: "all told", sent: "nobody has it: no two for the same reason",
			push: func(w *world) {
				w.other.Push(appImage, registrytest.HelmChart())
				w.third.Push(appImage, registrytest.Schema1("amd64"))
			},
			policy: conf(source + two), requests: exactly(2), otherRequests: exactly(2),
			want: outcome{kind: registry.ErrNotFound, status: 404, says: []string{"mirror ", "helm", "schema 1", "the source ", "answered 404"}},
		},
		{
			row: "longest prefix", sent: "the mirror of the longer prefix has it, that of the registry is not asked",
			policy: conf("[[registry]]\nlocation='SOURCE'\n" + first + "[[registry]]\nlocation='SOURCE/org'\n[[registry.mirror]]\nlocation='SECOND/quay'\n"),
			push:   all("FIRST org/app:1", "SECOND quay/app:1"), want: right, otherRequests: exactly(1), mirror: "SECOND/quay/app:1",
		},
		{
			row:           "wildcard prefix",
			variant:       "any depth",
			sent:          "a mirror for *.example.com",
			ask:           []string{"a.example.com/org/app:1", "c.b.example.com/org/app:1"},
			policy:        conf("[[registry]]\nprefix='*.example.com'\n" + first),
			push:          all("FIRST org/app:1"),
			want:          right,
			otherRequests: exactly(2),
			mirror:        "FIRST/org/app:1",
		},
		{
			row: "wildcard prefix", variant: "not the domain", sent: "example.com itself, which *.example.com is not", ask: []string{"HOST/org/app:1"},
			policy: conf("[[registry]]\nprefix='*.example.com'\n" + first), push: all("SOURCE org/app:1", "FIRST org/app:1"), want: right, requests: exactly(1),
		},
		{
			row: "prefix is replaced", sent: "a prefix with another location", ask: []string{"example.com/foo/app:1"},
			policy: conf("[[registry]]\nprefix='example.com/foo'\nlocation='SOURCE/bar'\n" + strings.ReplaceAll(first, "FIRST", "FIRST/baz")),
			push:   all("SOURCE bar/app:1"), want: right, requests: exactly(1), otherRequests: exactly(2), passed: 1, mirror: "SOURCE/bar/app:1",
		},
		{
			row:      "pull-from-mirror",
			variant:  "digest-only, tag",
			sent:     "a mirror for digests, asked for a tag",
			policy:   conf(source + first + "pull-from-mirror='digest-only'\n"),
			push:     all("SOURCE org/app:1", "FIRST org/app:1"),
			want:     right,
			requests: exactly(1),
		},
		{
			row:           "pull-from-mirror",
			variant:       "digest-only, digest",
			sent:          "the same, asked for a digest",
			ask:           []string{pinned},
			policy:        conf(source + first + "pull-from-mirror='digest-only'\n"),
			push:          all("SOURCE org/app:1", "FIRST org/app:1"),
			want:          right,
			otherRequests: exactly(1),
			mirror:        "FIRST/org/app@" + both.Digest(),
		},
		{
			row:      "pull-from-mirror",
			variant:  "tag-only, digest",
			sent:     "a mirror for tags, asked for a digest",
			ask:      []string{pinned},
			policy:   conf(source + first + "pull-from-mirror='tag-only'\n"),
			push:     all("SOURCE org/app:1", "FIRST org/app:1"),
			want:     right,
			requests: exactly(1),
		},
		{
			row: "mirror-by-digest-only", variant: "tag", sent: "the older word, and a tag", policy: conf(source + "mirror-by-digest-only=true\n" + first),
			push: all("SOURCE org/app:1", "FIRST org/app:1"), want: right, requests: exactly(1),
		},
		{
			row: "insecure by endpoint", variant: "insecure", sent: "a mirror without TLS that says so; there is a login for it, which it does not need",
			push: plainMirror, policy: conf(source + first + "insecure=true\n"), want: right, otherRequests: exactly(1), mirror: "FIRST/org/app:1",
		},
		{
			row: "insecure by endpoint", variant: "not insecure", sent: "a mirror without TLS that does not say so, of a source that does",
			push: plainMirror, policy: conf(source + "insecure=true\n" + first), want: right, requests: exactly(1), passed: 1,
		},
		{
			row: "blocked by place", variant: "source", sent: "a blocked source, whose mirror answers", policy: conf(source + "blocked=true\n" + first),
			push: all("SOURCE org/app:1", "FIRST org/app:1"), want: right, otherRequests: exactly(1), mirror: "FIRST/org/app:1",
		},
		{
			row:      "blocked by place",
			variant:  "mirror",
			sent:     "a mirror within a blocked registry",
			policy:   conf(source + first + "[[registry]]\nlocation='FIRST'\nblocked=true\n"),
			push:     all("SOURCE org/app:1", "FIRST org/app:1"),
			want:     right,
			requests: exactly(1),
			passed:   1,
		},
		{
			row:           "digest mirrors",
			variant:       "digest",
			sent:          "an ImageDigestMirrorSet, and a digest",
			ask:           []string{pinned},
			policy:        idms(`{"source":"SOURCE/org","mirrors":["FIRST/org"]}`),
			push:          all("SOURCE org/app:1", "FIRST org/app:1"),
			want:          right,
			otherRequests: exactly(1),
			mirror:        "FIRST/org/app@" + both.Digest(),
		},
		{
			row: "digest mirrors", variant: "tag", sent: "an ImageDigestMirrorSet, and a tag", policy: idms(`{"source":"SOURCE/org","mirrors":["FIRST/org"]}`),
			push: all("SOURCE org/app:1", "FIRST org/app:1"), want: right, requests: exactly(1),
		},
		{
			row: "tag mirrors", variant: "tag", sent: "an ImageTagMirrorSet, and a tag", policy: itms(`{"source":"SOURCE/org","mirrors":["FIRST/org"]}`),
			push: all("SOURCE org/app:1", "FIRST org/app:1"), want: right, otherRequests: exactly(1), mirror: "FIRST/org/app:1",
		},
		{
			row:      "tag mirrors",
			variant:  "digest",
			sent:     "an ImageTagMirrorSet, and a digest",
			ask:      []string{pinned},
			policy:   itms(`{"source":"SOURCE/org","mirrors":["FIRST/org"]}`),
			push:     all("SOURCE org/app:1", "FIRST org/app:1"),
			want:     right,
			requests: exactly(1),
		},
		{
			row: "several sets for one source", sent: "two sets, [d SECOND] and [a b d]: three places of FIRST come before SECOND",
			policy: sets(object{"ImageTagMirrorSet", `{"imageTagMirrors":[{"source":"SOURCE/org","mirrors":["FIRST/d","SECOND/org"]}]}`},
				object{"ImageTagMirrorSet", `{"imageTagMirrors":[{"source":"SOURCE/org","mirrors":["FIRST/a","FIRST/b","FIRST/d"]}]}`}),
			push: all("SOURCE org/app:1", "SECOND org/app:1"), want: right, otherRequests: exactly(5), mirror: "SECOND/org/app:1", passed: 3,
		},
		{
			row: "nested scopes inherit", sent: "an insecure registry within a mirrored one, as OpenShift writes it: the mirror counts for it too",
			policy: func(w *world) mirror.Policy {
				return conf("[[registry]]\nlocation='SOURCE/org'\n")(w).Over(itms(`{"source":"SOURCE","mirrors":["FIRST/all"]}`)(w))
			},
			push: all("SOURCE org/app:1", "FIRST all/org/app:1"), want: right, otherRequests: exactly(1), mirror: "FIRST/all/org/app:1",
		},
		{
			row: "NeverContactSource", variant: "tag", sent: "an ImageDigestMirrorSet that forbids the source, and a tag: it can be had nowhere",
			policy: idms(`{"source":"SOURCE/org","mirrors":["FIRST/org"],"mirrorSourcePolicy":"NeverContactSource"}`),
			push:   all("SOURCE org/app:1", "FIRST org/app:1"), want: blocked("ImageTagMirrorSet"),
		},
		{
			row: "NeverContactSource", variant: "digest", sent: "the same and a digest, which the mirror lacks", ask: []string{pinned},
			policy: idms(`{"source":"SOURCE/org","mirrors":["FIRST/org"],"mirrorSourcePolicy":"NeverContactSource"}`),
			push:   all("SOURCE org/app:1"), otherRequests: exactly(2),
			want: outcome{kind: registry.ErrNotFound, status: 404, says: []string{"mirror ", "the source ", "does not query it"}},
		},
		{
			row: "set that repeats its source", sent: "a set whose only mirror is the source, which it forbids: it is ignored, with its policy",
			policy: idms(`{"source":"SOURCE/org","mirrors":["SOURCE/org"],"mirrorSourcePolicy":"NeverContactSource"}`),
			push:   all("SOURCE org/app:1"), want: right, requests: exactly(1),
		},
		{
			row: "ICSP has no policy", sent: "an ImageContentSourcePolicy, which is for digests only and forbids no source, and a tag",
			policy: sets(object{"ImageContentSourcePolicy", `{"repositoryDigestMirrors":[{"source":"SOURCE/org","mirrors":["FIRST/org"]}]}`}),
			push:   all("SOURCE org/app:1", "FIRST org/app:1"), want: right, requests: exactly(1),
		},
		{
			row:           "short names",
			sent:          "a mirror of Docker Hub, asked for a short name",
			ask:           []string{"app:1"},
			policy:        conf("[[registry]]\nlocation='docker.io'\n" + first),
			push:          all("FIRST library/app:1"),
			want:          right,
			otherRequests: exactly(1),
			mirror:        "FIRST/library/app:1",
		},
		{
			row: "logical name is kept", sent: "a mirror's answer, which says who gave it", policy: conf(source + strings.ReplaceAll(first, "FIRST", "FIRST/x/y")),
			push: all("FIRST x/y/org/app:1"), want: right, otherRequests: exactly(1), mirror: "FIRST/x/y/org/app:1",
		},
		{
			row: "sparse mirror", sent: "an index whose children the mirror does not have", policy: conf(source + first),
			push: func(w *world) { w.other.Push(appImage, both.Sparse()) }, want: right, otherRequests: exactly(1), mirror: "FIRST/org/app:1",
		},
		{
			row:    "mirror that rewrote the index",
			sent:   "an index with one architecture where the digest is that of two",
			ask:    []string{pinned},
			policy: conf(source + first),
			push: func(w *world) {
				all("SOURCE org/app:1")(w)
				w.other.Push("org/app@"+both.Digest(), registrytest.Index("linux/amd64"))
			},
			want:          right,
			requests:      exactly(1),
			otherRequests: exactly(1),
			passed:        1,
			also: func(w *world, results []registry.Result) {
				if passed := results[0].Image.Passed; len(passed) == 1 && !errors.Is(passed[0], registry.ErrDiffers) {
					w.Errorf("want it told that the mirror differs, got %v", passed)
				}
			},
		},
		{
			row: "silent mirror", sent: "nothing from the mirror: it gets a third of the time, and the source answers", policy: conf(source + first),
			wrap: func(w *world) []registrytest.Wrapper { w.other = with(w.T, registrytest.Silent()); return nil },
			push: all("SOURCE org/app:1"), client: func(w *world) { w.options.RequestTimeout = 12 * time.Second },
			want: right, requests: exactly(1), otherRequests: exactly(1), passed: 1, also: func(w *world, results []registry.Result) {
				// The row reports another number of mirrors by itself.
				if passed := results[0].Image.Passed; len(passed) == 1 && !strings.Contains(passed[0].Error(), "(4s)") {
					w.Errorf("want the mirror passed after four seconds, got %v", passed[0])
				}
			},
		},
		{
			row: "certs.d of a mirror", sent: "a certificate that certs.d knows for the mirror alone", policy: conf(source + first),
			push: all("SOURCE org/app:1", "FIRST org/app:1"), client: func(w *world) {
				w.options.RootCAs = nil
				directory(map[string]string{"ca.crt": string(ownCA(w))})(w.T, &w.options, w.other.Host())
			},
			want: right, otherRequests: exactly(1), mirror: "FIRST/org/app:1",
		},
	}
}
