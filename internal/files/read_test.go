package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadUpTo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	full := file("full", "12345")
	link := filepath.Join(dir, "link")
	if err := os.Symlink("full", link); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		reason, path string
		sizeLimit    int64
		want         string
		err          error
	}{
		"Full":      {"a file of just the limit is read", full, 5, "12345", nil},
		"TooLarge":  {"one byte more is not", full, 4, "", ErrTooLarge},
		"Empty":     {"an empty file is one", file("empty", ""), 4, "", nil},
		"Link":      {"a link to a regular file is one, as in a mounted Secret", link, 5, "12345", nil},
		"Null":      {"/dev/null is how people name an empty file", os.DevNull, 5, "", nil},
		"Directory": {"a directory is not a file", dir, 5, "", ErrNotRegular},
		"Missing":   {"the caller asks whether a file is there", filepath.Join(dir, "none"), 5, "", fs.ErrNotExist},
	} {
		got, err := ReadUpTo(tc.path, tc.sizeLimit)
		if string(got) != tc.want || !errors.Is(err, tc.err) || (err == nil) != (tc.err == nil) {
			t.Errorf("%s: %s: want %q, %v, got %q, %v", name, tc.reason, tc.want, tc.err, got, err)
		}
		if err != nil && !strings.Contains(err.Error(), filepath.Base(tc.path)) {
			t.Errorf("%s: the error does not name the file: %v", name, err)
		}
	}
}

// A stream is read up to the limit, and no further than one byte behind it.
func TestStreams(t *testing.T) {
	t.Parallel()
	if data, err := upTo("stdin", strings.NewReader("12345"), sizeLimit{bytes: 5}, 0); string(data) != "12345" || err != nil {
		t.Errorf("want all of it, got %q, %v", data, err)
	}
	long := strings.NewReader(strings.Repeat("x", 100))
	if _, err := upTo("stdin", long, sizeLimit{bytes: 5}, 0); !errors.Is(err, ErrTooLarge) || long.Len() != 94 {
		t.Errorf("want %v with 94 bytes left, got %v with %d", ErrTooLarge, err, long.Len())
	}
	for limit, want := range map[int64]error{5: nil, 4: ErrTooLarge} {
		_, err := io.ReadAll(limited(strings.NewReader("12345"), sizeLimit{bytes: limit}))
		if !errors.Is(err, want) {
			t.Errorf("5 bytes where %d are allowed: want %v, got %v", limit, want, err)
		}
	}
}

func TestLimitValue(t *testing.T) {
	t.Parallel()
	for size, want := range map[int64]string{1: "1", 1023: "1023", 1 << 10: "1Ki", 1536: "1536", DefaultLimit: "64Mi", 3 << 30: "3Gi", 1 << 40: "1024Gi"} {
		if got := written(size); got != want {
			t.Errorf("%d: want %s, got %s", size, want, got)
		}
	}
	for _, text := range []string{"", "0", "-1", "Mi", "1.5Gi", "1e9", "1025Gi", "99999999999999999999", "64MB", "0x10"} {
		if err := (LimitValue{}).Set(text); err == nil {
			t.Errorf("%q is taken for a size", text)
		}
	}
	if Limit() != DefaultLimit {
		t.Errorf("what is no size changed the limit to %d", Limit())
	}
}
