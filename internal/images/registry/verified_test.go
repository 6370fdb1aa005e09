package registry_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

func TestVerified(t *testing.T) {
	t.Parallel()
	liar := registrytest.IndexOf(
		registrytest.Entry{Artifact: registrytest.Image("linux/amd64"), Platform: "linux/amd64"},
		registrytest.Entry{Artifact: registrytest.ImageWithConfig([]byte(`{"os":"linux","architecture":"amd64","config":{}}`)), Platform: "linux/arm64"},
	)
	mute := registrytest.IndexOf(registrytest.Entry{Artifact: registrytest.ImageWithConfig([]byte(`{}`)), Platform: "linux/s390x"})
	half := registrytest.Index("linux/amd64", "linux/arm64", "linux/s390x")
	half.Children = half.Children[:1]
	sparseLiar := registrytest.IndexOf(append(registrytest.Entries("linux/amd64", "linux/s390x"), registrytest.Entry{
		Artifact: registrytest.ImageWithConfig([]byte(`{"os":"linux","architecture":"amd64","config":{}}`)), Platform: "linux/arm64",
	})...)
	sparseLiar.Children = slices.Delete(slices.Clone(sparseLiar.Children), 1, 2)
	chart := registrytest.IndexOf(registrytest.Entry{Artifact: registrytest.HelmChart(), Platform: "linux/amd64"})
	deep := registrytest.IndexOf(registrytest.Entry{Artifact: registrytest.Index("linux/amd64"), Platform: ""})
	odd := registrytest.IndexOf(registrytest.Entry{Artifact: registrytest.Image("linux/x86_64"), Platform: "linux/amd64"})
	within := registrytest.IndexOf(registrytest.Entry{Artifact: registrytest.Index("linux/amd64"), Platform: "linux/amd64"})
	// A wrong media type in the descriptor hides that the entry is an index.
	within.Body = []byte(strings.Replace(string(within.Body), `"application/vnd.oci.image.index.v1+json","size"`,
		`"application/vnd.oci.image.manifest.v1+json","size"`, 1))
	for name, tc := range map[string]struct {
		reason string
		image  registrytest.Artifact
		level  v1alpha1.Verify
		kind   error
		says   []string
		// requests for manifests and blobs; 0 is not checked
		manifests, blobs int
	}{
		"IndexIsBelieved": {reason: "the index alone is one request", image: half, level: v1alpha1.VerifyIndex, manifests: 1},
		"Whole": {
			reason:    "each child is fetched once, no configuration",
			image:     registrytest.AttestedIndex("linux/amd64", "linux/arm64"),
			level:     v1alpha1.VerifyChildren,
			manifests: 3,
		},
		"WholeConfig": {
			reason:    "each child and its configuration",
			image:     registrytest.AttestedIndex("linux/amd64", "linux/arm64/v8"),
			level:     v1alpha1.VerifyConfig,
			manifests: 3,
			blobs:     2,
		},
		"Single": {
			reason:    "of a single image the configuration has spoken already",
			image:     registrytest.Image("linux/arm64"),
			level:     v1alpha1.VerifyConfig,
			manifests: 1,
			blobs:     1,
		},
		"Alias": {
			reason: "CDI takes x86_64 in a configuration for x86_64",
			image:  odd,
			level:  v1alpha1.VerifyConfig,
			kind:   registry.ErrNotTrue,
			says:   []string{`manifest image architecture: "x86_64" doesn't match requested architecture: "amd64"`},
		},
		"Nested":         {reason: "an index within the index is gone into, as when resolving", image: deep, level: v1alpha1.VerifyConfig},
		"LieNotAskedFor": {reason: "children exist, and that was the question", image: liar, level: v1alpha1.VerifyChildren},
		"SparseOfAll": {
			reason: "an index without any of its images is no image: all that is missing is told at once, by platform",
			image:  registrytest.Index("linux/arm64", "linux/s390x").Sparse(),
			level:  v1alpha1.VerifyChildren,
			kind:   registry.ErrNotFound,
			says: []string{
				"linux/arm64: answered 404",
				"linux/s390x: answered 404",
				"its import would fail: Error retrieving image: fetching target platform image selected from image index: reading manifest sha256:",
				"/org/app: manifest unknown",
				"the image in this registry is incomplete",
			},
		},
		"SparseLie": {
			reason: "a sparse mirror may lie as well",
			image:  sparseLiar,
			level:  v1alpha1.VerifyConfig,
			kind:   registry.ErrNotFound,
			says:   []string{"linux/s390x: answered 404", `doesn't match requested architecture: "arm64"`},
		},
		"Lie": {
			reason: "the words are those that CDI would say",
			image:  liar,
			level:  v1alpha1.VerifyConfig,
			kind:   registry.ErrNotTrue,
			says: []string{
				`linux/arm64: sent an image whose configuration says linux/amd64`,
				`manifest image architecture: "amd64" doesn't match requested architecture: "arm64"`,
				"build or mirror the image again",
			},
		},
		"Mute": {
			reason: "a configuration that says nothing confirms nothing",
			image:  mute,
			level:  v1alpha1.VerifyConfig,
			kind:   registry.ErrNotTrue,
			says:   []string{`manifest image architecture: "" doesn't match requested architecture: "s390x"`},
		},
		"Chart": {
			reason: "a child that is no image is no platform",
			image:  chart,
			level:  v1alpha1.VerifyChildren,
			kind:   registry.ErrNotImage,
			says:   []string{"linux/amd64: sent an object whose configuration is"},
		},
		"IndexInItsPlace": {
			reason: "a child that is an index again is no platform",
			image:  within,
			level:  v1alpha1.VerifyChildren,
			kind:   registry.ErrNotTrue,
			says:   []string{"linux/amd64: sent something that is not an image for an entry of its index"},
		},
		"NoImage": {
			reason: "what is no image has no children",
			image:  registrytest.HelmChart(),
			level:  v1alpha1.VerifyChildren,
			kind:   registry.ErrNotImage,
		},
		"ConfigDiffers": {
			reason: "a configuration that is not what its digest says proves nothing",
			image: registrytest.IndexOf(
				registrytest.Entry{Artifact: registrytest.Image("linux/amd64").Corrupt(), Platform: "linux/amd64"},
			),
			level: v1alpha1.VerifyConfig,
			kind:  registry.ErrDiffers,
			says:  []string{"linux/amd64: sent content with the digest"},
		},
		"UnknownIsDefault": {reason: "an unknown level is the default", image: half, level: "", manifests: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := with(t)
			s.Push("org/app:1", tc.image)
			ref, err := imageref.Parse(s.Host() + "/org/app:1")
			if err != nil {
				t.Fatal(err)
			}
			image, err := client(t, trusting(t)).Verified(tc.level).Resolve(t.Context(), ref)
			if tc.kind == nil {
				if err != nil || len(image.Platforms) == 0 || image.Size != len(tc.image.Body) {
					t.Errorf("%s: got %+v, %v", tc.reason, image, err)
				}
			} else {
				e, ok := errors.AsType[*registry.Error](err)
				if !ok || !errors.Is(e.Kind, tc.kind) || len(image.Platforms) > 0 {
					t.Fatalf("%s: want %v, got %v with %+v", tc.reason, tc.kind, err, image)
				}
				for _, text := range tc.says {
					if !strings.Contains(err.Error(), text) {
						t.Errorf("%s: the error lacks %q: %v", tc.reason, text, err)
					}
				}
			}
			if counts := s.Counts(); tc.manifests > 0 && (counts.Manifest != tc.manifests || counts.Blob != tc.blobs) {
				t.Errorf("%s: want %d manifests and %d blobs asked for, got %+v", tc.reason, tc.manifests, tc.blobs, counts)
			}
		})
	}
}

// A registry that dies between the index and its children is told once, not for
// each platform.
func TestVerifiedTellsADeadRegistryOnce(t *testing.T) {
	t.Parallel()
	s := with(t, registrytest.On(registrytest.Manifest, registrytest.After(1, registrytest.Reset())))
	s.Push("org/app:1", registrytest.Index("linux/amd64", "linux/arm64", "linux/s390x"))
	ref, err := imageref.Parse(s.Host() + "/org/app:1")
	if err != nil {
		t.Fatal(err)
	}
	_, err = client(t, trusting(t)).Verified(v1alpha1.VerifyChildren).Resolve(t.Context(), ref)
	if !errors.Is(err, registry.ErrUnreachable) || strings.Contains(err.Error(), "linux/") {
		t.Errorf("want one complaint, about the registry, got %v", err)
	}
}

// TestSparse: a manifest that the registry does not have is a platform that the image does
// not have there. oc-mirror makes such mirrors by design.
func TestSparse(t *testing.T) {
	t.Parallel()
	half := registrytest.Index("linux/amd64", "linux/arm64", "linux/s390x")
	half.Children = half.Children[:1]
	for _, level := range []v1alpha1.Verify{v1alpha1.VerifyChildren, v1alpha1.VerifyConfig} {
		s := with(t)
		s.Push("org/app:1", half)
		image, err := client(t, trusting(t)).Verified(level).Resolve(t.Context(), reference(t, s, "org/app:1"))
		if err != nil || image.Platforms.Linux().String() != "amd64" || image.Absent.Linux().String() != "arm64,s390x" || !image.Verified {
			t.Errorf("%s: want amd64 without arm64 and s390x, got %v without %v, %v", level, image.Platforms, image.Absent, err)
			continue
		}
		if image.Digest != half.Digest() {
			t.Errorf("%s: the index keeps its digest, got %s", level, image.Digest)
		}
		for _, says := range []string{"linux/arm64: answered 404", "linux/s390x: answered 404", "its import would fail", "the image in this registry is incomplete"} {
			if !strings.Contains(image.AbsentError.Error(), says) {
				t.Errorf("%s: want %q in %v", level, says, image.AbsentError)
			}
		}
	}
}

// TestSparseMirrorAnswers: the first place that has the index answers for the image, as for a
// node (containers/image docker/docker_image_src.go: newImageSource fetches the index and keeps
// the place). The source is not asked for what the mirror lacks.
func TestSparseMirrorAnswers(t *testing.T) {
	t.Parallel()
	whole := registrytest.Index("linux/amd64", "linux/arm64")
	half := whole
	half.Children = whole.Children[:1]
	source, near, empty := with(t), with(t), with(t)
	source.Push("a/b:1", whole)
	near.Push("a/b:1", half)
	empty.Push("a/b:1", whole.Sparse())
	c := client(t, trusting(t)).Verified(v1alpha1.VerifyChildren)
	ref := reference(t, source, "a/b:1")
	image, err := registry.Mirrored(c, c, scopeOf(source, false, near.Host())).Resolve(t.Context(), ref)
	if err != nil || image.Platforms.Linux().String() != "amd64" || image.Absent.Linux().String() != "arm64" || image.Mirror == "" {
		t.Errorf("want amd64 of the mirror, got %+v, %v", image, err)
	}
	if source.Counts().Total() > 0 {
		t.Errorf("the source must not be asked, got %+v", source.Counts())
	}
	image, err = registry.Mirrored(c, c, scopeOf(source, false, empty.Host())).Resolve(t.Context(), ref)
	if err != nil || image.Platforms.Linux().String() != "amd64,arm64" || image.Mirror != "" || len(image.Passed) != 1 {
		t.Errorf("a mirror without any of the images does not answer, got %+v, %v", image, err)
	}
}
