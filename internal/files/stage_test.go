package files_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/test/filetest"
)

// replace stages a text and puts it in the place of a file.
func replace(dir *files.Dir, name string) error {
	temporary, err := dir.Stage(name, []byte("new"), files.UsualMode)
	if err == nil {
		if err = dir.Rename(temporary, name); err != nil {
			err = errors.Join(err, dir.Remove(temporary))
		}
	}
	if err == nil {
		err = dir.Sync()
	}
	return err
}

// TestStage has the disk fail at each step: the file is the old one, or where only its
// lasting is in doubt the new one, and nothing else is left.
func TestStage(t *testing.T) {
	t.Parallel()
	for _, step := range append([]string{""}, filetest.Steps()...) {
		name := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		dir, err := files.OpenDir(filepath.Dir(name), filetest.Faulty(step, 0))
		if err != nil {
			t.Fatal(err)
		}
		err = replace(dir, "file")
		want := "old"
		if step == "" || step == "sync directory" {
			want = "new"
		}
		if got, _ := os.ReadFile(name); string(got) != want {
			t.Errorf("%q fails: want the file %q, got %q", step, want, got)
		}
		if (err != nil) != (step != "") || err != nil && !errors.Is(err, filetest.ErrDisk) {
			t.Errorf("%q fails: the error is %v", step, err)
		}
		if left, err := os.ReadDir(filepath.Dir(name)); err != nil || len(left) != 1 {
			t.Errorf("%q fails: want the file alone, got %v (%v)", step, left, err)
		}
	}
}

// TestBelow follows no link, and opens each directory below another.
func TestBelow(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	if err := errors.Join(os.MkdirAll(filepath.Join(top, "a", "b"), 0o700), os.Symlink("a", filepath.Join(top, "link")),
		os.Symlink(t.TempDir(), filepath.Join(top, "out")), os.WriteFile(filepath.Join(top, "a", "file"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	dir, err := files.OpenDir(top, nil)
	if err != nil {
		t.Fatal(err)
	}
	for path, ok := range map[string]bool{
		".": true, "a": true, "a/b": true, "link": false, "link/b": false, "out": false, "a/file": false, "none": false, "..": false,
	} {
		if _, err := dir.Below(filepath.FromSlash(path)); (err == nil) != ok {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestLeftovers: the names of temporary files are those alone that goldenarch gives them.
func TestLeftovers(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	for _, name := range []string{
		".f.goldenarch-1.tmp", ".f.2.tmp", ".f.goldenarch-x.tmp", ".f.goldenarch-.tmp", ".f.goldenarch-1.tmp.yaml", ".g.goldenarch-1.tmp", ".f.tmp", "f",
		".ff.goldenarch-1.tmp",
	} {
		if err := os.WriteFile(filepath.Join(top, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Mkdir(filepath.Join(top, ".f.goldenarch-2.tmp"), 0o700), os.Symlink("f", filepath.Join(top, ".f.goldenarch-3.tmp"))); err != nil {
		t.Fatal(err)
	}
	dir, err := files.OpenDir(top, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(dir.Leftovers("f"), " "); got != ".f.goldenarch-1.tmp" {
		t.Errorf("got %s", got)
	}
}

// TestLongNames: a name that is as long as a file system allows has temporary files too.
func TestLongNames(t *testing.T) {
	t.Parallel()
	name := strings.Repeat("é", 127)
	top := t.TempDir()
	dir, err := files.OpenDir(top, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := replace(dir, name); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(top, name)); string(got) != "new" {
		t.Errorf("got %q (%v)", got, err)
	}
}
