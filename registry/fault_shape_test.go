package registry_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/registry"
	"github.com/goldenarch/goldenarch/registry/registrytest"
)

// TestOddAnswers has the odd shapes that need a real registry around them; the
// forms of manifests have their own test.
func TestOddAnswers(t *testing.T) {
	t.Parallel()
	const ociIndex, xml = "application/vnd.oci.image.index.v1+json", "<?xml version=\"1.0\"?>\n<Error><Code>AccessDenied</Code></Error>"
	lost := registrytest.Image("linux/amd64")
	lostConfig := strings.Split(string(lost.Body), `"digest":"`)[1][:71]
	pushed := func(a registrytest.Artifact) func(*registrytest.Store) {
		return func(s *registrytest.Store) { s.Push("org/app:1", a) }
	}
	cases := map[string]struct {
		reason  string
		push    func(*registrytest.Store)
		ask     string // org/app:1
		wrapper registrytest.Wrapper
		want    outcome
	}{
		"Page": {
			reason: "A web page with the status 200.", push: pushed(registrytest.Index("linux/amd64")), wrapper: registrytest.HTMLPage(),
			want: outcome{kind: registry.ErrContent, says: []string{"web page", "text/html"}},
		},
		"XML": {
			reason: "XML is told as XML.", push: pushed(registrytest.Raw("application/xml", []byte(xml))),
			want: outcome{kind: registry.ErrContent, says: []string{"XML", "application/xml"}},
		},
		"GoTypes": {
			reason: "What is wrong in JSON is told in JSON's words.", push: pushed(registrytest.Raw(ociIndex, []byte(`{"manifests":{"a":1}}`))),
			want: outcome{kind: registry.ErrContent, says: []string{`"manifests" is a JSON object`, ociIndex}},
		},
		"Array": {
			reason: "A list is no manifest.", push: pushed(registrytest.Raw(ociIndex, []byte(`[]`))),
			want: outcome{kind: registry.ErrContent, says: []string{"JSON array", ociIndex}},
		},
		"LyingHeader": {
			reason: "The digest is our own, whatever the header says.",
			push:   pushed(registrytest.Index("linux/amd64").Claiming("sha256:" + strings.Repeat("0", 64))),
			want:   outcome{platforms: "linux/amd64"},
		},
		"LyingDigest": {
			reason: "What was asked for by digest must be it.",
			push: func(s *registrytest.Store) {
				s.Push("org/app@sha256:"+strings.Repeat("a", 64), registrytest.Index("linux/amd64"))
			},
			ask:  "org/app@sha256:" + strings.Repeat("a", 64),
			want: outcome{kind: registry.ErrContent, says: []string{"digest", registrytest.Index("linux/amd64").Digest()}},
		},
		"DigestWins": {
			reason: "Of a tag and a digest the digest counts, the tag need not exist.", push: pushed(registrytest.Index("linux/s390x")),
			ask:  "org/app:gone@" + registrytest.Index("linux/s390x").Digest(),
			want: outcome{platforms: "linux/s390x"},
		},
		"Corrupt": {
			reason: "A config must be what its digest says.", push: pushed(registrytest.Image("linux/amd64").Corrupt()),
			want: outcome{kind: registry.ErrContent, says: []string{"digest"}},
		},
		"MissingConfig": {
			reason: "The config that is missing is named.", push: pushed(lost.Sparse()),
			want: outcome{kind: registry.ErrNotFound, status: 404, says: []string{"BLOB_UNKNOWN", lostConfig, "mirror it again"}},
		},
		"MissingChild": {
			reason: "The manifest that is needed and missing is named.", push: pushed(registrytest.BareIndex("linux/amd64").Sparse()),
			want: outcome{kind: registry.ErrNotFound, status: 404, says: []string{"MANIFEST_UNKNOWN", lost.Digest(), "mirror it again"}},
		},
		"Sparse": {
			reason: "No child is fetched that need not be.", push: pushed(registrytest.Index("linux/amd64", "linux/arm64").Sparse()),
			want: outcome{platforms: "linux/amd64 linux/arm64"},
		},
		"Loop": {
			reason: "An index within itself needs a false digest, and that ends it.",
			push:   func(s *registrytest.Store) { registrytest.PushLoop(s, "org/app", "1") },
			want:   outcome{kind: registry.ErrContent, says: []string{"digest"}},
		},
		"Deep": {
			reason: "60 indexes within each other are not walked.", push: pushed(registrytest.NestedIndex(60, "linux/amd64")),
			want: outcome{kind: registry.ErrContent, says: []string{"within each other"}},
		},
		"Nested": {
			reason: "One is.", push: pushed(registrytest.NestedIndex(1, "linux/amd64", "linux/arm64")),
			want: outcome{platforms: "linux/amd64 linux/arm64"},
		},
		"Bare": {
			reason: "Without platforms the configs are read.", push: pushed(registrytest.BareIndex("linux/amd64", "linux/arm64/v8")),
			want: outcome{platforms: "linux/amd64 linux/arm64/v8"},
		},
		"Attested": {
			reason: "Attestations are left out.", push: pushed(registrytest.AttestedIndex("linux/amd64", "linux/arm64")),
			want: outcome{platforms: "linux/amd64 linux/arm64"},
		},
		"Long": {
			reason: "2,000 entries.", push: pushed(registrytest.LongIndex(2000)),
			want: outcome{platforms: "linux/amd64 linux/arm64"},
		},
		"Big": {
			reason: "5 MiB are refused, and not tried again.", push: pushed(registrytest.BigIndex(5 << 20)),
			want: outcome{kind: registry.ErrContent, says: []string{"too large"}},
		},
		"BigEnough": {
			reason: "4 MiB are not.", push: pushed(registrytest.BigIndex(4 << 20)),
			want: outcome{platforms: "linux/amd64 linux/arm64"},
		},
		"NoType": {
			reason: "Without Content-Type the body tells.", push: pushed(registrytest.DockerList("linux/amd64").Served("")),
			want: outcome{platforms: "linux/amd64"},
		},
		"Chart": {
			reason: "A Helm chart is no image.", push: pushed(registrytest.HelmChart()),
			want: outcome{kind: registry.ErrNotImage, says: []string{"helm"}},
		},
		"Artifact": {
			reason: "Nor is an artifact.", push: pushed(registrytest.OCIArtifact("application/vnd.example+json")),
			want: outcome{kind: registry.ErrNotImage},
		},
		"WithdrawnArtifact": {
			reason: "Nor one of the withdrawn type.", push: pushed(registrytest.ArtifactManifest()),
			want: outcome{kind: registry.ErrNotImage},
		},
		"Schema1": {
			reason: "Schema 1 is not read.", push: pushed(registrytest.Schema1("amd64")),
			want: outcome{kind: registry.ErrNotImage, says: []string{"schema 1"}},
		},
		"InlineConfig": {
			reason: "A config inside the manifest saves a request.", push: pushed(registrytest.ImageWithInlineConfig("linux/arm64")),
			want: outcome{platforms: "linux/arm64"},
		},
		"ForbiddenPing": {
			reason: "A registry that answers /v2/ with 403 serves images all the same.", push: pushed(registrytest.DockerImage("linux/arm64")),
			wrapper: registrytest.On(registrytest.Ping, registrytest.Reply(http.StatusForbidden, nil)),
			want:    outcome{platforms: "linux/arm64"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var wrappers []registrytest.Wrapper
			if tc.wrapper != nil {
				wrappers = append(wrappers, tc.wrapper)
			}
			s := with(t, wrappers...)
			tc.push(s.Store)
			if tc.ask == "" {
				tc.ask = "org/app:1"
			}
			ref := reference(t, s, tc.ask)
			image, err := resolve(t, client(t, trusting(t)), ref)
			tc.want.check(t, tc.reason, ref, image, err)
			for _, ours := range []string{"Go ", "registry.", "unmarshal"} {
				if err != nil && strings.Contains(err.Error(), ours) {
					t.Errorf("%s\nthe error speaks of our own types (%q): %v", tc.reason, ours, err)
				}
			}
		})
	}
}
