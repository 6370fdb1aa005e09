package registry_test

import (
	"testing"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/mirror"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// labelled is an image for linux/amd64 with these labels, as JSON.
func labelled(labels string) registrytest.Artifact {
	return registrytest.ImageWithConfig([]byte(`{"os":"linux","architecture":"amd64","config":{"Labels":` + labels + `}}`))
}

// listing is an index that lists these for linux/amd64 and linux/arm64.
func listing(images ...registrytest.Artifact) registrytest.Artifact {
	platforms := []string{"linux/amd64", "linux/arm64"}
	entries := make([]registrytest.Entry, len(images))
	for i, image := range images {
		entries[i] = registrytest.Entry{Artifact: image, Platform: platforms[i]}
	}
	return registrytest.IndexOf(entries...)
}

// TestBundle: the labels in the configuration say what is an operator bundle image. An
// index costs further requests only if it may be one.
func TestBundle(t *testing.T) {
	t.Parallel()
	const manifests = `{"operators.operatorframework.io.bundle.manifests.v1":"manifests/"}`
	const builder = `{"operators.operatorframework.io.metrics.builder":"operator-sdk-v1.40"}`
	bundle, plain := labelled(manifests), labelled(`{"io.k8s.display-name":"acme"}`)
	for name, tc := range map[string]struct {
		reason           string
		repository       string
		image            registrytest.Artifact
		bundle, fails    bool
		manifests, blobs int
	}{
		"Single": {reason: "the configuration is read anyway", repository: "x/acme", image: bundle, bundle: true, manifests: 1, blobs: 1},
		"Builder": {
			reason: "any of the labels is enough upstream", repository: "x/acme",
			image:  labelled(builder),
			bundle: true, manifests: 1, blobs: 1,
		},
		"LabelAmongOthers": {
			reason: "labels before it are skipped", repository: "x/acme",
			image:  labelled(`{"a":"b","operators.operatorframework.io.bundle.mediatype.v1":"registry+v1"}`),
			bundle: true, manifests: 1, blobs: 1,
		},
		"Plain": {reason: "other labels are no bundle", repository: "x/acme-bundle", image: plain, manifests: 1, blobs: 1},
		"Catalog": {
			reason: "a catalog runs in a pod", repository: "x/acme",
			image:     labelled(`{"operators.operatorframework.io.index.configs.v1":"/configs"}`),
			manifests: 1, blobs: 1,
		},
		"LabelsOfAnyForm": {
			reason: "a list in their place changes nothing else", repository: "x/acme",
			image:     labelled(`["a"]`),
			manifests: 1, blobs: 1,
		},
		"NoConfig": {
			reason: "an image without runtime configuration", repository: "x/acme",
			image:     registrytest.ImageWithConfig([]byte(`{"os":"linux","architecture":"amd64","config":"none"}`)),
			manifests: 1, blobs: 1,
		},
		"Index": {
			reason: "an ordinary index is one request", repository: "x/acme",
			image:     registrytest.Index("linux/amd64", "linux/arm64"),
			manifests: 1,
		},
		"IndexOfOne": {
			reason: "as is one of a single image with its attestation", repository: "x/acme",
			image:     registrytest.AttestedIndex("linux/amd64"),
			manifests: 1,
		},
		"NamedIndex": {
			reason: "the name says bundle, and so does the first image", repository: "x/acme-bundle",
			image: listing(bundle, registrytest.Image("linux/arm64")), bundle: true, manifests: 2, blobs: 1,
		},
		"NamedOtherwise": {
			reason: "the name alone is no proof", repository: "x/bundle-server",
			image:     registrytest.Index("linux/amd64", "linux/arm64"),
			manifests: 2, blobs: 1,
		},
		"OneForAll": {
			reason: "one manifest for all platforms is no program", repository: "x/acme",
			image:  listing(bundle, bundle),
			bundle: true, manifests: 2, blobs: 1,
		},
		"PlainForAll": {
			reason: "it is no bundle without the labels", repository: "x/acme",
			image:     listing(plain, plain),
			manifests: 2, blobs: 1,
		},
		"Sparse": {
			reason: "without the manifest the index still answers", repository: "x/acme-bundle",
			image:     registrytest.Index("linux/amd64", "linux/arm64").Sparse(),
			manifests: 2,
		},
		"ChartInTheIndex": {
			reason: "nor does something that is not an image", repository: "x/acme-bundle",
			image:     listing(registrytest.HelmChart()),
			manifests: 2,
		},
		"Damaged": {
			reason: "a wrong answer is an error, not a guess", repository: "x/acme-bundle",
			image: listing(bundle.Corrupt()),
			fails: true, manifests: 2, blobs: 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := with(t)
			s.Push(tc.repository+":1", tc.image)
			ref, err := imageref.Parse(s.Host() + "/" + tc.repository + ":1")
			if err != nil {
				t.Fatal(err)
			}
			image, err := client(t, trusting(t)).Resolve(t.Context(), ref)
			if (err != nil) != tc.fails || image.Bundle != tc.bundle {
				t.Errorf("%s: got %+v, %v", tc.reason, image, err)
			}
			if counts := s.Counts(); counts.Manifest != tc.manifests || counts.Blob != tc.blobs {
				t.Errorf("%s: want %d manifests and %d blobs, got %+v", tc.reason, tc.manifests, tc.blobs, counts)
			}
		})
	}
}

// TestBundleOfAMirror: the name that the user wrote decides whether an index may be a
// bundle, wherever the image is.
func TestBundleOfAMirror(t *testing.T) {
	t.Parallel()
	index := listing(labelled(`{"operators.operatorframework.io.bundle.package.v1":"acme"}`))
	near, source := with(t), with(t)
	near.Push("flat/images:1", index)
	ref := reference(t, source, "org/acme-bundle:1")
	policy := mirror.New(mirror.Scope{Prefix: source.Host() + "/org/acme-bundle", Mirrors: []mirror.Endpoint{{Location: near.Host() + "/flat/images"}}})
	image, err := mirrored(t, policy).Resolve(t.Context(), ref)
	if err != nil || image.Mirror == "" || !image.Bundle {
		t.Errorf("want a bundle from the mirror, got %+v, %v", image, err)
	}
}
