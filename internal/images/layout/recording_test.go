package layout

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/filetest"
)

// put keeps a text and returns its entry.
func put(r *Recording, name, text string) Entry {
	e := Entry{Name: name, Digest: sumOf(text), Size: int64(len(text)), MediaType: "application/vnd.oci.image.index.v1+json"}
	r.Put(e.Digest, []byte(text))
	r.Add(e)
	return e
}

func TestRecordThenRead(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "new one")
	r, err := Record(dir)
	if err != nil {
		t.Fatal(err)
	}
	if l, err := Open(dir); err != nil || len(l.Entries()) > 0 {
		t.Errorf("a layout must be there from the beginning: %v", err)
	}
	var wait sync.WaitGroup
	for range 10 {
		wait.Go(func() { put(r, "quay.io/b:1", "two"); put(r, "quay.io/a:1", "one") })
	}
	wait.Wait()
	if l, err := Open(dir); err != nil || len(l.Entries()) > 0 {
		t.Errorf("the index must name nothing before the end: %v", err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if r.Put(sumOf("late"), []byte("late")); r.Close() != nil {
		t.Error("what comes too late is no failure")
	}
	r, err = Record(dir)
	if err != nil {
		t.Fatal(err)
	}
	e := put(r, "quay.io/a:1", "three")
	e.Mirror = "mirror/a:1"
	r.Add(e)
	if err := errors.Join(r.Close(), r.Close()); err != nil {
		t.Fatal(err)
	}
	l, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []Entry{e, {Name: "quay.io/b:1", Digest: sumOf("two"), Size: 3, MediaType: e.MediaType}}
	if diff := cmp.Diff(want, l.Entries()); diff != "" {
		t.Errorf("-want, +got:\n%s", diff)
	}
	for _, text := range []string{"one", "two", "three"} {
		if got, err := l.Blob(sumOf(text), 5); err != nil || string(got) != text {
			t.Errorf("%s: got %q, %v", text, got, err)
		}
	}
	if _, err := l.Blob(sumOf("late"), 5); !errors.Is(err, ErrMissing) {
		t.Errorf("want ErrMissing, got %v", err)
	}
}

// TestOthersEntriesStay: an index that another tool wrote is added to, and written
// only where that changes it.
func TestOthersEntriesStay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	theirs := `{"schemaVersion":2,"annotations":{"a":"<&>"},"manifests":[{"mediaType":"m","digest":"` + sumOf("x") +
		`","size":1234567890123456789,"platform":{"os":"linux"},"annotations":{"org.opencontainers.image.ref.name":"latest"}},{"mediaType":"m","digest":"` +
		sumOf("y") + `","size":1}]}`
	filetest.Write(t, dir, map[string]string{markerFile: marker, indexFile: theirs})
	for range 2 {
		r, err := Record(dir)
		if err != nil {
			t.Fatal(err)
		}
		put(r, "quay.io/a:1", "one")
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	want := `{
  "annotations": {
    "a": "<&>"
  },
  "manifests": [
    {
      "mediaType": "m",
      "digest": "` + sumOf("y") + `",
      "size": 1
    },
    {
      "mediaType": "m",
      "digest": "` + sumOf("x") + `",
      "size": 1234567890123456789,
      "platform": {
        "os": "linux"
      },
      "annotations": {
        "org.opencontainers.image.ref.name": "latest"
      }
    },
    {
      "mediaType": "application/vnd.oci.image.index.v1+json",
      "digest": "` + sumOf("one") + `",
      "size": 3,
      "annotations": {
        "org.opencontainers.image.ref.name": "quay.io/a:1"
      }
    }
  ],
  "schemaVersion": 2
}
`
	got, err := os.ReadFile(filepath.Join(dir, indexFile))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("-want, +got:\n%s", diff)
	}
}

// TestRecordRefuses what is no layout, without leaving anything in it.
func TestRecordRefuses(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		files  map[string]string
		says   string // "" is no error
	}{
		{"an empty directory", nil, ""},
		{"what a run left that was cut off at its beginning", map[string]string{indexFile: `{"schemaVersion":2,"manifests":[]}`, temporary + "1": "{"}, ""},
		{"a directory of the user's", map[string]string{"hco.yaml": "a"}, `nor an OCI image layout: it has "hco.yaml": name a new directory`},
		{"another version", map[string]string{markerFile: `{"imageLayoutVersion":"2.0.0"}`, indexFile: "{}"}, `says imageLayoutVersion "2.0.0"`},
		{"a layout without an index", map[string]string{markerFile: marker}, "index.json"},
		{"an index that is none", map[string]string{markerFile: marker, indexFile: "[]"}, "index.json is not the JSON expected"},
		{"the same, left without a layout", map[string]string{indexFile: "[]"}, "index.json is not the JSON expected"},
		{
			reason: "an entry that cannot be read",
			files:  map[string]string{markerFile: marker, indexFile: `{"manifests":[{"digest":"md5:1"}]}`},
			says:   `manifests[0]: "md5:1" is not a digest`,
		},
		{"a file in the place of the blobs", map[string]string{"blobs": ""}, "blobs"},
	} {
		dir := filetest.New(t, tc.files)
		_, err := Record(dir)
		if tc.says == "" {
			if err != nil {
				t.Errorf("%s: %v", tc.reason, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), tc.says) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: want %q, got %v", tc.reason, tc.says, err)
		}
		if left := names(t, dir); len(left) > len(tc.files) {
			t.Errorf("%s: %v is left", tc.reason, left)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	filetest.Write(t, filepath.Dir(file), map[string]string{"file": ""})
	for _, dir := range []string{file, filepath.Join(file, "below"), "/proc/self/layout"} {
		if _, err := Record(dir); err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: want an error that names it, got %v", dir, err)
		}
	}
}

// TestWrongContentIsNotKept: content must have its digest.
func TestWrongContentIsNotKept(t *testing.T) {
	t.Parallel()
	for _, digest := range []string{sumOf("other"), "sha256:../../../x", "", "sha1:aa"} {
		dir := t.TempDir()
		r, err := Record(dir)
		if err != nil {
			t.Fatal(err)
		}
		r.Put(digest, []byte("content"))
		put(r, "quay.io/a:1", "one")
		if err := r.Close(); err == nil {
			t.Errorf("%q: want an error", digest)
		}
		if l, err := Open(dir); err != nil || len(l.Entries()) > 0 {
			t.Errorf("%q: a failed recording names nothing: %v", digest, err)
		}
	}
}

// TestRecordStaysBelow: the operator names the directory, which may be a link. What is in it
// may be from Git, and no link there leads a write elsewhere.
func TestRecordStaysBelow(t *testing.T) {
	t.Parallel()
	index, err := newIndex().bytes()
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		reason, link, to string
		files            map[string]string // of the directory that the link leads to
	}{
		{"the directory of the blobs", "blobs/sha256", "", nil},
		{"a directory above it", "blobs", "", nil},
		{"the index", "index.json", "index.json", map[string]string{"index.json": string(index)}},
		{"a blob", "blobs/sha256/" + strings.TrimPrefix(sumOf("content"), "sha256:"), "x", map[string]string{"x": "1"}},
	} {
		at, outside := t.TempDir(), t.TempDir()
		filetest.Write(t, outside, tc.files)
		link := filepath.Join(at, "record", filepath.FromSlash(tc.link))
		if err := errors.Join(os.MkdirAll(filepath.Dir(link), 0o700), os.Symlink(filepath.Join(outside, tc.to), link),
			os.Symlink("record", filepath.Join(at, "given"))); err != nil {
			t.Fatal(err)
		}
		r, err := Record(filepath.Join(at, "given"))
		if err == nil {
			put(r, "quay.io/a:1", "content")
			err = r.Close()
		}
		if err == nil {
			t.Errorf("%s: a link out of the directory is not an error", tc.reason)
		}
		if got := names(t, outside); len(got) != len(tc.files) {
			t.Errorf("%s: outside are %v", tc.reason, got)
		}
		for name, want := range tc.files {
			if got, err := os.ReadFile(filepath.Join(outside, name)); err != nil || string(got) != want {
				t.Errorf("%s: %s has %q (%v)", tc.reason, name, got, err)
			}
		}
	}
}
