package registry_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	ggcr "github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/random"

	"github.com/goldenarch/goldenarch/registry"
	"github.com/goldenarch/goldenarch/registry/layout"
	"github.com/goldenarch/goldenarch/registry/registrytest"
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
			{"changed", bytes.ReplaceAll(good, []byte("a"), []byte("b")), registry.ErrDiffers, "not what its digest says"},
			{"cut off", good[:len(good)-1], registry.ErrDiffers, "not what its digest says"},
			{"empty", []byte{}, registry.ErrDiffers, "not what its digest says"},
			{"too large", make([]byte, 5<<20), registry.ErrContent, "larger than 4194304 bytes"},
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
		{reason: "crane pull --format oci --annotate-ref writes Docker Hub's other name", entries: names(refName, "index.docker.io/library/fedora:40"), ask: "fedora:40", found: true},
		{reason: "skopeo copy --all docker://NAME oci:DIR:NAME", entries: names(refName, "quay.io/containerdisks/fedora:latest"), ask: "docker://quay.io/containerdisks/fedora", found: true},
		{reason: "with a port", entries: names(refName, "localhost:5000/a:1"), ask: "localhost:5000/a:1", found: true},
		{reason: "containerd writes the whole name beside the tag", entries: names(refName, "latest", fullName, "quay.io/containerdisks/fedora:latest"), ask: "quay.io/containerdisks/fedora:latest", found: true},
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
		ref, err := registry.ParseReference(tc.ask)
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
			if err == nil || !strings.Contains(err.Error(), "twice") || !strings.Contains(err.Error(), other.String()) {
				t.Errorf("%s, and another one: want both named, got %v", tc.reason, err)
			}
		}
		rec, err := layout.Record(string(path))
		if err != nil {
			t.Fatal(err)
		}
		rec.Put(digest.String(), raw(t, index))
		rec.Add(layout.Entry{Name: "quay.io/mine:1", Digest: digest.String(), MediaType: "application/vnd.oci.image.index.v1+json"})
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

// TestNoSecretIsRecorded: a registry that repeats what it was sent makes the
// recording fail; nothing of it is kept.
func TestNoSecretIsRecorded(t *testing.T) {
	t.Parallel()
	echo := func(what func(r *http.Request) string) registrytest.Wrapper {
		return func(http.Handler) http.Handler {
			return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
				rw.Header().Set("Content-Type", "application/vnd.oci.image.index.v1+json")
				_, _ = rw.Write([]byte(strings.Replace(string(registrytest.Index("linux/amd64").Body), "{", `{"annotations":{"you":"`+what(r)+`"},`, 1)))
			})
		}
	}
	authorization := func(r *http.Request) string { return r.Header.Get("Authorization") }
	password := func(r *http.Request) string { _, p, _ := r.BasicAuth(); return p }
	planted := func(*http.Request) string { return plantedPassword }
	tokens := &registrytest.Tokens{Service: "r", Users: registrytest.Users{plantedUser: plantedPassword}}
	basic := registrytest.Basic(registrytest.Users{plantedUser: plantedPassword})
	for name, tc := range map[string]struct {
		reason   string
		wrappers []registrytest.Wrapper
		fails    bool
	}{
		"Basic":        {reason: "a login leaves no trace", wrappers: []registrytest.Wrapper{basic}},
		"Token":        {reason: "nor does a token", wrappers: []registrytest.Wrapper{tokens.Require()}},
		"EchoBasic":    {reason: "the header comes back", wrappers: []registrytest.Wrapper{basic, echo(authorization)}, fails: true},
		"EchoPassword": {reason: "the password comes back", wrappers: []registrytest.Wrapper{basic, echo(password)}, fails: true},
		"EchoToken":    {reason: "the token comes back", wrappers: []registrytest.Wrapper{tokens.Require(), registrytest.On(registrytest.Manifest, echo(authorization))}, fails: true},
		"EchoLogin":    {reason: "what the token service was sent comes back", wrappers: []registrytest.Wrapper{tokens.Require(), registrytest.On(registrytest.Manifest, echo(planted))}, fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := with(t, tc.wrappers...)
			s.Push("org/app:1", registrytest.Image("linux/amd64"))
			o := trusting(t)
			o.AuthFile = login(t, map[string]string{s.Host(): plantedUser + ":" + plantedPassword})
			dir := t.TempDir()
			rec, err := layout.Record(dir)
			if err != nil {
				t.Fatal(err)
			}
			ref := reference(t, s, "org/app:1")
			if _, err := resolve(t, registry.Recorded(client(t, o), rec), ref); err != nil {
				t.Fatal(err)
			}
			err = rec.Close()
			if (err != nil) != tc.fails || err != nil && !strings.Contains(err.Error(), ref.String()) {
				t.Errorf("%s: want failure: %v, got %v", tc.reason, tc.fails, err)
			}
			if err != nil {
				noSecret(t, tc.reason, err)
			}
			isLayout(t, dir)
			files := 0
			err = filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
				if err != nil || entry.IsDir() {
					return err
				}
				files++
				content, err := os.ReadFile(name)
				noSecret(t, tc.reason, errors.New(string(content)))
				if bytes.Contains(content, []byte("Authorization")) || bytes.Contains(content, []byte(base64.StdEncoding.EncodeToString([]byte(plantedPassword)))) {
					t.Errorf("%s: %s has %s", tc.reason, name, content)
				}
				return err
			})
			if want := map[bool]int{false: 4, true: 2}[tc.fails]; err != nil || files != want {
				t.Errorf("%s: want %d files, got %d, %v", tc.reason, want, files, err)
			}
		})
	}
}
