package cli

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

func TestCopyTo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	target := filepath.Join(dir, "goldenarch")
	// A restarted init container finds the copy of an older program, which may run.
	if err := os.WriteFile(target, []byte("old"), 0o500); err != nil {
		t.Fatal(err)
	}
	running, err := os.Open(target)
	if err != nil {
		t.Fatal(err)
	}
	defer running.Close()
	if out, reported := ask(t, "copy-to", dir); out != "" || !strings.Contains(reported, target) {
		t.Errorf("want the place on standard error alone, got %q and %q", out, reported)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	want := filetest.Read(t, self)
	got, err := os.ReadFile(target)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("the copy is not this program: %v", err)
	}
	if info, err := os.Stat(target); err != nil || info.Mode() != 0o755 {
		t.Errorf("want the mode 0755, got %v, %v", info.Mode(), err)
	}
	old := make([]byte, 4)
	if n, _ := running.Read(old); string(old[:n]) != "old" {
		t.Error("whoever runs the old program has lost it")
	}
	onlyIn(t, dir, "goldenarch")
}

func TestCopyToFails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "goldenarch"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		reason   string
		args     []string
		status   int
		reported string
	}{
		"NoDirectory": {"a volume that is not mounted is named", []string{filepath.Join(dir, "none")}, statusFailed, "none"},
		"InTheWay":    {"what is in the way is named", []string{dir}, statusFailed, "rename"},
		"NoArgument":  {"where to?", nil, statusMisuse, "needs DIR"},
		"Two":         {"where to?", []string{dir, dir}, statusMisuse, "takes 1 argument at most"},
	} {
		status, _, errs := runFed(t, "", append([]string{"copy-to"}, tc.args...)...)
		if status != tc.status || !strings.Contains(errs, tc.reported) {
			t.Errorf("%s: %s: status %d, told %q", name, tc.reason, status, errs)
		}
	}
	onlyIn(t, dir, "goldenarch")
}

// onlyIn wants nothing else in a directory.
func onlyIn(t *testing.T, dir, name string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil || len(list) != 1 || list[0].Name() != name {
		t.Errorf("something was left behind: %v, %v", names(list), err)
	}
}

func names(list []fs.DirEntry) []string {
	var out []string
	for _, entry := range list {
		out = append(out, entry.Name())
	}
	return out
}
