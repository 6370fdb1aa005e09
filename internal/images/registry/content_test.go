package registry

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/opencontainers/go-digest"

	"github.com/goldenarch/goldenarch/internal/arch"
)

// manifest returns a manifest whose configuration is the blob.
func manifest(mediaType, configType, digest string, size int, more string) string {
	return fmt.Sprintf(`{"schemaVersion":2,"mediaType":%q,"config":{"mediaType":%q,"digest":%q,"size":%d%s},"layers":[]}`,
		mediaType, configType, digest, size, more)
}

func TestContent(t *testing.T) {
	t.Parallel()
	arm := config("linux", "arm64")
	cases := map[string]struct {
		reason string
		// make stores the image a/b:1; without it body is stored.
		make      func(t *testing.T, f *fakeRegistry)
		mediaType string
		body      string
		platforms []string
		want      string // media type, where it is checked
		kind      error
		says      []string
		requests  int // 0 is not checked
	}{
		"Index": {
			reason: "An index says it all.", mediaType: ociIndex,
			body:      index(entry(some(1), "linux/arm64/v8"), entry(some(2), "linux/amd64"), entry(some(3), "linux/arm/v7")),
			platforms: []string{"linux/amd64", "linux/arm/v7", "linux/arm64/v8"}, want: ociIndex, requests: 1,
		},
		"DockerList": {
			reason: "A docker list is judged by its body.", mediaType: "text/plain",
			body:      strings.ReplaceAll(strings.ReplaceAll(index(entry(some(1), "linux/amd64")), ociIndex, ""), ociManifest, dockerImage),
			platforms: []string{"linux/amd64"}, want: dockerList,
		},
		"HeaderSaysImage": {
			reason: "The header is wrong, the body is an index.", mediaType: ociManifest,
			body: index(entry(some(1), "linux/amd64")), platforms: []string{"linux/amd64"}, want: ociIndex,
		},
		"HeaderMissing": {
			reason: "Without a header the body tells.", mediaType: "",
			body: index(entry(some(1), "linux/amd64")), platforms: []string{"linux/amd64"}, want: ociIndex,
		},
		"NeitherHeaderNorType": {
			reason: "Of a list of manifests without any type the fields tell.", mediaType: "",
			body: `{"manifests":[` + entry(some(1), "linux/amd64") + `]}`, platforms: []string{"linux/amd64"}, want: ociIndex,
		},
		"HeaderWithParameter": {
			reason: "A parameter is no part of the type.", mediaType: ociIndex + "; charset=utf-8",
			body: `{"manifests":[` + entry(some(1), "linux/amd64") + `]}`, platforms: []string{"linux/amd64"}, want: ociIndex,
		},
		"Single": {
			reason:    "A single image's configuration is read.",
			make:      func(t *testing.T, f *fakeRegistry) { f.image(t, "a/b", "1", arm) },
			platforms: []string{"linux/arm64"}, want: ociManifest, requests: 2,
		},
		"SingleAliases": {
			reason: "CDI compares the architecture exactly: x86_64 is not amd64.",
			make:   func(t *testing.T, f *fakeRegistry) { f.image(t, "a/b", "1", config("linux", "x86_64")) },
			kind:   ErrNoPlatform, says: []string{"linux/x86_64", `CDI accepts only "amd64"`},
		},
		"SingleCapitalSystem": {
			reason:    "CDI does not compare the operating system of an image that no index describes.",
			make:      func(t *testing.T, f *fakeRegistry) { f.image(t, "a/b", "1", config("Linux", "amd64")) },
			platforms: []string{"linux/amd64"},
		},
		"SingleWithoutOS": {
			reason: "Nor is an operating system made up.",
			make:   func(t *testing.T, f *fakeRegistry) { f.image(t, "a/b", "1", config("", "amd64")) },
			kind:   ErrNoPlatform, says: []string{"unknown/amd64"},
		},
		"SingleWindows": {
			reason: "No Linux node runs it.",
			make:   func(t *testing.T, f *fakeRegistry) { f.image(t, "a/b", "1", config("windows", "amd64")) },
			kind:   ErrNoPlatform, says: []string{"windows/amd64"},
		},
		"InlineConfigLies": {
			reason: "It is verified too.", mediaType: ociManifest,
			body: manifest(ociManifest, ociConfig, some(1), len(arm),
				`,"data":"`+base64.StdEncoding.EncodeToString([]byte(arm))+`"`),
			kind: ErrContent, says: []string{"digest"},
		},
		"ConfigSizeWrong": {
			reason: "Size and digest must both be right.",
			make: func(t *testing.T, f *fakeRegistry) {
				f.put(t, "a/b", "1", ociManifest, manifest(ociManifest, ociConfig, f.blob(t, "a/b", arm), len(arm)+1, ""))
			},
			kind: ErrContent, says: []string{"bytes"},
		},
		"ConfigTooLarge": {
			reason: "It is refused before it is fetched.", mediaType: ociManifest,
			body: manifest(ociManifest, ociConfig, some(1), 5<<20, ""),
			kind: ErrContent, says: []string{"more than the limit of 4194304"}, requests: 1,
		},
		"ConfigNegative": {
			reason: "Nothing has fewer than no bytes.", mediaType: ociManifest,
			body: manifest(ociManifest, ociConfig, some(1), -1, ""),
			kind: ErrContent, says: []string{"refers to -1 bytes; try"}, requests: 1,
		},
		"ConfigNotJSON": {
			reason: "A configuration must be an object.",
			make:   func(t *testing.T, f *fakeRegistry) { f.image(t, "a/b", "1", `["linux"]`) },
			kind:   ErrContent, says: []string{"configuration that is not the JSON expected"},
		},
		"ConfigDigestBad": {
			reason: "What is not a digest is not asked for.", mediaType: ociManifest,
			body: manifest(ociManifest, ociConfig, ":", 10, ""),
			kind: ErrContent, says: []string{`":"`}, requests: 1,
		},
		"Attestations": {
			reason: "Attestations are no images.", mediaType: ociIndex,
			body: index(entry(some(1), "linux/amd64"), entry(some(2), "unknown/unknown"),
				`{"mediaType":"`+ociManifest+`","digest":"`+some(3)+`","size":5,"annotations":{"vnd.docker.reference.type":"attestation-manifest"}}`,
				`{"mediaType":"`+ociManifest+`","digest":"`+some(4)+
					`","size":5,"platform":{"os":"linux","architecture":"s390x"},"annotations":{"vnd.docker.reference.type":"attestation-manifest"}}`),
			platforms: []string{"linux/amd64"}, requests: 1,
		},
		"OtherSystems": {
			reason: "What no Linux node runs is left out.", mediaType: ociIndex,
			body:      index(entry(some(1), "windows/amd64"), entry(some(2), "linux/arm64"), entry(some(3), "linux/unknown"), entry(some(4), "wasip1/wasm")),
			platforms: []string{"linux/arm64"},
		},
		"Duplicates": {
			reason: "The first of two manifests for one platform counts, as for runtimes.", mediaType: ociIndex,
			body:      index(entry(some(1), "linux/amd64"), entry(some(2), "linux/amd64"), entry(some(1), "linux/amd64"), entry(some(3), "linux/x86_64")),
			platforms: []string{"linux/amd64"},
		},
		"NullIndex": {
			reason: "Null is nothing.", mediaType: ociIndex, body: `{"mediaType":"` + ociIndex + `","manifests":null}`,
			kind: ErrNoPlatform,
		},
		"OnlyAttestations": {
			reason: "Nothing can run.", mediaType: ociIndex, body: index(entry(some(1), "unknown/unknown")),
			kind: ErrNoPlatform,
		},
		"WithoutPlatform": {
			reason: "Of the entries without a platform CDI takes the first: its configuration is read.",
			make: func(t *testing.T, f *fakeRegistry) {
				d1, _ := f.image(t, "a/b", "x", arm)
				d2, _ := f.image(t, "a/b", "y", config("linux", "s390x"))
				f.put(t, "a/b", "1", ociIndex, index(entry(d1, ""), entry(d2, ""), entry(d1, ""), entry(some(9), "linux/amd64"), entry(d2, "linux/")))
			},
			platforms: []string{"linux/amd64", "linux/arm64"}, requests: 3,
		},
		"WithoutPlatformMissing": {
			reason: "A child that is needed and missing is an error: no half result.", mediaType: ociIndex,
			body: index(entry(some(1), "linux/amd64"), entry(some(2), "")),
			kind: ErrNotFound,
		},
		"WithoutPlatformArtifact": {
			reason: "A child that is no image is left out.",
			make: func(t *testing.T, f *fakeRegistry) {
				d := f.put(t, "a/b", "x", ociManifest, manifest(ociManifest, "application/vnd.dev.cosign.simplesigning.v1+json", some(1), 5, ""))
				f.put(t, "a/b", "1", ociIndex, index(entry(d, ""), entry(some(9), "linux/amd64"),
					`{"mediaType":"application/vnd.example.sbom","digest":"`+some(7)+`","size":5}`))
			},
			platforms: []string{"linux/amd64"}, requests: 2,
		},
		"ArtifactWithPlatform": {
			reason: "An entry that says it is no image is none, whatever platform it says.", mediaType: ociIndex,
			body: index(entry(some(1), "linux/amd64"),
				`{"digest":"`+some(2)+`","size":5,"platform":{"os":"linux","architecture":"s390x"},"artifactType":"application/vnd.x"}`,
				strings.Replace(entry(some(3), "linux/arm64"), ociManifest, "application/vnd.foo+json", 1)),
			platforms: []string{"linux/amd64"}, requests: 1,
		},
		"OnlyArtifactsWithPlatform": {
			reason: "The error says what was found instead.", mediaType: ociIndex,
			body: index(strings.Replace(entry(some(3), "linux/arm64"), ociManifest, "application/vnd.foo+json", 1)),
			kind: ErrNoPlatform, says: []string{"found: no image"},
		},
		"ImagesOfAllTypes": {
			reason: "An image manifest of either kind, no media type, and an image that is listed as an artifact are images.", mediaType: ociIndex,
			body: index(entry(some(1), "linux/amd64"),
				strings.Replace(entry(some(2), "linux/arm64"), ociManifest, string(types.DockerManifestSchema2), 1),
				strings.Replace(entry(some(3), "linux/s390x"), `"mediaType":"`+ociManifest+`"`, `"x":""`, 1),
				strings.Replace(entry(some(4), "linux/ppc64le"), `"digest"`, `"artifactType":"`+ociConfig+`","digest"`, 1)),
			platforms: []string{"linux/amd64", "linux/arm64", "linux/ppc64le", "linux/s390x"}, requests: 1,
		},
		"Nested": {
			reason: "An index within an index is walked.",
			make: func(t *testing.T, f *fakeRegistry) {
				inner := f.put(t, "a/b", "x", ociIndex, index(entry(some(1), "linux/arm64")))
				f.put(t, "a/b", "1", ociIndex, index(strings.Replace(entry(inner, ""), ociManifest, ociIndex, 1), entry(some(2), "linux/amd64")))
			},
			platforms: []string{"linux/amd64", "linux/arm64"}, requests: 2,
		},
		"NestedTooDeep": {
			reason: "The walk ends.",
			make: func(t *testing.T, f *fakeRegistry) {
				inner := index(entry(some(1), "linux/arm64"))
				for i := range 5 {
					inner = index(strings.Replace(entry(f.put(t, "a/b", fmt.Sprint("x", i), ociIndex, inner), ""), ociManifest, ociIndex, 1))
				}
				f.put(t, "a/b", "1", ociIndex, inner)
			},
			kind: ErrContent, says: []string{"more than 4 levels"}, requests: 5,
		},
		"TooManyWithoutPlatform": {
			reason: "An index cannot make us fetch for ever.",
			make: func(t *testing.T, f *fakeRegistry) {
				var entries []string
				for i := range 150 {
					c := fmt.Sprintf(`{"os":"linux","architecture":"amd64","n":%d}`, i)
					d := f.put(t, "a/b", fmt.Sprint("x", i), ociManifest, manifest(ociManifest, ociConfig, digestOf([]byte(c)), len(c),
						`,"data":"`+base64.StdEncoding.EncodeToString([]byte(c))+`"`))
					entries = append(entries, entry(d, ""))
				}
				f.put(t, "a/b", "1", ociIndex, index(entries...))
			},
			platforms: []string{"linux/amd64"}, requests: 2,
		},
		"Huge": {
			reason: "2,000 entries are fine.", mediaType: ociIndex,
			body: func() string {
				var entries []string
				for i := range 2000 {
					entries = append(entries, entry(some(i), fmt.Sprintf("linux/arm64/v%d", 6+i%4)))
				}
				return index(entries...)
			}(),
			platforms: []string{"linux/arm64/v6", "linux/arm64/v7", "linux/arm64/v8", "linux/arm64/v9"}, requests: 1,
		},
		"HTML": {
			reason: "A captive portal answers 200.", mediaType: "text/html", body: "\n<!DOCTYPE html><html>Log in</html>",
			kind: ErrContent, says: []string{"captive portal", "text/html"},
		},
		"WrongType": {reason: "With the right types.", mediaType: ociIndex, body: `{"manifests":"x"}`, kind: ErrContent, says: []string{"not the JSON", ociIndex}},
		"Neither":   {reason: "And something in it.", mediaType: "application/json", body: `{}`, kind: ErrContent, says: []string{"neither", "application/json"}},
		"BadDigest": {
			reason:    "A descriptor without digest points nowhere.",
			mediaType: ociIndex,
			body:      index(entry("", "linux/amd64")),
			kind:      ErrContent,
			says:      []string{"digest"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := serve(t, plainHTTP, nil)
			if tc.make != nil {
				tc.make(t, f)
			} else {
				f.put(t, "a/b", "1", tc.mediaType, tc.body)
			}
			c := New(f.options())
			defer c.Close()
			image, err := c.Resolve(run(t), f.ref(t, "a/b:1"))
			check(t, tc.reason, image, err, tc.kind, tc.says, tc.platforms...)
			if tc.want != "" && image.MediaType != tc.want {
				t.Errorf("%s\nmedia type: want %q, got %q", tc.reason, tc.want, image.MediaType)
			}
			if got := f.asked(""); tc.requests > 0 && got != tc.requests {
				t.Errorf("%s\nrequests: want %d, got %d", tc.reason, tc.requests, got)
			}
		})
	}
}

// TestLongDigest: a reference and an entry of an index may have a sha512 digest.
func TestLongDigest(t *testing.T) {
	t.Parallel()
	f := serve(t, plainHTTP, nil)
	_, body := f.image(t, "a/b", "x", config("linux", "arm64"))
	long := digest.SHA512.FromString(body).String()
	f.put(t, "a/b", long, ociManifest, body)
	f.put(t, "a/b", "1", ociIndex, index(entry(long, "")))
	c := New(f.options())
	defer c.Close()
	for _, name := range []string{"a/b:1", "a/b@" + long} {
		image, err := c.Resolve(run(t), f.ref(t, name))
		check(t, name, image, err, nil, nil, "linux/arm64")
		if err == nil && image.Platforms[0].Digest != long {
			t.Errorf("%s: want the digest %s, got %+v", name, long, image)
		}
	}
	other := digest.SHA512.FromString("another manifest").String()
	f.put(t, "a/b", other, ociManifest, body)
	image, err := c.Resolve(run(t), f.ref(t, "a/b@"+other))
	check(t, "Content with another digest.", image, err, ErrDiffers, []string{other})
}

func TestImage(t *testing.T) {
	t.Parallel()
	f := serve(t, plainHTTP, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Docker-Content-Digest", some(666))
			next.ServeHTTP(w, r)
		})
	})
	single, body := f.image(t, "a/b", "1", config("linux", "arm64"))
	c := New(f.options())
	defer c.Close()
	for _, name := range []string{"a/b:1", "a/b@" + single, "a/b:gone@" + single} {
		got, err := c.Resolve(run(t), f.ref(t, name))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := Image{
			Reference: f.host() + "/" + name, Digest: single, MediaType: ociManifest, Size: len(body),
			Platforms: arch.Platforms{{OS: "linux", Architecture: "arm64", Digest: single}}, Others: map[string]arch.Set{},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: the digest must be our own: -want, +got:\n%s", name, diff)
		}
	}
}
