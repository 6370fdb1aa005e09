package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestDiffIsAppliedByGit: whatever the names of a file and its directories hold, "git
// apply" changes that file and no other.
func TestDiffIsAppliedByGit(t *testing.T) {
	for _, name := range []string{
		"plain.yaml", "a b.yaml", "grün.yaml", `q"uote.yaml`, `back\slash.yaml`, "tab\t.yaml", "line\nend.yaml", "bell\a\x1b[2J\x7f.yaml",
		"##[group].yaml", "dir/::error::.yaml", "x\n--- a/other.yaml\n+++ b/other.yaml\n@@ -1 +1 @@\n-a\n+b/hco.yaml", "a\u202eb.yaml", "\xff.yaml", "sp ace\n.yaml",
	} {
		for _, tc := range []struct {
			reason        string
			before, after []byte
		}{
			{"edited", []byte("a: 1\nb: 2\n"), []byte("a: 1\nb: 3\n")},
			{"created", nil, []byte("a: 1\n")},
			{"without an end", []byte("a: 1"), []byte("a: 2\x1b[2J")},
		} {
			dir := t.TempDir()
			t.Chdir(dir)
			put := func(file string, text []byte) {
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				filetest.File(t, file, string(text))
			}
			put("other.yaml", []byte("a\n"))
			if tc.before != nil {
				put(name, tc.before)
			}
			var out bytes.Buffer
			if err := writeDiff(console.New(&out, &out), dir, []files.Change{{Name: name, Before: tc.before, After: tc.after}}); err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{{"init", "-q"}, {"apply", "-"}} {
				git := exec.CommandContext(t.Context(), "git", args...)
				git.Stdin = strings.NewReader(out.String())
				if text, err := git.CombinedOutput(); err != nil {
					t.Errorf("%q %s: git %s: %v %s of\n%s", name, tc.reason, args[0], err, text, out.String())
				}
			}
			if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, tc.after) {
				t.Errorf("%q %s: want %q, got %q %v of\n%s", name, tc.reason, tc.after, got, err, out.String())
			}
			if other, _ := os.ReadFile("other.yaml"); string(other) != "a\n" {
				t.Errorf("%q %s: another file was changed to %q", name, tc.reason, other)
			}
			if heads := strings.Count(out.String(), "\n+++ "); heads > 1 {
				t.Errorf("%q %s: %d files in\n%s", name, tc.reason, heads, out.String())
			}
		}
	}
}

// TestDiffOnATerminal: the contents of a file steer no terminal, and the lines stay.
func TestDiffOnATerminal(t *testing.T) {
	t.Parallel()
	const diff = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\x1b[2J\r\n-b \u202ec\n+##[group]\n\\ No newline at end of file\n"
	const want = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\\x1b[2J\\r\n-b \\u202ec\n+\\x23#[group]\n\\ No newline at end of file\n"
	if got := visible(diff); got != want {
		t.Errorf("want %q, got %q", want, got)
	}
}

// TestDiffOutsideTheTree: files that the operator names for output, and those of bases
// beside a directory without Git, are in the diff, too.
func TestDiffOutsideTheTree(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	copyTree(t, "testdata/init/application_of_argocd", filepath.Join(dir, "cluster"))
	if err := os.Mkdir(filepath.Join(dir, "argocd"), 0o700); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"init", "--argocd", "../argocd", "--argocd-image", "registry.example.com/goldenarch:1"},
		strings.Fields(golden(t, "testdata/init/application_of_argocd", "args.txt"))...)
	diff, messages, status := runIn(t, filepath.Join(dir, "cluster"), append(args, "--diff")...)
	if status != statusDiffers || !strings.Contains(diff, "\n+++ b/argocd/kustomization.yaml\n") {
		t.Errorf("got %d\n%s%s", status, messages, diff)
	}
	succeeds(t, filepath.Join(dir, "cluster"), args...)
	if _, err := os.Stat(filepath.Join(dir, "argocd", "kustomization.yaml")); err != nil {
		t.Error(err)
	}
}
