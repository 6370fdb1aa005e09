package lock

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/durable/durabletest"
)

func TestReplaceOnAFaultyDisk(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, at, want string
	}{
		{"no fault, the new file", "", "new"},
		{"the directory takes no file", "create", "old"},
		{"the disk is full in the middle of the text", "write", "old"},
		{"the mode cannot be set", "chmod", "old"},
		{"the text does not reach the disk", "sync", "old"},
		{"the file system tells of a full disk when the file is closed", "close", "old"},
		{"the name cannot be taken", "rename", "old"},
		{"the directory does not reach the disk: the new file is there, and that it may not last is said", "sync directory", "new"},
	} {
		for _, old := range []string{"old", ""} {
			name := filepath.Join(t.TempDir(), "lock.yaml")
			var before []byte
			want := tc.want
			if old != "" {
				before = []byte(old)
				if err := os.WriteFile(name, before, 0o600); err != nil {
					t.Fatal(err)
				}
			} else if want == "old" {
				want = ""
			}
			err := replacer{disk: durabletest.Faulty(tc.at, 0)}.replace(name, before, []byte("new"))
			if (err != nil) != (tc.at != "") || err != nil && (!errors.Is(err, durabletest.ErrDisk) || !strings.Contains(err.Error(), name)) {
				t.Errorf("%s: the error is %v", tc.reason, err)
			}
			got, _ := os.ReadFile(name)
			if string(got) != want {
				t.Errorf("%s: want the file %q, got %q", tc.reason, want, got)
			}
			left, err := os.ReadDir(filepath.Dir(name))
			if count := map[bool]int{true: 0, false: 1}[want == ""]; err != nil || len(left) != count {
				t.Errorf("%s: want %d files, got %v (%v)", tc.reason, count, left, err)
			}
		}
	}
}

func TestReplace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string, mode fs.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	link := func(name, to string) string {
		path := filepath.Join(dir, name)
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("target.yaml", "old", 0o640)
	for _, tc := range []struct {
		reason, name string
		old          []byte
		fails        string
		leaves       string // in the file
	}{
		{"a new file", filepath.Join(dir, "new.yaml"), nil, "", "new"},
		{"an old one", write("old.yaml", "old", 0o600), []byte("old"), "", "new"},
		{"one that somebody changed since it was read", write("changed.yaml", "theirs", 0o600), []byte("old"), ErrChanged.Error(), "theirs"},
		{"one that somebody made since", write("made.yaml", "theirs", 0o600), nil, ErrChanged.Error(), "theirs"},
		{"one that somebody removed since", filepath.Join(dir, "removed.yaml"), []byte("old"), ErrChanged.Error(), ""},
		{"a link is followed and stays one", link("link.yaml", "target.yaml"), []byte("old"), "", "new"},
		{"a link that leads nowhere", link("dangling.yaml", "nothing.yaml"), nil, "broken link", ""},
		{"a directory that is none", filepath.Join(dir, "old.yaml", "lock.yaml"), nil, "old.yaml", ""},
		{"a directory that nobody may write into, root neither", "/proc/self/lock.yaml", nil, "/proc/self", ""},
	} {
		err := Replace(tc.name, tc.old, []byte("new"))
		if (err != nil) != (tc.fails != "") || err != nil && !strings.Contains(err.Error(), tc.fails) {
			t.Errorf("%s: want the error %q, got %v", tc.reason, tc.fails, err)
		}
		if got, _ := os.ReadFile(tc.name); string(got) != tc.leaves {
			t.Errorf("%s: want the file %q, got %q", tc.reason, tc.leaves, got)
		}
	}
	for name, mode := range map[string]fs.FileMode{"target.yaml": 0o640, "old.yaml": 0o600, "new.yaml": 0o644} {
		if info, err := os.Lstat(filepath.Join(dir, name)); err != nil || info.Mode() != mode {
			t.Errorf("%s: want a file of mode %v, got %v (%v)", name, mode, info.Mode(), err)
		}
	}
	if info, err := os.Lstat(filepath.Join(dir, "link.yaml")); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link must stay a link: %v", err)
	}
}
