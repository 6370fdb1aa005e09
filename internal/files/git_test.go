package files

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// git runs Git in a directory.
func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// treeAt returns the tree of a directory.
func treeAt(dir string) Tree { return Tree{typed: dir, real: dir, here: []string{dir}} }

// committed makes a repository with files and commits them.
func committed(t *testing.T, files map[string]string, options ...string) Tree {
	t.Helper()
	tree := newTree(t, files)
	git(t, tree.real, append([]string{"init", "-q"}, options...)...)
	git(t, tree.real, "add", ".")
	git(t, tree.real, "commit", "-q", "--allow-empty", "-m", "x")
	return tree
}

// TestUncommitted: a commit names each file whose old text Git does not have.
func TestUncommitted(t *testing.T) {
	t.Parallel()
	edit := func(name, text string) func(t *testing.T, tree Tree) {
		return func(t *testing.T, tree Tree) {
			t.Helper()
			put(t, tree.real, name, text)
		}
	}
	for _, tc := range []struct {
		reason  string
		before  func(t *testing.T, tree Tree)
		change  Change
		options []string
		want    string
	}{
		{reason: "committed", change: change("a", "1", "x")},
		{reason: "edited since", before: edit("a", "mine"), change: change("a", "mine", "x"), want: "a"},
		{reason: "in a directory", before: edit("d/b", "mine"), change: change("d/b", "mine", "x"), want: "d/b"},
		{reason: "staged", before: func(t *testing.T, tree Tree) {
			t.Helper()
			put(t, tree.real, "a", "mine")
			git(t, tree.real, "add", "a")
		}, change: change("a", "mine", "x")},
		{reason: "never added", before: edit("new", "mine"), change: change("new", "mine", "x"), want: "new"},
		{reason: "a new file has no old text", change: change("new", "", "x")},
		{reason: "a file that goes", before: edit("a", "mine"), change: change("a", "mine", ""), want: "a"},
		{reason: "Git has other line ends than the checkout", before: edit("lines", "1\r\n2\r\n"), change: change("lines", "1\r\n2\r\n", "x")},
		{reason: "a name like a pattern", before: edit("*", "mine"), change: change("*", "mine", "x"), want: "*"},
		{reason: "committed, with ids of SHA-256", change: change("a", "1", "x"), options: []string{"--object-format=sha256"}},
		{
			reason: "edited since, with ids of SHA-256", before: edit("a", "mine"), change: change("a", "mine", "x"),
			options: []string{"--object-format=sha256"}, want: "a",
		},
		{reason: "no repository", before: func(t *testing.T, tree Tree) {
			t.Helper()
			if err := os.RemoveAll(filepath.Join(tree.real, ".git")); err != nil {
				t.Fatal(err)
			}
		}, change: change("a", "1", "x")},
		{reason: "a repository that Git cannot read", before: edit(".git/HEAD", "?"), change: change("a", "1", "x")},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			tree := committed(t, map[string]string{"a": "1", "d/b": "2", "lines": "1\n2\n", "*": "3"}, tc.options...)
			if tc.before != nil {
				tc.before(t, tree)
			}
			written, err := prepared(t, tree, tc.change).Commit(t.Context())
			if got := strings.Join(written.Uncommitted, " "); got != tc.want || err != nil {
				t.Errorf("got %q, want %q (%v)", got, tc.want, err)
			}
		})
	}
}

// TestUncommittedElsewhere: each file counts in the work tree that holds it, also in a linked one
// and in a submodule.
func TestUncommittedElsewhere(t *testing.T) {
	t.Parallel()
	top := committed(t, map[string]string{"a": "1"}).real
	linked := filepath.Join(newTree(t, nil).real, "linked")
	git(t, top, "worktree", "add", "-q", linked)
	git(t, top, "-c", "protocol.file.allow=always", "submodule", "add", "-q", top, "module")
	for _, dir := range []string{linked, filepath.Join(top, "module")} {
		for text, want := range map[string]string{"1": "", "mine": "a"} {
			put(t, dir, "a", text)
			written, err := prepared(t, treeAt(dir), change("a", text, "x")).Commit(t.Context())
			if got := strings.Join(written.Uncommitted, " "); got != want || err != nil {
				t.Errorf("%s with %q: got %q, want %q (%v)", dir, text, got, want, err)
			}
		}
	}
}

// TestLeftoversAreRemoved: what a killed run left beside a file goes and is named, unless Git tracks
// it or cannot say so. Other files stay.
func TestLeftoversAreRemoved(t *testing.T) {
	t.Parallel()
	const left, tracked, of = "d/.a.goldenarch-1.tmp", "d/.a.goldenarch-2.tmp", "d/.other.goldenarch-3.tmp"
	files := map[string]string{"d/a": "1", tracked: "committed", "d/.a.tmp": "mine"}
	for reason, tc := range map[string]struct {
		git   string // removed in the repository
		stays []string
	}{
		"a repository":                      {stays: []string{tracked, of}},
		"no repository":                     {git: ".git", stays: []string{of}},
		"a repository that Git cannot read": {git: ".git/HEAD", stays: []string{left, tracked, of}},
	} {
		tree := committed(t, files)
		put(t, tree.real, left, "half")
		put(t, tree.real, of, "half")
		if tc.git != "" {
			if err := os.RemoveAll(filepath.Join(tree.real, tc.git)); err != nil {
				t.Fatal(err)
			}
		}
		written, err := prepared(t, tree, change("d/a", "1", "x")).Commit(t.Context())
		if err != nil {
			t.Fatalf("%s: %v", reason, err)
		}
		want := map[string]bool{left: true, tracked: true, of: true}
		for _, name := range tc.stays {
			delete(want, name)
		}
		got, now := map[string]bool{}, content(t, tree)
		for _, name := range []string{left, tracked, of} {
			if _, ok := now[name]; !ok {
				got[name] = true
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || len(written.Removed) != len(want) || now["d/.a.tmp"] != "mine" || now["d/a"] != "x" {
			t.Errorf("%s: %v (-want +got):\n%s", reason, written.Removed, diff)
		}
	}
}

// TestTwoRuns: of two runs that read the same files, the second writes none of them.
func TestTwoRuns(t *testing.T) {
	t.Parallel()
	tree := inRepository(t, oldTexts)
	first, second := prepared(t, tree, change("a", "1", "one")), prepared(t, tree, change("d/b", "2", "other"), change("a", "1", "other"))
	if _, err := first.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := second.Commit(t.Context()); err == nil || !strings.Contains(err.Error(), ErrChanged.Error()) {
		t.Errorf("want %v, got %v", ErrChanged, err)
	}
	if diff := cmp.Diff(map[string]string{"a": "one", "d/b": "2", "gone": "3"}, content(t, tree)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestUpdatesAtOnce: of several that add to one file at once each adds its line, also if one names
// the file for output and another one has it in its tree.
func TestUpdatesAtOnce(t *testing.T) {
	t.Parallel()
	tree := inRepository(t, map[string]string{"d/a": "0\n"})
	file := filepath.Join(tree.real, "d", "a")
	named := tree
	if err := named.Output(file); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for i := range 20 {
		wait.Go(func() {
			_, err := []Tree{tree, named}[i%2].Update(t.Context(), []string{file}, func(_ int, text []byte) ([]byte, error) {
				return fmt.Appendf(text, "%d\n", i), nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if lines := strings.Count(content(t, tree)["d/a"], "\n"); lines != 21 {
		t.Errorf("want 21 lines, got %d", lines)
	}
}
