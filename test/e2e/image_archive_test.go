package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
)

// imageArchive builds for platforms without a registry; and again, which does not
// add to what the first build left: the engines share what they keep. They make the same list.
func imageArchive(t *testing.T, e engines, source string) {
	var first *v1.IndexManifest
	for _, engine := range []string{"buildah", "podman"} {
		e.make(t, source, "image-multiarch", "ENGINE="+engine, "PLATFORMS=linux/amd64,linux/s390x", "IMAGE=localhost/goldenarch:two")
		list := archived(t, filepath.Join(source, "dist/image.tar"))
		if first == nil {
			first = &list
			var platforms []string
			for _, child := range list.Manifests {
				platforms = append(platforms, child.Platform.String())
			}
			if diff := cmp.Diff([]string{"linux/amd64", "linux/s390x"}, platforms); diff != "" {
				t.Errorf("platforms of the archive (-want +got):\n%s", diff)
			}
		}
		if diff := cmp.Diff(*first, list); diff != "" {
			t.Errorf("%s made another list (-first +now):\n%s", engine, diff)
		}
	}
}

// archived returns the manifest list of an OCI archive, whose images all have the
// tests' version.
func archived(t *testing.T, archive string) v1.IndexManifest {
	t.Helper()
	out := t.TempDir()
	if said, err := exec.CommandContext(t.Context(), "tar", "-x", "-f", archive, "-C", out).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	top, err := layout.ImageIndexFromPath(out)
	if err != nil {
		t.Fatal(err)
	}
	tags, err := top.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	if len(tags.Manifests) != 1 {
		t.Fatalf("the archive has %d entries, expected the manifest list alone", len(tags.Manifests))
	}
	data, err := os.ReadFile(filepath.Join(out, "blobs/sha256", tags.Manifests[0].Digest.Hex))
	if err != nil {
		t.Fatal(err)
	}
	var list v1.IndexManifest
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	index, err := top.ImageIndex(tags.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	for _, child := range list.Manifests {
		image, err := index.Image(child.Digest)
		if err != nil {
			t.Fatal(err)
		}
		config, err := image.ConfigFile()
		if err != nil {
			t.Fatal(err)
		}
		if got := config.Config.Labels["org.opencontainers.image.version"]; got != stampVersion {
			t.Errorf("the image for %s has the version %q", child.Platform, got)
		}
	}
	return list
}
