package imageref

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.podman.io/image/v5/docker/reference"
)

const (
	hex64 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	sum   = "sha256:" + hex64
)

func TestParseReference(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason     string
		text       string
		want       string
		host       string
		repository string
		tag        string
		digest     string
	}{
		"ShortName": {
			reason: "A short name means docker.io/library and latest, as Kubernetes reads it.",
			text:   "fedora", want: "docker.io/library/fedora:latest",
			host: "docker.io", repository: "library/fedora", tag: "latest",
		},
		"ShortNameWithTag": {
			reason: "A colon without a slash after it is a tag.",
			text:   "fedora:40", want: "docker.io/library/fedora:40",
			host: "docker.io", repository: "library/fedora", tag: "40",
		},
		"HubNamespace": {
			reason: "A first part without dot, colon or capitals is a namespace of Docker Hub.",
			text:   "containerdisks/fedora:40", want: "docker.io/containerdisks/fedora:40",
			host: "docker.io", repository: "containerdisks/fedora", tag: "40",
		},
		"HubByItsOtherName": {
			reason: "index.docker.io is docker.io.",
			text:   "index.docker.io/fedora", want: "docker.io/library/fedora:latest",
			host: "docker.io", repository: "library/fedora", tag: "latest",
		},
		"CDI": {
			reason: "docker:// is stripped.",
			text:   "docker://quay.io/a/b:1", want: "quay.io/a/b:1",
			host: "quay.io", repository: "a/b", tag: "1",
		},
		"CDICapitals": {
			reason: "A scheme is case-insensitive, and CDI's webhook admits it so.",
			text:   "DOCKER://quay.io/a/b:1", want: "quay.io/a/b:1",
			host: "quay.io", repository: "a/b", tag: "1",
		},
		"Digest": {
			reason: "A digest stands alone: no tag is made up.",
			text:   "quay.io/a/b@" + sum, want: "quay.io/a/b@" + sum,
			host: "quay.io", repository: "a/b", digest: sum,
		},
		"TagAndDigest": {
			reason: "The digest wins, the tag is kept for messages.",
			text:   "quay.io/a/b:1@" + sum, want: "quay.io/a/b:1@" + sum,
			host: "quay.io", repository: "a/b", tag: "1", digest: sum,
		},
		"SHA512": {
			reason: "OCI allows sha512 too.",
			text:   "quay.io/a/b@sha512:" + hex64 + hex64, want: "quay.io/a/b@sha512:" + hex64 + hex64,
			host: "quay.io", repository: "a/b", digest: "sha512:" + hex64 + hex64,
		},
		"Port": {
			reason: "The colon of a port is no tag.",
			text:   "reg.local:5000/a/b", want: "reg.local:5000/a/b:latest",
			host: "reg.local:5000", repository: "a/b", tag: "latest",
		},
		"BareHostWithPort": {
			reason: "A host without a dot is a host if it has a port.",
			text:   "registry:5000/a:1", want: "registry:5000/a:1",
			host: "registry:5000", repository: "a", tag: "1",
		},
		"Localhost": {
			reason: "localhost is a host.",
			text:   "localhost/a:1", want: "localhost/a:1",
			host: "localhost", repository: "a", tag: "1",
		},
		"IPv6": {
			reason: "An IPv6 host stands in brackets.",
			text:   "docker://[::1]:5000/a/b:1", want: "[::1]:5000/a/b:1",
			host: "[::1]:5000", repository: "a/b", tag: "1",
		},
		"IPv6WithoutPort": {
			reason: "The port may be missing.",
			text:   "[fd00::1]/a", want: "[fd00::1]/a:latest",
			host: "[fd00::1]", repository: "a", tag: "latest",
		},
		"Separators": {
			reason: "Parts may be joined by one dot, one or two underscores, any dashes.",
			text:   "quay.io/a.b_c__d---e/f:V1.0_x-", want: "quay.io/a.b_c__d---e/f:V1.0_x-",
			host: "quay.io", repository: "a.b_c__d---e/f", tag: "V1.0_x-",
		},
		"ImageNamedAsATransport": {
			reason: "oci:1.0 is a short name with a tag.",
			text:   "oci:1.0", want: "docker.io/library/oci:1.0",
			host: "docker.io", repository: "library/oci", tag: "1.0",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Parse(tc.text)
			if err != nil {
				t.Fatalf("%s\nParseReference(%q): %v", tc.reason, tc.text, err)
			}
			want := []string{tc.want, tc.host, tc.repository, tc.tag, tc.digest}
			have := []string{got.String(), got.Host(), got.Repository(), got.tag, got.Digest()}
			if diff := cmp.Diff(want, have); diff != "" {
				t.Errorf("%s\nParseReference(%q): -want, +got:\n%s", tc.reason, tc.text, diff)
			}
			if got.Pinned() != (tc.digest != "") {
				t.Errorf("%s\nPinned() = %t", tc.reason, got.Pinned())
			}
		})
	}
}

func TestParseReferenceRefuses(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason, text, says string
	}{
		"Empty":           {"Nothing names nothing.", "", "empty"},
		"OnlyScheme":      {"Nothing names nothing.", "docker://", "empty"},
		"OCIArchive":      {"A file is not in a registry.", "oci-archive:///images/a.tar", `"oci-archive:" is not an image in a registry; expected docker://`},
		"OCIArchiveColon": {"A file is not in a registry.", "oci-archive:a.tar", `"oci-archive:" is not an image in a registry; expected docker://`},
		"DockerDaemon":    {"A daemon's store is not a registry.", "docker-daemon:fedora:40", `"docker-daemon:" is not an image in a registry; expected docker://`},
		"OCILayout":       {"A directory is not in a registry.", "oci:/images/a", `"oci:" is not an image in a registry; expected docker://`},
		"HTTPS":           {"CDI's http source is another source.", "https://example.org/disk.img", `"https:" is not an image in a registry; expected docker://`},
		"Blank":           {"A blank is a slip of the pen.", "quay.io/a/b: 1", "blanks"},
		"BlankAtTheEnd":   {"CDI would not trim it.", "quay.io/a/b:1 ", "blanks"},
		"Newline":         {"A YAML block scalar leaves one.", "quay.io/a/b:1\n", `'\n'`},
		"TwoSlashes":      {"go-containerregistry accepts it, no registry does.", "quay.io//a", "empty part"},
		"SlashAtTheEnd":   {"The repository is not complete.", "quay.io/a/", "empty part"},
		"NoRepository":    {"A host alone is no image.", "quay.io/", "repository is missing"},
		"EmptyTag":        {"A colon asks for a tag.", "quay.io/a:", "tag"},
		"EmptyTagDigest":  {"A colon asks for a tag, a digest or not.", "quay.io/a:@" + sum, "tag"},
		"LongTag":         {"The grammar ends at 128.", "quay.io/a:" + strings.Repeat("a", 129), "tag"},
		"TagBeginsDash":   {"The grammar wants a word first.", "quay.io/a:-x", "tag"},
		"CapitalHost":     {"Told how to write it.", "Quay.IO/a/b:1", `"quay.io"`},
		"CapitalPath":     {"Repositories are lower case.", "quay.io/A/b:1", `"A"`},
		"BadPort":         {"docker: alone is not a scheme.", "docker:quay.io/a/b", "port"},
		"HugePort":        {"A port has 16 bits.", "quay.io:70000/a", "port"},
		"EmptyPort":       {"A colon asks for a port.", "quay.io:/a", "port"},
		"EmptyHost":       {"docker:/// has no host.", "docker:///a/b", "host"},
		"OpenBracket":     {"The bracket must close.", "[::1/a", "IPv6"},
		"IPv4InBrackets":  {"Brackets are for IPv6.", "[127.0.0.1]/a", "IPv6"},
		"BareIPv6":        {"Without brackets it is no host.", "::1/a", "host"},
		"ShortDigest":     {"A cut digest is no digest.", "quay.io/a@sha256:abc", "digest"},
		"TwoDigests":      {"CDI appends a digest to a pinned URL.", "quay.io/a@" + sum + "@" + sum, "digest"},
		"CapitalDigest":   {"Digests are lower case.", "quay.io/a@sha256:" + strings.ToUpper(hex64), "digest"},
		"ImageID":         {"64 hex digits are a local image's id.", hex64, "id"},
		"LongRepository":  {"The grammar ends at 255.", "quay.io/" + strings.Repeat("a", 256), "255"},
		"BadSeparator":    {"Two dots join nothing.", "quay.io/a..b", `"a..b"`},
		"SeparatorAtEnd":  {"A separator joins two words.", "quay.io/a_", `"a_"`},
		"BeyondASCII":     {"Letters that look alike are a trap.", "quаy.io/a", "ASCII"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Parse(tc.text)
			if _, ok := errors.AsType[*ParseError](err); !ok {
				t.Fatalf("%s\nParseReference(%q): want a *ParseError, got %v", tc.reason, tc.text, err)
			}
			if !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%s\nthe error must hold %q: %v", tc.reason, tc.says, err)
			}
		})
	}
}

func TestParseErrorHidesPassword(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"docker://me:secret@quay.io/a:1", "https://me:secret@quay.io/a", "me:secret@quay.io/a", "me:secret@sha/a"} {
		if _, err := Parse(text); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("ParseReference(%q): want an error without the password, got %v", text, err)
		}
	}
}

// FuzzGrammar holds what is read against the library that CDI reads references with. It has
// no IPv6 addresses, and accepts some names that no registry can have.
func FuzzGrammar(f *testing.F) {
	long := strings.Repeat("a", 120)
	for _, s := range []string{
		"fedora", "a/b", "quay.io/a/b:1", "quay.io/a/b:1@" + sum, "a@" + sum, "index.docker.io/a", "docker.io/a", "localhost/a", "localhost:5000/a:b",
		"A/b", "a.io/a__b/c-_d", "a.io/a..b", "a.io/a--b", "-a.io/b", "a-.io/b", "a.io/b:-", "a.io/b:" + long + "012345678", "a.io/b:" + long + "01234567",
		"a.io/" + long + "/" + long, "a.io/" + long + "/" + long + "012345678", long + long + "0123456.io/a",
		"a.io:0/b", "a.io:65536/b", "a_b:5000/c", "a_b.io:5000/c", "a_b.io/c", strings.Repeat("0", 64), "a:b:c", "a:b/c:d/e",
		"a.io/" + long + long + "01234", "a.io/" + long + long + "012345", "a.b/c_/d", "_", "a_b", "a___b", "a.", ".a", "a\n", "a:b\n",
	} {
		f.Add(s)
	}
	named, err := reference.WithName("a.example/a")
	if err != nil {
		f.Fatal(err)
	}
	accepts := func(_ any, err error) bool { return err == nil }
	f.Fuzz(func(t *testing.T, s string) {
		for what, both := range map[string][2]bool{
			"tag":       {isTag(s), accepts(reference.WithTag(named, s))},
			"component": {!strings.Contains(s, "/") && isComponent(s), !strings.Contains(s, "/") && accepts(reference.WithName("a.example/"+s))},
			"host":      {!strings.ContainsAny(s, "/:") && isHost(s), !strings.ContainsAny(s, "/:") && accepts(reference.WithName(s+".x/a"))},
		} {
			if both[0] != both[1] {
				t.Errorf("%q as a %s: we say %t, the library %t", s, what, both[0], both[1])
			}
		}
		if strings.ContainsAny(s, "[]") || strings.Contains(s, "://") {
			return
		}
		ours, err := Parse(s)
		theirs, refusal := reference.ParseNormalizedNamed(s)
		if err != nil {
			if referenceFault(s) == "" && (refusal == nil || !strings.Contains(err.Error(), refusal.Error())) && !isTransport(err) {
				t.Errorf("%q: we say %v, the library %v", s, err, refusal)
			}
			return
		}
		if refusal != nil {
			t.Fatalf("%q is %v, and the library says %v", s, ours, refusal)
		}
		if want := reference.TagNameOnly(theirs).String(); ours.String() != want {
			t.Errorf("%q: got %s, the library reads %s", s, ours, want)
		}
	})
}

func isTransport(err error) bool {
	var refused *ParseError
	return errors.As(err, &refused) && strings.Contains(refused.Reason, "is not an image in a registry")
}

func FuzzParseReference(f *testing.F) {
	for _, s := range []string{"fedora", "docker://quay.io/a/b:1", "[::1]:5000/a@" + sum, "a/b:1@" + sum, "oci-archive:x", "localhost:5000", "A/b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := Parse(s)
		if err != nil {
			if r != (Reference{}) {
				t.Errorf("ParseReference(%q): %+v beside an error", s, r)
			}
			return
		}
		again, err := Parse(r.String())
		if err != nil || again != r {
			t.Errorf("ParseReference(%q) = %+v; its String %q parses to %+v, %v", s, r, r, again, err)
		}
		if r.Host() == "" || r.Repository() == "" || r.Selector() == "" {
			t.Errorf("ParseReference(%q) = %+v: something is missing", s, r)
		}
	})
}
