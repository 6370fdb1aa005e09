package durable_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/durable"
	"github.com/goldenarch/goldenarch/internal/durable/durabletest"
)

// TestWrite has the disk fail at each step: the file is the old one, or where
// only its lasting is in doubt the new one, and nothing else is left.
func TestWrite(t *testing.T) {
	t.Parallel()
	for _, step := range append([]string{""}, durabletest.Steps()...) {
		name := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		err := durable.Write(durabletest.Faulty(step, 0), name, ".file.*", 0o640, []byte("new"))
		want := "old"
		if step == "" || step == "sync directory" {
			want = "new"
		}
		if got, _ := os.ReadFile(name); string(got) != want {
			t.Errorf("%q fails: want the file %q, got %q", step, want, got)
		}
		if (err != nil) != (step != "") || err != nil && !errors.Is(err, durabletest.ErrDisk) ||
			errors.Is(err, durable.ErrMayNotLast) != (step == "sync directory") {
			t.Errorf("%q fails: the error is %v", step, err)
		}
		if left, err := os.ReadDir(filepath.Dir(name)); err != nil || len(left) != 1 {
			t.Errorf("%q fails: want the file alone, got %v (%v)", step, left, err)
		}
	}
}

// TestWriteKeepsTheOwner: a file that root writes stays its owner's, and one that is
// new is the writer's.
func TestWriteKeepsTheOwner(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason   string
		is, root bool
		want     [][2]int
	}{
		{"root gives it back to its owner", true, true, [][2]int{{os.Getuid(), os.Getgid()}}},
		{"others give it to its group, if they may", true, false, [][2]int{{os.Getuid(), os.Getgid()}, {-1, os.Getgid()}}},
		{"a new file is nobody else's", false, true, nil},
	} {
		name := filepath.Join(t.TempDir(), "file")
		if tc.is {
			if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chown(name, os.Getuid(), os.Getgid()); err != nil { // the directory may give it to its own group
				t.Fatal(err)
			}
		}
		var given [][2]int
		if err := durable.Write(durabletest.Owned(!tc.root, &given), name, ".file.*", 0o640, []byte("new")); err != nil {
			t.Errorf("%s: %v", tc.reason, err)
		}
		if diff := cmp.Diff(tc.want, given); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o640 {
			t.Errorf("%s: want the mode 0640, got %v (%v)", tc.reason, info, err)
		}
	}
}
