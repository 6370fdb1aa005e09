package registry_test

import (
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/layout"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/images/registrytest"
)

// recorded asks while it records, and ends the recording.
func recorded(t *testing.T, dir string, r registry.Resolver, refs ...imageref.Reference) []registry.Result {
	t.Helper()
	recording, err := layout.Record(dir)
	if err != nil {
		t.Fatal(err)
	}
	results := resolveAll(t, registry.Recorded(r, recording), refs)
	if err := recording.Close(); err != nil {
		t.Fatal(err)
	}
	return results
}

// replay answers from a directory.
func replay(t *testing.T, dir string, v v1alpha1.Verify) registry.Resolver {
	t.Helper()
	l, err := layout.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return registry.Replay(l, v)
}

// compare checks that a replay ends as the recorded run did. Where a part of the
// image did not come, there is nothing to replay, and that is said.
func compare(t *testing.T, reason, dir string, live, again registry.Result, missing bool) {
	t.Helper()
	if missing {
		if live.Err == nil {
			t.Errorf("%s\nthe recorded run must fail, got %+v", reason, live.Image)
		}
		if !errors.Is(again.Err, registry.ErrNotRecorded) {
			t.Fatalf("%s\nwant ErrNotRecorded, got %+v, %v", reason, again.Image, again.Err)
		}
		for _, part := range []string{live.Reference.String(), dir, "--record"} {
			if !strings.Contains(again.Err.Error(), part) {
				t.Errorf("%s\nthe error must hold %q: %v", reason, part, again.Err)
			}
		}
		return
	}
	if diff := cmp.Diff(live.Image, again.Image, cmpopts.IgnoreFields(registry.Image{}, "Passed")); diff != "" {
		t.Errorf("%s\nthe replay (+) is not the recorded run (-):\n%s", reason, diff)
	}
	said := func(err error) string {
		if err == nil {
			return ""
		}
		return err.Error()
	}
	if diff := cmp.Diff(said(live.Err), said(again.Err)); diff != "" {
		t.Errorf("%s\nthe replay's error (+) is not the recorded run's (-):\n%s", reason, diff)
	}
	if live, ok := errors.AsType[*registry.Error](live.Err); ok && !errors.Is(again.Err, live.Kind) {
		t.Errorf("%s\nwant the kind %v, got %v", reason, live.Kind, again.Err)
	}
}

// TestReplayIsTheRecordedRun has every odd shape of an image: a replay ends as the
// recorded run did, right or in the same error.
func TestReplayIsTheRecordedRun(t *testing.T) {
	t.Parallel()
	const ociIndex = "application/vnd.oci.image.index.v1+json"
	const dockerList = "application/vnd.docker.distribution.manifest.list.v2+json"
	untyped := func(a registrytest.Artifact) registrytest.Artifact {
		a.Body = []byte(strings.Replace(string(a.Body), `"mediaType":"`+a.MediaType+`",`, "", 1))
		return a
	}
	sha512Of := func(a registrytest.Artifact) string {
		sum := sha512.Sum512(a.Body)
		return "sha512:" + hex.EncodeToString(sum[:])
	}
	long := registrytest.ImageWithInlineConfig("linux/arm64")
	ofLong := registrytest.Raw(ociIndex, []byte(`{"manifests":[{"digest":"`+sha512Of(long)+`","size":1}]}`))
	liar := registrytest.IndexOf(registrytest.Entry{Artifact: registrytest.Image("linux/amd64"), Platform: "linux/arm64"})
	cases := map[string]struct {
		reason  string
		image   registrytest.Artifact
		ask     string // org/app:1
		verify  v1alpha1.Verify
		wrapper registrytest.Wrapper
		fails   bool
		missing bool // a part did not come
	}{
		"Index":           {reason: "An index.", image: registrytest.Index("linux/amd64", "linux/arm64/v8", "linux/s390x")},
		"DockerList":      {reason: "A Docker list.", image: registrytest.DockerList("linux/amd64", "linux/arm64")},
		"Attested":        {reason: "An index with attestations.", image: registrytest.AttestedIndex("linux/amd64", "linux/arm64")},
		"Nested":          {reason: "Indexes within each other.", image: registrytest.NestedIndex(2, "linux/amd64", "linux/arm64")},
		"Deep":            {reason: "Too many of them.", image: registrytest.NestedIndex(60, "linux/amd64"), fails: true},
		"Bare":            {reason: "An index without platforms.", image: registrytest.BareIndex("linux/amd64", "linux/arm64/v8")},
		"Single":          {reason: "A single image.", image: registrytest.Image("linux/arm64")},
		"DockerSingle":    {reason: "A single Docker image.", image: registrytest.DockerImage("linux/arm64")},
		"Inline":          {reason: "A configuration inside the manifest.", image: registrytest.ImageWithInlineConfig("linux/arm64")},
		"Long":            {reason: "2,000 entries.", image: registrytest.LongIndex(2000)},
		"BigEnough":       {reason: "4 MiB.", image: registrytest.BigIndex(4 << 20)},
		"Served":          {reason: "The header is wrong.", image: registrytest.Index("linux/amd64").Served("text/plain")},
		"NoHeader":        {reason: "There is no header.", image: registrytest.DockerList("linux/amd64").Served("")},
		"Untyped":         {reason: "The header alone says the type.", image: untyped(registrytest.Index("linux/amd64")).Served(dockerList + "; charset=utf-8")},
		"UntypedNoHeader": {reason: "Nothing says it.", image: untyped(registrytest.Index("linux/amd64")).Served("")},
		"Lying":           {reason: "A header lies about the digest.", image: registrytest.Index("linux/amd64").Claiming("sha256:" + strings.Repeat("0", 64))},
		"Pinned":          {reason: "By digest.", image: registrytest.Image("linux/s390x"), ask: "org/app@" + registrytest.Image("linux/s390x").Digest()},
		"TagAndDigest": {
			reason: "By tag and digest.",
			image:  registrytest.Index("linux/s390x"),
			ask:    "org/app:gone@" + registrytest.Index("linux/s390x").Digest(),
		},
		"LongDigest":        {reason: "By a longer digest.", image: registrytest.Index("linux/s390x"), ask: "org/app@" + sha512Of(registrytest.Index("linux/s390x"))},
		"LongChild":         {reason: "A child with a longer digest.", image: ofLong},
		"Children":          {reason: "The children are looked at.", image: registrytest.Index("linux/amd64", "linux/arm64"), verify: v1alpha1.VerifyChildren},
		"Configs":           {reason: "The configurations too.", image: registrytest.AttestedIndex("linux/amd64", "linux/arm64"), verify: v1alpha1.VerifyConfig},
		"Lie":               {reason: "The index lies.", image: liar, verify: v1alpha1.VerifyConfig, fails: true},
		"Schema1":           {reason: "Schema 1.", image: registrytest.Schema1("amd64"), fails: true},
		"Schema1NoHeader":   {reason: "Schema 1 without a header.", image: registrytest.Schema1("amd64").Served(""), fails: true},
		"Chart":             {reason: "A Helm chart.", image: registrytest.HelmChart(), fails: true},
		"Artifact":          {reason: "An artifact.", image: registrytest.OCIArtifact("application/vnd.example+json"), fails: true},
		"WithdrawnArtifact": {reason: "One of the withdrawn type.", image: registrytest.ArtifactManifest(), fails: true},
		"ChartWithin": {
			reason: "A chart beside an image.",
			image: registrytest.IndexOf(registrytest.Entry{Artifact: registrytest.HelmChart()},
				registrytest.Entry{Artifact: registrytest.Image("linux/amd64"), Platform: "linux/amd64"}),
		},
		"ChartFirst": {
			reason: "A chart before an image, both without a platform: CDI takes the chart.",
			image:  registrytest.IndexOf(registrytest.Entry{Artifact: registrytest.HelmChart()}, registrytest.Entry{Artifact: registrytest.Image("linux/amd64")}),
			fails:  true,
		},
		"Windows":        {reason: "Nothing for Linux.", image: registrytest.Index("windows/amd64"), fails: true},
		"Mute":           {reason: "A configuration that says nothing.", image: registrytest.ImageWithConfig([]byte("{}")), fails: true},
		"ConfigNoObject": {reason: "A configuration that is none.", image: registrytest.ImageWithConfig([]byte(`["linux"]`)), fails: true},
		"Empty":          {reason: "An index of nothing.", image: registrytest.IndexOf(), fails: true},
		"BadDigest": {
			reason: "A digest that is none.",
			image:  registrytest.Raw(ociIndex, []byte(`{"manifests":[{"digest":"../../etc","size":1}]}`)),
			fails:  true,
		},

		"Sparse": {reason: "A child that is needed is missing.", image: registrytest.BareIndex("linux/amd64").Sparse(), fails: true, missing: true},
		"SparseVerif": {
			reason:  "A child that is looked at is missing.",
			image:   registrytest.Index("linux/amd64").Sparse(),
			verify:  v1alpha1.VerifyChildren,
			fails:   true,
			missing: true,
		},
		"NoConfig": {reason: "The configuration is missing.", image: registrytest.Image("linux/amd64").Sparse(), fails: true, missing: true},
		"Corrupt":  {reason: "A configuration is not what its digest says.", image: registrytest.Image("linux/amd64").Corrupt(), fails: true, missing: true},
		"TooBig":   {reason: "5 MiB are not read.", image: registrytest.BigIndex(5 << 20), fails: true, missing: true},
		"NoManifest": {
			reason:  "What is no manifest is not kept.",
			image:   registrytest.Raw("application/json", []byte(`{"hello":"world"}`)),
			fails:   true,
			missing: true,
		},
		"BadJSON": {reason: "Nor is what is no JSON.", image: registrytest.Raw(ociIndex, []byte(`{"manifests":[`)), fails: true, missing: true},
		"Page":    {reason: "Nor is a web page.", image: registrytest.Index("linux/amd64"), wrapper: registrytest.HTMLPage(), fails: true, missing: true},
		"Denied": {
			reason:  "Access is denied.",
			image:   registrytest.Index("linux/amd64"),
			wrapper: registrytest.Basic(registrytest.Users{"a": "b"}),
			fails:   true,
			missing: true,
		},
		"Gone": {reason: "There is no such image.", image: registrytest.Index("linux/amd64"), ask: "org/app:2", fails: true, missing: true},
		"Cut":  {reason: "The answer breaks off.", image: registrytest.Index("linux/amd64"), wrapper: registrytest.Truncate(), fails: true, missing: true},
		"Other": {
			reason:  "Another manifest has come.",
			image:   registrytest.Index("linux/amd64"),
			ask:     "org/app@" + registrytest.Index("linux/arm64").Digest(),
			fails:   true,
			missing: true,
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
			s.Push("org/app:1", tc.image)
			s.Push("org/app@"+sha512Of(long), long)
			if strings.Contains(tc.ask, "@") {
				s.Push(tc.ask, tc.image)
			}
			if tc.ask == "" {
				tc.ask = "org/app:1"
			}
			ref, dir := reference(t, s, tc.ask), filepath.Join(t.TempDir(), "bug report", "run")
			if _, err := resolve(t, client(t, trusting(t)).Verified(tc.verify), ref); (err != nil) != tc.fails {
				t.Fatalf("%s\nwant failure: %v, got %v", tc.reason, tc.fails, err)
			}
			once := s.Counts()
			live := recorded(t, dir, client(t, trusting(t)).Verified(tc.verify), ref)[0]
			if twice := s.Counts(); twice.Manifest != 2*once.Manifest || twice.Blob != 2*once.Blob {
				t.Errorf("%s\nto record must fetch nothing more: %+v, then in all %+v", tc.reason, once, twice)
			}
			isLayout(t, dir)
			s.Close()
			again := resolveAll(t, replay(t, dir, tc.verify), []imageref.Reference{ref})[0]
			compare(t, tc.reason, dir, live, again, tc.missing)
		})
	}
}

// TestRecordingIsAddedTo: a second run adds to the layout, and takes the place of
// what has the same name.
func TestRecordingIsAddedTo(t *testing.T) {
	t.Parallel()
	s, dir := with(t), t.TempDir()
	refs := fill(t, s, 20, 10)
	c := client(t, trusting(t))
	recorded(t, dir, c, refs[:10]...)
	s.Push("org/r0:1", registrytest.Index("linux/s390x"))
	second := recorded(t, dir, c, append(refs[10:], refs[0])...)
	isLayout(t, dir)
	s.Push("org/r1:1", registrytest.HelmChart())
	recorded(t, dir, client(t, registry.Options{RootCAs: trusting(t).RootCAs, Retries: -1, Env: trusting(t).Env}), reference(t, s, "org/none:1"))
	isLayout(t, dir)
	s.Close()
	for _, result := range resolveAll(t, replay(t, dir, ""), refs) {
		if result.Err != nil {
			t.Errorf("%s: %v", result.Reference, result.Err)
		}
	}
	again := resolveAll(t, replay(t, dir, ""), refs[:1])[0]
	compare(t, "the later answer counts", dir, second[len(second)-1], again, false)
}
