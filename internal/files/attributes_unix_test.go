//go:build linux || darwin

package files_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/test/filetest"
)

func owner(t *testing.T, name string) []int {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		t.Fatal("the system does not say who owns a file")
	}
	return []int{int(stat.Uid), int(stat.Gid)}
}

// TestStageKeepsTheOwner: a file that root writes stays its owner's. Who cannot change the
// owner writes it all the same.
func TestStageKeepsTheOwner(t *testing.T) {
	t.Parallel()
	for _, step := range []string{"", "chown"} {
		name := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		if os.Geteuid() == 0 {
			if err := os.Chown(name, 12345, 12346); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chmod(name, 0o640); err != nil {
			t.Fatal(err)
		}
		dir, err := files.OpenDir(filepath.Dir(name), filetest.Faulty(step, 0))
		if err != nil {
			t.Fatal(err)
		}
		before := owner(t, name)
		if step == "chown" {
			before[0] = os.Geteuid()
		}
		if err := replace(dir, "file"); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, owner(t, name)); diff != "" {
			t.Errorf("%q fails (-want +got):\n%s", step, diff)
		}
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o640 {
			t.Errorf("want the mode 0640, got %v (%v)", info, err)
		}
	}
}

// TestStageKeepsAttributes: extended attributes survive, and if one cannot, the file stays
// as it is. A file system without them has none to keep; there the step is reached as well.
func TestStageKeepsAttributes(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	name := filepath.Join(top, "file")
	if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	wanted := map[string][]byte{"user.note": []byte("keep me"), "user.empty": {}, "user.large": make([]byte, 1000)}
	has := true
	for attribute, value := range wanted {
		if err := unix.Setxattr(name, attribute, value, 0); errors.Is(err, unix.ENOTSUP) {
			has = false
		} else if err != nil {
			t.Fatal(err)
		}
	}
	reached := 0
	dir, err := files.OpenDir(top, func(step, _ string) error {
		if step == "attributes" {
			reached++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := replace(dir, "file"); err != nil || reached != 1 {
		t.Fatalf("the attributes were copied %d times (%v)", reached, err)
	}
	for attribute, value := range wanted {
		got := make([]byte, 2000)
		n, err := unix.Getxattr(name, attribute, got)
		if has && (err != nil || !slices.Equal(got[:n], value)) {
			t.Errorf("%s is lost (%v)", attribute, err)
		}
	}
	if dir, err = files.OpenDir(top, filetest.Faulty("attributes", 0)); err != nil {
		t.Fatal(err)
	}
	if err := replace(dir, "file"); !errors.Is(err, filetest.ErrDisk) {
		t.Errorf("want %v, got %v", filetest.ErrDisk, err)
	}
}
