package registry_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/opencontainers/go-digest"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

const (
	ociIndex    = "application/vnd.oci.image.index.v1+json"
	ociManifest = "application/vnd.oci.image.manifest.v1+json"
	ociConfig   = "application/vnd.oci.image.config.v1+json"
	dockerList  = "application/vnd.docker.distribution.manifest.list.v2+json"
	dockerImage = "application/vnd.docker.distribution.manifest.v2+json"
)

// TestContent are manifests and configurations of any shape. What CDI makes of more of them is in
// TestBehavioursOfRegistries.
func TestContent(t *testing.T) {
	runSituations(t, slices.Concat(indexRows(), imageRows(), wrongRows(), digestRows(), orderRows())...)
}

// is is the media type of the answer.
func (s *situation) is(mediaType string) *situation {
	return s.also(func(w *world, results []registry.Result) {
		if got := results[0].Image.MediaType; got != mediaType {
			w.Errorf("%s\nwant the media type %q, got %q", s.reason, mediaType, got)
		}
	})
}

// image is a row for a manifest that is all there is to ask for.
func image(name, reason string, a registrytest.Artifact) *situation {
	return when(name, reason).serves(a).asked(1)
}

func indexRows() []*situation {
	raw := func(contentType, body string, of ...row) registrytest.Artifact {
		for i, r := range of {
			body = strings.Replace(body, fmt.Sprint("ROW", i), r.text(), 1)
		}
		return registrytest.Raw(contentType, []byte(body))
	}
	entries := func(rows ...row) registrytest.Artifact { return listing(ociIndex, rows...).Sparse() }
	of := func(name, reason, platforms string, rows ...row) *situation {
		return image(name, reason, entries(rows...)).finds(platforms)
	}
	attested := func(r row) row {
		r.more = `,"annotations":{"vnd.docker.reference.type":"attestation-manifest"}`
		return r
	}
	typed := func(r row, kind string) row { r.kind = kind; return r }
	bare := func(a registrytest.Artifact) row { return row{of: a} }
	s390x, unknown := plain("linux/s390x"), row{of: amd.of, platform: on("unknown/unknown")}
	within := registrytest.Index("linux/arm64")
	within.Children = nil
	var named []row
	for i := range 150 {
		named = append(named, bare(registrytest.ImageWithConfig([]byte(fmt.Sprintf(`{"os":"linux","architecture":"amd64","n":%d}`, i)))))
	}
	var variants []row
	for i := range 2000 {
		of := registrytest.Raw(ociManifest, []byte(fmt.Sprint(i)))
		variants = append(variants, row{of: of, platform: on(fmt.Sprint("linux/arm64/v", 6+i%4))})
	}
	return []*situation{
		of("index", "an index says it all", "linux/amd64 linux/arm/v7 linux/arm64/v8", plain("linux/arm64/v8"), amd, plain("linux/arm/v7")).is(ociIndex),
		image("Docker's list", "it is judged by its body", changed(registrytest.DockerList("linux/amd64"), `"mediaType":"`+dockerList+`",`, "").Sparse().
			Served("text/plain")).
			finds("linux/amd64").is(dockerList),
		image("header of an image", "the header is wrong, the body is an index", app().Sparse().Served(ociManifest)).is(ociIndex),
		image("no header", "without a header the body tells", app().Sparse().Served("")).is(ociIndex),
		image("neither header nor type", "the fields tell", raw("", `{"manifests":[ROW0]}`, amd)).finds("linux/amd64").is(ociIndex),
		image("header with a parameter", "a parameter is no part of the type", raw(ociIndex+"; charset=utf-8", `{"manifests":[ROW0]}`, amd)).
			finds("linux/amd64").is(ociIndex),
		image("header JSON", "application/json", app().Served("application/json")),
		image("header bytes", "application/octet-stream", app().Served("application/octet-stream")),
		image("sparse", "an index whose children are not there, which nobody need ask for", app().Sparse()),
		of("attestations", "attestations are no images", "linux/amd64", amd, unknown, attested(bare(arm.of)), attested(s390x)),
		image("attested index", "an attestation beside each image", registrytest.AttestedIndex("linux/amd64", "linux/arm64")),
		image("attestations alone", "attestations and nothing else", registrytest.IndexOf(registrytest.Attestation(amd.of))).
			fails(registry.ErrNoPlatform, 0, "without any image"),
		of("only unknown", "nothing can run", "", unknown).fails(registry.ErrNoPlatform, 0),
		of("other systems", "what no Linux node runs is left out", "linux/arm64", plain("windows/amd64"), plain("freebsd/arm64"), arm,
			plain("linux/unknown"), plain("wasip1/wasm")),
		of("other systems alone", "windows and freebsd", "", plain("windows/amd64"), plain("freebsd/arm64")).
			fails(registry.ErrNoPlatform, 0, "freebsd/arm64, windows/amd64"),
		of("variants", "arm/v5, arm/v7, arm64/v8 and amd64/v2", "linux/amd64/v2 linux/arm/v5 linux/arm/v7 linux/arm64/v8",
			plain("linux/arm/v5"), plain("linux/arm/v7"), plain("linux/arm64/v8"), plain("linux/amd64/v2")),
		of("duplicates", "the first of two manifests for one platform counts, as for runtimes", "linux/amd64",
			amd, row{of: registrytest.DockerImage("linux/amd64"), platform: amd.platform}, amd, row{of: arm.of, platform: on("linux/x86_64")}).
			also(func(w *world, results []registry.Result) {
				if p := results[0].Image.Platforms; len(p) != 1 || p[0].Digest != amd.of.Digest() {
					w.Errorf("want the first one's digest, got %v", p)
				}
			}),
		image("2000 entries of two platforms", "they are not asked for", registrytest.LongIndex(2000)),
		of("2000 entries", "of four variants", "linux/arm64/v6 linux/arm64/v7 linux/arm64/v8 linux/arm64/v9", variants...),
		image("empty", "an index of nothing", registrytest.IndexOf()).fails(registry.ErrNoPlatform, 0, "without any image"),
		image("null", "null is nothing", raw(ociIndex, `{"mediaType":"`+ociIndex+`","manifests":null}`)).fails(registry.ErrNoPlatform, 0),
		when("without platform", "of the entries without a platform CDI takes the first: its configuration is read").
			serves(listing(ociIndex, bare(arm.of), bare(s390x.of), bare(arm.of), amd, row{of: s390x.of, platform: on("linux/")})).asked(3),
		when("without any platform", "the same of all entries").serves(registrytest.BareIndex("linux/amd64", "linux/arm64/v8")).finds("linux/amd64").
			asked(3),
		when("without platform, missing", "a child that is needed and missing is an error, never a default").
			serves(registrytest.BareIndex("linux/amd64").Sparse()).asked(3). // who has a login asks /v2/ too
			fails(registry.ErrNotFound, 404, "MANIFEST_UNKNOWN", amd.of.Digest(), "mirror it again"),
		when("without platform, half missing", "no half result").serves(listing(ociIndex, amd, bare(arm.of)).Sparse()).anonymous().
			fails(registry.ErrNotFound, 404).asked(2),
		when("without platform, artifact", "a child that is no image is left out").serves(listing(ociIndex,
			bare(registrytest.OCIArtifact("application/vnd.dev.cosign")), amd, typed(bare(arm.of), "application/vnd.example.sbom"))).finds("linux/amd64").
			asked(2),
		when("150 without platform", "an index cannot make us fetch for ever").serves(listing(ociIndex, named...)).finds("linux/amd64").asked(3),
		of("artifacts with a platform", "an entry that says it is no image is none, whatever platform it says", "linux/amd64", amd,
			row{of: s390x.of, platform: s390x.platform, kind: "-", more: `,"artifactType":"application/vnd.x"`}, typed(arm, "application/vnd.foo+json")),
		of("artifacts alone", "the error says what was found instead", "", typed(arm, "application/vnd.foo+json")).
			fails(registry.ErrNoPlatform, 0, "found: no image"),
		of("images of all types", "a manifest of either kind, no media type, and an image that is listed as an artifact are images",
			"linux/amd64 linux/arm64 linux/ppc64le linux/s390x", amd, typed(arm, dockerImage), typed(s390x, "-"),
			row{of: amd.of, platform: on("linux/ppc64le"), more: `,"artifactType":"` + ociConfig + `"`}),
		when("nested", "an index within an index is walked").serves(listing(ociIndex, bare(within), amd)).asked(2),
		when("nested whole", "the same and nothing beside it").serves(registrytest.NestedIndex(1, "linux/amd64", "linux/arm64")).asked(2),
		when("nested too deep", "the walk ends").serves(registrytest.NestedIndex(60, "linux/amd64")).
			fails(registry.ErrContent, 0, "more than 4 levels").asked(5),
		when("loop", "an index that names itself, by a false digest").nowhere().
			client(func(w *world) { registrytest.PushLoop(w.registry.Store, "org/app", "1") }).fails(registry.ErrContent, 0, "digest").asked(2),
	}
}

// imageRows are images that are in no index, and what is no image.
func imageRows() []*situation {
	config := func(name, reason, text string) *situation {
		return when(name, reason).serves(registrytest.ImageWithConfig([]byte(text))).asked(2)
	}
	// described has a descriptor of a configuration that cannot be right.
	described := func(name, reason, digest string, size int, more string, says ...string) *situation {
		return image(name, reason, registrytest.Raw(ociManifest, []byte(fmt.Sprintf(
			`{"schemaVersion":2,"mediaType":%q,"config":{"mediaType":%q,"digest":%q,"size":%d%s},"layers":[]}`, ociManifest, ociConfig, digest, size,
			more)))).
			fails(registry.ErrContent, 0, says...)
	}
	text := `{"os":"linux","architecture":"arm64"}`
	zeros := "sha256:" + strings.Repeat("0", 64)
	size := registrytest.ImageWithConfig([]byte(text))
	size.Body = []byte(strings.Replace(string(size.Body), fmt.Sprintf(`"size":%d`, len(text)), fmt.Sprintf(`"size":%d`, len(text)+1), 1))
	notImage := func(name, reason string, a registrytest.Artifact, says string) *situation {
		return image(name, reason, a).fails(registry.ErrNotImage, 0, says)
	}
	return []*situation{
		when("image", "its configuration is read").serves(registrytest.Image("linux/arm64")).finds("linux/arm64").is(ociManifest).asked(2),
		image("inline configuration", "one request less", registrytest.ImageWithInlineConfig("linux/arm64")).finds("linux/arm64"),
		described("inline configuration of another digest", "it is verified too", zeros, len(text),
			`,"data":"`+base64.StdEncoding.EncodeToString([]byte(text))+`"`, "digest"),
		config("x86_64", "CDI compares the architecture exactly", `{"os":"linux","architecture":"x86_64"}`).
			fails(registry.ErrNoPlatform, 0, "linux/x86_64", `CDI accepts only "amd64"`),
		config("X86_64 and Linux", "whatever its case", `{"os":"Linux","architecture":"X86_64"}`).
			fails(registry.ErrNoPlatform, 0, `"X86_64"`, `CDI accepts only "amd64"`),
		config("aarch64", "nor is that arm64", `{"os":"linux","architecture":"aarch64"}`).
			fails(registry.ErrNoPlatform, 0, `"aarch64"`, `CDI accepts only "arm64"`),
		config("Linux", "CDI does not compare the system of an image that no index describes", `{"os":"Linux","architecture":"amd64"}`).
			finds("linux/amd64"),
		config("no system", "none is made up", `{"os":"","architecture":"amd64"}`).fails(registry.ErrNoPlatform, 0, "unknown/amd64"),
		config("no architecture", "none is made up", `{"os":"linux"}`).fails(registry.ErrNoPlatform, 0, "linux/unknown"),
		config("windows", "no Linux node runs it", `{"os":"windows","architecture":"amd64"}`).fails(registry.ErrNoPlatform, 0, "windows/amd64"),
		config("configuration that is a list", "it must be an object", `["linux"]`).
			fails(registry.ErrContent, 0, "configuration that is not the JSON expected"),
		when("configuration of another size", "size and digest must both be right").serves(size).fails(registry.ErrContent, 0, "bytes").asked(2),
		when("configuration of another digest", "of the same size").serves(registrytest.Image("linux/amd64").Corrupt()).
			fails(registry.ErrContent, 0, "digest").asked(2),
		when("configuration missing", "404 for it").serves(registrytest.Image("linux/amd64").Sparse()).
			fails(registry.ErrNotFound, 404, "BLOB_UNKNOWN", "is incomplete").asked(3),
		described("configuration too large", "it is refused before it is fetched", zeros, 5<<20, "", "more than the limit of 4194304"),
		described("configuration of negative size", "nothing has fewer than no bytes", zeros, -1, "", "refers to -1 bytes; try"),
		described("configuration without digest", "what is not a digest is not asked for", ":", 10, "", `":"`),
		notImage("schema 1", "a manifest of schema 1", registrytest.Schema1("amd64"), "schema 1"),
		notImage("chart", "a Helm chart", registrytest.HelmChart(), "helm"),
		notImage("artifact", "with the empty configuration", registrytest.OCIArtifact("application/vnd.example+json"), "vnd.oci.empty"),
		notImage("artifact manifest", "the withdrawn one", registrytest.ArtifactManifest(), "vnd.example"),
	}
}

// wrongRows are no manifests at all.
func wrongRows() []*situation {
	raw := func(name, contentType, body string, says ...string) *situation {
		return image(name, "the body "+body, registrytest.Raw(contentType, []byte(body))).fails(registry.ErrContent, 0, append(says, contentType)...)
	}
	return []*situation{
		raw("bad JSON", ociIndex, `{"manifests":[`, "not the JSON"),
		raw("empty body", ociIndex, "", "empty manifest"),
		raw("text for a list", ociIndex, `{"manifests":"x"}`, "not the JSON"),
		raw("object for a list", ociIndex, `{"manifests":{"a":1}}`, `"manifests" is a JSON object`),
		raw("list for an object", ociIndex, `[]`, "JSON array"),
		raw("neither", "application/json", `{}`, "neither"),
		image("both", "an index and an image at once", registrytest.Raw(ociIndex,
			[]byte(`{"manifests":[],"config":{"mediaType":"`+ociManifest+`","digest":"x","size":1}}`))).
			fails(registry.ErrContent, 0, "both an index and an image"),
		image("entry without digest", "it points nowhere", registrytest.Raw(ociIndex, []byte(strings.ReplaceAll(string(listing(ociIndex, amd).Body),
			amd.of.Digest(), "")))).fails(registry.ErrContent, 0, "digest"),
		raw("XML", "application/xml", "<?xml version=\"1.0\"?>\n<Error><Code>AccessDenied</Code></Error>", "XML"),
		raw("page", "text/html", "\n<!DOCTYPE html><html>Log in</html>", "web page", "captive portal"),
		when("page with 403", "a captive portal that says so", registrytest.ReplyBody(403, "text/html", []byte("<html>Log in</html>"), nil)).
			fails(registry.ErrDenied, 403, "web page").asked(2),
	}
}

func digestRows() []*situation {
	other := "org/app@sha256:" + strings.Repeat("a", 64)
	single := registrytest.Image("linux/arm64").Claiming("sha256:" + strings.Repeat("0", 64))
	long := digest.SHA512.FromBytes(single.Body).String()
	another := digest.SHA512.FromString("another manifest").String()
	digestIs := func(w *world, got, want string) {
		if got != want {
			w.Errorf("the digest must be our own, got %s", got)
		}
	}
	return []*situation{
		when("digest", "another index than the digest says").serve(other, app()).fails(registry.ErrDiffers, 0, "digest", app().Digest()).asked(1),
		image("header with another digest", "it counts for nothing", app().Claiming("sha256:"+strings.Repeat("0", 64))).
			also(func(w *world, results []registry.Result) { digestIs(w, results[0].Image.Digest, app().Digest()) }),
		when("whole answer", "all that an image says, by tag and digest").serves(single).finds("linux/arm64").
			asks("HOST/"+appImage, "HOST/org/app@"+single.Digest(), "HOST/org/app:gone@"+single.Digest()).asked(6).
			also(func(w *world, results []registry.Result) {
				for _, r := range results {
					want := registry.Image{
						Reference: r.Reference.String(), Digest: single.Digest(), MediaType: ociManifest, Size: len(single.Body),
						Platforms: arch.Platforms{{OS: "linux", Architecture: "arm64", Digest: single.Digest()}}, Others: map[string]arch.Set{},
					}
					if diff := cmp.Diff(want, r.Image); diff != "" {
						w.Errorf("-want, +got:\n%s", diff)
					}
				}
			}),
		when("long digest", "a reference and an entry of an index may have a sha512 digest").has("HOST org/app@"+long, single).
			has("HOST "+appImage, listing(ociIndex, row{of: single, digest: long}).Sparse()).
			asks("HOST/"+appImage, "HOST/org/app@"+long).finds("linux/arm64").asked(5).also(func(w *world, results []registry.Result) {
			for _, r := range results {
				for _, p := range r.Image.Platforms {
					digestIs(w, p.Digest, long)
				}
			}
		}),
		when("long digest of another", "content with another digest").serve("org/app@"+another, single).fails(registry.ErrDiffers, 0, another).asked(1),
	}
}

// orderRows have several entries that fail: the first one in the index is the error, whichever
// fails first in time.
func orderRows() []*situation {
	of := []registrytest.Artifact{registrytest.Index("linux/amd64"), registrytest.Index("linux/arm64"), registrytest.Index("linux/s390x")}
	index := listing(ociIndex, row{of: of[0], platform: on("linux/amd64")}, row{of: of[1], platform: on("linux/arm64")},
		row{of: of[2], platform: on("linux/s390x")})
	broken, half := changed(index, of[1].Digest(), "sha256:none").Sparse(), index
	half.Children = half.Children[:1]
	order := func(name string, index registrytest.Artifact, slow, says int, kind error, status int) *situation {
		late := answer(func(rw http.ResponseWriter, r *http.Request, next http.Handler) {
			if strings.HasSuffix(r.URL.Path, of[slow].Digest()) {
				time.Sleep(100 * time.Millisecond)
			}
			next.ServeHTTP(rw, r)
		})
		return when("order: "+name, name, late).timed().serves(index).anonymous().fails(kind, status, of[says].Digest()).times(3).atMost(15)
	}
	return []*situation{
		order("all are missing, and the first one is found out last", index.Sparse(), 0, 0, registry.ErrNotFound, 404),
		order("a digest that is none is found out at once, and comes second", broken, 0, 0, registry.ErrNotFound, 404),
		order("the first is there", half, 1, 1, registry.ErrNotFound, 404),
		order("the first fails first", index.Sparse(), 2, 0, registry.ErrNotFound, 404),
	}
}

// TestVerified asks whether what an index lists is there.
func TestVerified(t *testing.T) {
	entry := func(a registrytest.Artifact, platform string) row { return row{of: a, platform: on(platform)} }
	lie := registrytest.ImageWithConfig([]byte(`{"os":"linux","architecture":"amd64","config":{}}`))
	all := listing(ociIndex, amd, arm, plain("linux/s390x"))
	half := missing(missing(all, 2), 1)
	liar := listing(ociIndex, amd, entry(lie, "linux/arm64"))
	// A wrong media type in the descriptor hides that the entry is an index.
	within := listing(ociIndex, row{of: registrytest.Index("linux/amd64"), platform: on("linux/amd64"), kind: ociManifest})
	const children, config = v1alpha1.VerifyChildren, v1alpha1.VerifyConfig
	verified := func(name, reason string, level v1alpha1.Verify, a registrytest.Artifact, manifests, blobs int) *situation {
		return when(name, reason).serves(a).anonymous().client(func(w *world) {
			w.resolver = func(c *registry.Client) registry.Resolver { return c.Verified(level) }
		}).byKind(registrytest.Counts{Manifest: manifests, Blob: blobs}).also(func(w *world, results []registry.Result) {
			got, isVerified := results[0].Image, level == children || level == config
			if results[0].Err == nil && (got.Size != len(a.Body) || got.Digest != a.Digest() || got.Verified != isVerified) {
				w.Errorf("%s\nthe index keeps its size and digest, got %+v", reason, got)
			}
		})
	}
	const gone = "its import would fail: Error retrieving image: fetching target platform image selected from image index: reading manifest sha256:"
	const other = `manifest image architecture: "amd64" doesn't match requested architecture: "arm64"`
	absent := func(s *situation) *situation {
		return s.finds("linux/amd64").also(func(w *world, results []registry.Result) {
			got := results[0].Image
			if got.Absent.Linux().String() != "arm64,s390x" {
				w.Fatalf("want arm64 and s390x absent, got %v", got.Absent)
			}
			for _, says := range []string{
				"linux/arm64: answered 404", "linux/s390x: answered 404", "its import would fail",
				"the image in this registry is incomplete",
			} {
				if !strings.Contains(got.AbsentError.Error(), says) {
					w.Errorf("want %q in %v", says, got.AbsentError)
				}
			}
		})
	}
	attested := registrytest.AttestedIndex("linux/amd64", "linux/arm64/v8")
	found := "linux/amd64 linux/arm64/v8"
	runSituations(t,
		verified("index", "the index alone is one request", v1alpha1.VerifyIndex, half, 1, 0).finds("linux/amd64 linux/arm64 linux/s390x"),
		verified("unknown level", "it is the default", "", half, 1, 0).finds("linux/amd64 linux/arm64 linux/s390x"),
		verified("whole", "each child is fetched once, no configuration", children, attested, 3, 0).finds(found),
		verified("whole with configurations", "each child and its configuration", config, attested, 3, 2).finds(found),
		verified("single", "of a single image the configuration has spoken already", config, registrytest.Image("linux/arm64"), 1, 1).finds("linux/arm64"),
		verified("nested", "an index within the index is gone into, as when resolving", config,
			listing(ociIndex, row{of: registrytest.Index("linux/amd64")}), 3, 1).
			finds("linux/amd64"),
		absent(verified("sparse", "a platform whose manifest is not there is absent: oc-mirror makes such mirrors", children, half, 4, 0)),
		absent(verified("sparse with configurations", "the same", config, half, 4, 1)),
		verified("sparse of all", "an index without any of its images is no image: all that is missing is told at once", children, all.Sparse(), 4, 0).
			fails(registry.ErrNotFound, 404, "linux/amd64: answered 404", "linux/arm64: answered 404", "linux/s390x: answered 404", gone,
				"/org/app: manifest unknown", "the image in this registry is incomplete", "mirror it again"),
		verified("sparse and a lie", "a sparse mirror may lie as well", config,
			missing(listing(ociIndex, amd, plain("linux/s390x"), entry(lie, "linux/arm64")), 1), 4, 2).
			fails(registry.ErrNotFound, 404, "linux/s390x: answered 404", `doesn't match requested architecture: "arm64"`),
		verified("lie not asked for", "children exist, and that was the question", children, liar, 3, 0),
		verified("lie", "the words are those that CDI would say", config, liar, 3, 2).
			fails(registry.ErrNotTrue, 0, `linux/arm64: sent an image whose configuration says linux/amd64`, other, "build or mirror the image again"),
		verified("alias", "CDI takes x86_64 in a configuration for x86_64", config,
			listing(ociIndex, entry(registrytest.Image("linux/x86_64"), "linux/amd64")), 2, 1).
			fails(registry.ErrNotTrue, 0, `manifest image architecture: "x86_64" doesn't match requested architecture: "amd64"`),
		verified("mute", "a configuration that says nothing confirms nothing", config,
			listing(ociIndex, entry(registrytest.ImageWithConfig([]byte(`{}`)), "linux/s390x")), 2, 1).
			fails(registry.ErrNotTrue, 0, `manifest image architecture: "" doesn't match requested architecture: "s390x"`),
		verified("chart within", "a child that is no image is no platform", children, listing(ociIndex, entry(registrytest.HelmChart(), "linux/amd64")),
			2, 0).
			fails(registry.ErrNotImage, 0, "linux/amd64: sent an object whose configuration is"),
		verified("index within", "a child that is an index again is no platform", children, within, 2, 0).
			fails(registry.ErrNotTrue, 0, "linux/amd64: sent something that is not an image for an entry of its index"),
		verified("chart", "what is no image has no children", children, registrytest.HelmChart(), 1, 0).fails(registry.ErrNotImage, 0),
		verified("configuration of another digest", "it proves nothing", config,
			listing(ociIndex, entry(registrytest.Image("linux/amd64").Corrupt(), "linux/amd64")), 2, 1).
			fails(registry.ErrDiffers, 0, "linux/amd64: sent content with the digest"),
		verified("death", "a registry that dies between the index and its children is told once", children, all, 0, 0).
			broke(registrytest.On(registrytest.Manifest, registrytest.After(1, registrytest.Reset()))).fails(registry.ErrUnreachable, 0).not("linux/").
			atMost(8),
	)
}

// TestBundle: the labels in the configuration say what is an operator bundle image. An index costs
// further requests only if it may be one.
func TestBundle(t *testing.T) {
	labelled := func(labels string) registrytest.Artifact {
		return registrytest.ImageWithConfig([]byte(`{"os":"linux","architecture":"amd64","config":{"Labels":` + labels + `}}`))
	}
	const prefix = `{"operators.operatorframework.io.`
	isBundle := labelled(prefix + `bundle.manifests.v1":"manifests/"}`)
	other := labelled(`{"io.k8s.display-name":"acme"}`)
	all := func(a, b registrytest.Artifact) registrytest.Artifact {
		return listing(ociIndex, row{of: a, platform: on("linux/amd64")}, row{of: b, platform: on("linux/arm64")})
	}
	image := func(name, reason, repository string, a registrytest.Artifact, bundle bool, manifests, blobs int) *situation {
		return when(name, reason).serve(repository+":1", a).anonymous().byKind(registrytest.Counts{Manifest: manifests, Blob: blobs}).
			also(func(w *world, results []registry.Result) {
				if got := results[0].Image.Bundle; got != bundle {
					w.Errorf("%s\nwant a bundle %v, got %v", reason, bundle, got)
				}
			})
	}
	single := func(name, reason string, a registrytest.Artifact, bundle bool) *situation {
		return image(name, reason, "x/acme", a, bundle, 1, 1).finds("linux/amd64")
	}
	index := all(labelled(prefix+`bundle.package.v1":"acme"}`), arm.of)
	runSituations(t,
		single("single", "the configuration is read anyway", isBundle, true),
		single("builder", "any of the labels is enough upstream", labelled(prefix+`metrics.builder":"operator-sdk-v1.40"}`), true),
		single("among others", "labels before it are skipped", labelled(`{"a":"b","operators.operatorframework.io.bundle.mediatype.v1":"registry+v1"}`),
			true),
		image("other labels", "they are no bundle", "x/acme-bundle", other, false, 1, 1).finds("linux/amd64"),
		single("catalog", "it runs in a pod", labelled(prefix+`index.configs.v1":"/configs"}`), false),
		single("labels of any form", "a list in their place changes nothing else", labelled(`["a"]`), false),
		single("no configuration", "an image without that of a container",
			registrytest.ImageWithConfig([]byte(`{"os":"linux","architecture":"amd64","config":"none"}`)), false),
		image("index", "an ordinary index is one request", "x/acme", app(), false, 1, 0),
		image("index of one", "as is one of a single image with its attestation", "x/acme", registrytest.AttestedIndex("linux/amd64"), false, 1, 0).
			finds("linux/amd64"),
		image("named", "the name says bundle, and so does the first image", "x/acme-bundle", all(isBundle, arm.of), true, 2, 1),
		image("named otherwise", "the name alone is no proof", "x/bundle-server", app(), false, 2, 1),
		image("one for all", "one manifest for all platforms is no program", "x/acme", all(isBundle, isBundle), true, 2, 1),
		image("other for all", "it is no bundle without the labels", "x/acme", all(other, other), false, 2, 1),
		image("sparse", "without the manifest the index still answers", "x/acme-bundle", app().Sparse(), false, 2, 0),
		image("chart", "so it does with something that is not an image", "x/acme-bundle",
			listing(ociIndex, row{of: registrytest.HelmChart(), platform: on("linux/amd64")}), false, 2, 0).finds("linux/amd64"),
		image("damaged", "a wrong answer is an error, not a guess", "x/acme-bundle",
			listing(ociIndex, row{of: isBundle.Corrupt(), platform: on("linux/amd64")}), false, 2, 1).fails(registry.ErrDiffers, 0),
		image("mirrored", "the name that the user wrote decides, wherever the image is", "x/acme-bundle", index, true, 0, 0).others(3).
			has("OTHER flat/images:1", index).mirrors(conf("[[registry]]\nlocation='HOST/x/acme-bundle'\n[[registry.mirror]]\nlocation='OTHER/flat/images'\n")).
			from("OTHER/flat/images:1"),
	)
}

// TestReferences are the ways in which people write what they want.
func TestReferences(t *testing.T) {
	refuse := func(name, says string, ask ...string) *situation {
		return when(name, "it is not asked for").asks(ask...).fails(registry.ErrReference, 0, says)
	}
	v6 := registrytest.Options{IPv6: true}
	pinned := registrytest.Index("linux/s390x")
	runSituations(t,
		when("docker://", "two ways to write one reference are one question").asks("docker://HOST/"+appImage, "DOCKER://HOST/"+appImage).asked(1),
		refuse("files", "not an image in a registry", "oci-archive:/images/a.tar", "docker-daemon:fedora:40", "https://HOST/disk.img"),
		refuse("what else there is", "docker://", "oci-archive:/images/a.tar", "docker-daemon:fedora:40", "https://HOST/disk.img"),
		when("tag and digest", "the tag need not exist").serves(pinned).asks("HOST/org/app:gone@"+pinned.Digest()).finds("linux/s390x").asked(1),
		refuse("capitals in the host", `"quay.io"`, "Quay.IO/a/b:1"),
		refuse("capitals in the path", `"Org"`, "HOST/Org/app:1"),
		refuse("blanks", "blanks", "HOST/org/app:1 ", "HOST/org/app: 1"),
		refuse("two slashes", "empty part", "HOST//app", "HOST/org/"),
		refuse("empty tag", "tag", "HOST/org/app:"),
		refuse("bare IPv6", "", "::1/a", "HOST0000/a", "[::1/a"),
		when("IPv6", "an image at [::1]:port").listens(v6).asked(1),
		when("IPv6 without TLS", "which is allowed").listens(registrytest.Options{IPv6: true, PlainHTTP: true}).insecure("HOST").asked(1),
		when("IPv6 without TLS, not allowed", "but only there").listens(registrytest.Options{IPv6: true, PlainHTTP: true}).
			fails(registry.ErrUnreachable, 0, "does not use TLS", "insecure"),
	)
	if _, err := registry.New(unhurried(t)).Resolve(t.Context(), imageref.Reference{}); !errors.Is(err, registry.ErrReference) {
		t.Errorf("no reference is none, got %v", err)
	}
}
