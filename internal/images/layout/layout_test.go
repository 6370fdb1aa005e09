package layout

import (
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/filetest"
)

const marker = `{"imageLayoutVersion": "1.0.0"}`

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// names returns the files below a directory.
func names(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			out = append(out, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		files  map[string]string
		says   string
	}{
		{"an empty directory", nil, "not an OCI image layout: it has no file oci-layout"},
		{"a marker that is none", map[string]string{markerFile: "1.0.0"}, "oci-layout is not the JSON expected"},
		{"a marker that says nothing", map[string]string{markerFile: "{}"}, `imageLayoutVersion "": expected "1.0.0"`},
		{"another version", map[string]string{markerFile: `{"imageLayoutVersion":"2"}`}, `imageLayoutVersion "2"`},
		{"no index", map[string]string{markerFile: marker}, "index.json"},
		{"an index that is none", map[string]string{markerFile: marker, indexFile: "<html>"}, "index.json is not the JSON expected"},
		{"an index of something else", map[string]string{markerFile: marker, indexFile: `{"manifests":{}}`}, "manifests is not the JSON expected"},
		{"an entry that is none", map[string]string{markerFile: marker, indexFile: `{"manifests":[1]}`}, "manifests[0]: it is not the JSON expected"},
		{
			reason: "a digest that leads out",
			files:  map[string]string{markerFile: marker, indexFile: `{"manifests":[{"digest":"sha256:../../x"}]}`},
			says:   `"sha256:../../x" is not a digest`,
		},
		{"nothing at all is a layout", map[string]string{markerFile: marker, indexFile: "{}"}, ""},
	} {
		dir := filetest.New(t, tc.files)
		_, err := Open(dir)
		if tc.says == "" {
			if err != nil {
				t.Errorf("%s: %v", tc.reason, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), tc.says) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: want %q and the directory, got %v", tc.reason, tc.says, err)
		}
	}
	if _, err := Open(filepath.Join(t.TempDir(), "gone")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a directory that is not there: got %v", err)
	}
}

func TestBlob(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sum := sha512.Sum512([]byte("long"))
	long := "sha512:" + hex.EncodeToString(sum[:])
	blob := func(digest string) string { return "blobs/" + strings.Replace(digest, ":", "/", 1) }
	filetest.Write(t, dir, map[string]string{
		markerFile: marker, indexFile: "{}", blob(sumOf("one")): "one", blob(sumOf("two")): "tw0", blob(long): "long",
		blob(sumOf("dir")) + "/x": "", "secret": "secret",
	})
	if err := os.Symlink("/dev/zero", filepath.Join(dir, blob(sumOf("device")))); err != nil {
		t.Fatal(err)
	}
	l, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		reason, digest string
		limit          int64
		kind           error
		says           string
	}{
		{"it is there", sumOf("one"), 3, nil, ""},
		{"with a longer digest", long, 10, nil, ""},
		{"larger than the limit", sumOf("one"), 2, nil, "too large: expected at most 2"},
		{"changed", sumOf("two"), 10, ErrDamaged, "blobs/sha256/"},
		{"not there", sumOf("three"), 10, ErrMissing, ""},
		{"a directory", sumOf("dir"), 10, nil, "not a regular file"},
		{"a device, which never ends", sumOf("device"), 10, nil, "not a regular file"},
		{"a digest that leads out", "sha256:" + strings.Repeat("../", 20) + "etc", 10, nil, "is not a digest"},
		{"one of another kind", "md5:" + strings.Repeat("a", 32), 10, nil, "is not a digest"},
	} {
		_, err := l.Blob(tc.digest, tc.limit)
		if (err != nil) != (tc.kind != nil || tc.says != "") || tc.kind != nil && !errors.Is(err, tc.kind) || err != nil && !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: want %v %q, got %v", tc.reason, tc.kind, tc.says, err)
		}
	}
}
