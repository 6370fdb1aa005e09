package registry_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	ggcr "github.com/google/go-containerregistry/pkg/v1/layout"

	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/images/registrytest"
)

// isLayout has another implementation read a layout, and checks that each blob is
// what its name says.
func isLayout(t *testing.T, dir string) {
	t.Helper()
	path, err := ggcr.FromPath(dir)
	if err != nil {
		t.Fatal(err)
	}
	index, err := path.ImageIndex()
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range manifest.Manifests {
		body, err := path.Bytes(d.Digest)
		if err != nil || int64(len(body)) != d.Size || d.MediaType == "" || d.Annotations["org.opencontainers.image.ref.name"] == "" {
			t.Errorf("the entry %+v has %d bytes, %v", d, len(body), err)
		}
		if !json.Valid(body) {
			t.Errorf("%s is no manifest: %q", d.Digest, body)
		}
	}
	err = filepath.WalkDir(filepath.Join(dir, "blobs"), func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(name)
		if got := registrytest.DigestOf(content); got != "sha256:"+filepath.Base(name) && filepath.Base(filepath.Dir(name)) == "sha256" {
			t.Errorf("%s has the digest %s", name, got)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestDamagedLayout changes, cuts and removes what was recorded.
func TestDamagedLayout(t *testing.T) {
	t.Parallel()
	s := with(t)
	s.Push("org/app:1", registrytest.BareIndex("linux/amd64"))
	ref, dir := reference(t, s, "org/app:1"), t.TempDir()
	recorded(t, dir, client(t, trusting(t)), ref)
	child := registrytest.Image("linux/amd64")
	var config string
	for config = range child.Blobs {
	}
	for name, digest := range map[string]string{
		"index": registrytest.BareIndex("linux/amd64").Digest(), "manifest": child.Digest(), "configuration": config,
	} {
		blob := filepath.Join(dir, "blobs", "sha256", strings.TrimPrefix(digest, "sha256:"))
		good, err := os.ReadFile(blob)
		if err != nil {
			t.Fatal(err)
		}
		for _, tc := range []struct {
			reason  string
			content []byte // nil: it is not there
			kind    error
			says    string
		}{
			{"changed", bytes.ReplaceAll(good, []byte("a"), []byte("b")), registry.ErrDiffers, "its content does not match its digest"},
			{"cut off", good[:len(good)-1], registry.ErrDiffers, "its content does not match its digest"},
			{"empty", []byte{}, registry.ErrDiffers, "its content does not match its digest"},
			{"too large", make([]byte, 5<<20), registry.ErrContent, "expected at most 4Mi"},
			{"gone", nil, registry.ErrNotRecorded, digest},
		} {
			if err := os.Remove(blob); err != nil {
				t.Fatal(err)
			}
			if tc.content != nil {
				if err := os.WriteFile(blob, tc.content, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			image, err := resolve(t, replay(t, dir, ""), ref)
			e, ok := errors.AsType[*registry.Error](err)
			if !ok || !errors.Is(e.Kind, tc.kind) || len(image.Platforms) > 0 {
				t.Fatalf("the %s is %s: want %v, got %v", name, tc.reason, tc.kind, err)
			}
			for _, part := range []string{tc.says, dir, ref.String()} {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("the %s is %s: the error lacks %q: %v", name, tc.reason, part, err)
				}
			}
			if strings.Contains(err.Error(), "registry "+ref.Host()) {
				t.Errorf("the %s is %s: no registry was asked: %v", name, tc.reason, err)
			}
			if err := os.WriteFile(blob, good, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(blob, []byte("damaged"), 0o600); err != nil {
			t.Fatal(err)
		}
		recorded(t, dir, client(t, trusting(t)), ref)
		isLayout(t, dir) // to record again mends it
	}
}
