package fileset

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/durable"
)

// tree makes a directory with files.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		put(t, dir, name, text)
	}
	return dir
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// content returns all files of a directory.
func content(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if info, err := os.Stat(path); err != nil || info.IsDir() {
			return err // a link
		}
		data, err := os.ReadFile(path)
		out[filepath.ToSlash(path[len(dir)+1:])] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func change(dir, name, before, after string) Change {
	c := Change{Name: filepath.Join(dir, name)}
	if before != "" {
		c.Before = []byte(before)
	}
	if after != "" {
		c.After = []byte(after)
	}
	return c
}

func TestWrite(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"a": "1", "b/b": "2", "gone": "3", ".a.goldenarch-1.tmp": "left by a killed run"})
	if err := os.Chmod(filepath.Join(dir, "a"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("b/b", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	set, err := Prepare(dir,
		[]Change{change(dir, "a", "1", "one"), change(dir, "link", "2", "two"), change(dir, "b/new", "", "new"), change(dir, "gone", "3", "")})
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Write(); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a": "one", "b/b": "two", "b/new": "new", "link": "two"}
	if diff := cmp.Diff(want, content(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if info, err := os.Stat(filepath.Join(dir, "a")); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v (%v)", info.Mode(), err)
	}
	if info, err := os.Lstat(filepath.Join(dir, "link")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v (%v)", info.Mode(), err)
	}
}

// TestWriteRemovesLeftovers: a process that was killed while it wrote its journal has
// left a part of it.
func TestWriteRemovesLeftovers(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"a": "1", "..goldenarch-fix.json.goldenarch-1.tmp": "{", "..goldenarch-fix.json.mine": "2"})
	set, err := Prepare(dir, []Change{change(dir, "a", "1", "3")})
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Write(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"a": "3", "..goldenarch-fix.json.mine": "2"}, content(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPrepareRefuses(t *testing.T) {
	t.Parallel()
	outside := tree(t, map[string]string{"x": "1"})
	dir := tree(t, map[string]string{"a": "1", "hard": "1", "new": "1", "dir/f": "1"})
	if err := errors.Join(os.Link(filepath.Join(dir, "hard"), filepath.Join(dir, "hard2")),
		os.Symlink(filepath.Join(outside, "x"), filepath.Join(dir, "out")), os.Symlink("a", filepath.Join(dir, "same"))); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		reason string
		change Change
		want   error
	}{
		{"somebody has changed it", change(dir, "a", "0", "x"), ErrChanged},
		{"somebody has made it", change(dir, "new", "", "x"), ErrChanged},
		{"it is gone", change(dir, "none", "1", "x"), os.ErrNotExist},
		{"it has two names", change(dir, "hard", "1", "x"), ErrHardLink},
		{"the link leads out of the tree", change(dir, "out", "1", "x"), ErrLeads},
		{"it is a directory", change(dir, "dir", "1", "x"), ErrDirectory},
		{"it is named twice", change(dir, "same", "1", "x"), ErrSame},
	} {
		before := content(t, dir)
		if _, err := Prepare(dir, []Change{change(dir, "a", "1", "y"), tc.change}); !errors.Is(err, tc.want) {
			t.Errorf("%s: got %v, want %v", tc.reason, err, tc.want)
		}
		if diff := cmp.Diff(before, content(t, dir)); diff != "" {
			t.Errorf("%s: files were touched:\n%s", tc.reason, diff)
		}
	}
}

// TestRecover: whatever of a step is done when the process ends, the next run does the
// rest, and leaves alone what somebody has changed.
func TestRecover(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason        string
		now           map[string]string
		want          map[string]string
		written, left int
	}{
		{"nothing is done", map[string]string{"a": "1", "b": "2", "gone": "3"}, map[string]string{"a": "one", "b": "two", "new": "n"}, 4, 0},
		{
			reason:  "one file is done",
			now:     map[string]string{"a": "one", "b": "2", "gone": "3", ".b.goldenarch-7.tmp": "tw"},
			want:    map[string]string{"a": "one", "b": "two", "new": "n"},
			written: 3,
		},
		{"all is done", map[string]string{"a": "one", "b": "two", "new": "n"}, map[string]string{"a": "one", "b": "two", "new": "n"}, 0, 0},
		{"somebody has changed one", map[string]string{"a": "one", "b": "mine", "gone": "3"}, map[string]string{"a": "one", "b": "mine", "new": "n"}, 2, 1},
		{"somebody has removed one", map[string]string{"a": "one", "new": "n"}, map[string]string{"a": "one", "new": "n"}, 0, 1},
	} {
		dir := tree(t, map[string]string{"a": "1", "b": "2", "gone": "3"})
		set, err := Prepare(dir, []Change{change(dir, "a", "1", "one"), change(dir, "b", "2", "two"), change(dir, "new", "", "n"), change(dir, "gone", "3", "")})
		if err != nil {
			t.Fatal(err)
		}
		if err := writeJournal(durable.System{}, set); err != nil {
			t.Fatal(err)
		}
		for name := range content(t, dir) {
			if name != journalFile {
				if err := os.Remove(filepath.Join(dir, name)); err != nil {
					t.Fatal(err)
				}
			}
		}
		for name, text := range tc.now {
			put(t, dir, name, text)
		}
		written, left, err := Recover(dir)
		if err != nil || len(written) != tc.written || len(left) != tc.left {
			t.Errorf("%s: wrote %v and left %v (%v)", tc.reason, written, left, err)
		}
		if diff := cmp.Diff(tc.want, content(t, dir)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestRecoverRefuses: a journal is only believed as far as goldenarch writes one.
func TestRecoverRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "{}", `{"goldenarchJournal": "v2"}`, `{"goldenarchJournal": "v1", "files": [{"path": "../x", "after": "eA=="}]}`,
		`{"goldenarchJournal": "v1", "files": [{"path": "/x", "after": "eA=="}]}`, `{"goldenarchJournal": "v1", "files": [{"path": "link/x", "after": "eA=="}]}`,
	} {
		outside := t.TempDir()
		dir := tree(t, map[string]string{"sub/" + journalFile: text})
		if err := os.Symlink(outside, filepath.Join(dir, "sub", "link")); err != nil {
			t.Fatal(err)
		}
		before := content(t, filepath.Join(dir, "sub"))
		_, _, err := Recover(filepath.Join(dir, "sub"))
		if err == nil || len(content(t, outside)) > 0 || len(content(t, dir)) != len(before) {
			t.Errorf("%s: got %v and %v", text, err, content(t, dir))
		}
	}
}
