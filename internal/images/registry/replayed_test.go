package registry_test

import (
	"errors"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	ggcr "github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/random"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/layout"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// TestLayoutsOfOthers: what other tools write is replayed where it says in full
// what it is.
func TestLayoutsOfOthers(t *testing.T) {
	t.Parallel()
	image, err := random.Image(10, 1)
	if err != nil {
		t.Fatal(err)
	}
	// A random image says no platform; its configuration is all that counts here.
	index, err := random.Index(10, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	digest, err := index.Digest()
	if err != nil {
		t.Fatal(err)
	}
	other, err := image.Digest()
	if err != nil {
		t.Fatal(err)
	}
	const refName, fullName = "org.opencontainers.image.ref.name", "io.containerd.image.name"
	names := func(keysAndValues ...string) []map[string]string {
		m := map[string]string{}
		for i := 0; i < len(keysAndValues); i += 2 {
			m[keysAndValues[i]] = keysAndValues[i+1]
		}
		return []map[string]string{m}
	}
	for _, tc := range []struct {
		reason  string
		entries []map[string]string // annotations of the index
		ask     string
		found   bool
		says    string
	}{
		{
			reason:  "crane pull --format oci --annotate-ref writes Docker Hub's other name",
			entries: names(refName, "index.docker.io/library/fedora:40"),
			ask:     "fedora:40",
			found:   true,
		},
		{
			reason:  "skopeo copy --all docker://NAME oci:DIR:NAME",
			entries: names(refName, "quay.io/containerdisks/fedora:latest"),
			ask:     "docker://quay.io/containerdisks/fedora",
			found:   true,
		},
		{reason: "with a port", entries: names(refName, "localhost:5000/a:1"), ask: "localhost:5000/a:1", found: true},
		{
			reason:  "containerd writes the whole name beside the tag",
			entries: names(refName, "latest", fullName, "quay.io/containerdisks/fedora:latest"),
			ask:     "quay.io/containerdisks/fedora:latest",
			found:   true,
		},
		{reason: "a tag alone does not say of which image", entries: names(refName, "latest"), ask: "quay.io/containerdisks/fedora:latest", says: "does not have it"},
		{reason: "nor is it an image of Docker Hub", entries: names(refName, "fedora"), ask: "fedora", says: "does not have it"},
		{reason: "nor with a namespace", entries: names(refName, "library/fedora:latest"), ask: "fedora", says: "does not have it"},
		{reason: "but its digest says all", entries: names(refName, "latest"), ask: "quay.io/containerdisks/fedora@" + digest.String(), found: true},
		{reason: "so without a name", entries: names(), ask: "quay.io/containerdisks/fedora:1@" + digest.String(), found: true},
		{reason: "a name is for that image only", entries: names(refName, "quay.io/a/b:1"), ask: "quay.io/c/b@" + digest.String(), says: "does not have it"},
		{reason: "another tag is another image", entries: names(refName, "quay.io/a/b:1"), ask: "quay.io/a/b:2", says: "does not have it"},
		{reason: "two that are the same", entries: append(names(refName, "quay.io/a/b:1"), names(refName, "quay.io/a/b:1")...), ask: "quay.io/a/b:1", found: true},
	} {
		path, err := ggcr.Write(t.TempDir(), empty.Index)
		if err != nil {
			t.Fatal(err)
		}
		for _, annotations := range tc.entries {
			if err := path.AppendIndex(index, ggcr.WithAnnotations(annotations)); err != nil {
				t.Fatal(err)
			}
		}
		ref, err := imageref.Parse(tc.ask)
		if err != nil {
			t.Fatal(err)
		}
		_, err = resolve(t, replay(t, string(path), ""), ref)
		// Found is what is judged: its images have no platform.
		if found := errors.Is(err, registry.ErrNoPlatform); found != tc.found || err == nil || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: want found: %v, got %v", tc.reason, tc.found, err)
		}
		if err := path.AppendImage(image, ggcr.WithAnnotations(map[string]string{refName: ref.String()})); err != nil {
			t.Fatal(err)
		}
		if _, err = resolve(t, replay(t, string(path), ""), ref); tc.found && len(tc.entries) == 2 {
			if err == nil || !strings.Contains(err.Error(), "two entries") || !strings.Contains(err.Error(), other.String()) {
				t.Errorf("%s, and another one: want both named, got %v", tc.reason, err)
			}
		}
		rec, err := layout.Record(string(path))
		if err != nil {
			t.Fatal(err)
		}
		rec.Put(digest.String(), raw(t, index))
		rec.Add(layout.Entry{Name: "quay.io/user:1", Digest: digest.String(), MediaType: "application/vnd.oci.image.index.v1+json"})
		if err := rec.Close(); err != nil {
			t.Errorf("%s: it cannot be added to: %v", tc.reason, err)
		}
	}
}

func raw(t *testing.T, index v1.ImageIndex) []byte {
	t.Helper()
	body, err := index.RawManifest()
	if err != nil {
		t.Fatal(err)
	}
	return body
}
