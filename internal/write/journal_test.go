package write

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/durable"
	"github.com/goldenarch/goldenarch/internal/pathname"
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

// interruptedIn returns the journal of a run that is killed in a tree.
func interruptedIn(t *testing.T, tree Tree) string {
	t.Helper()
	put(t, tree.real, "a", "1")
	put(t, tree.real, "b", "2")
	killed(t, prepared(t, tree, change("a", "1", "one"), change("b", "2", "two")), "b")
	journal, err := tree.Pending()
	if err != nil {
		t.Fatal(err)
	}
	return journal
}

// TestJournalPlace: the journal is in the Git directory of the work tree, or in the user's
// state directory, and only its owner may read it.
func TestJournalPlace(t *testing.T) {
	state := t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	repository := newTree(t, nil).real
	git(t, repository, "init", "-q")
	git(t, repository, "commit", "-q", "--allow-empty", "-m", "x")
	worktree := filepath.Join(newTree(t, nil).real, "linked")
	git(t, repository, "worktree", "add", "-q", worktree)
	git(t, repository, "-c", "protocol.file.allow=always", "submodule", "add", "-q", repository, "module")
	none := newTree(t, nil).real
	readOnly := newTree(t, nil).real
	asGit(t, filepath.Join(readOnly, ".git"))
	if err := os.Mkdir(durable.LockName(filepath.Join(readOnly, ".git", gitJournal)), 0o700); err != nil { // root can write everywhere else
		t.Fatal(err)
	}
	empty := newTree(t, nil).real
	if err := os.Mkdir(filepath.Join(empty, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	linked := newTree(t, nil).real
	if err := os.Symlink(filepath.Join(repository, ".git"), filepath.Join(linked, ".git")); err != nil {
		t.Fatal(err)
	}
	inState := filepath.Join(state, "goldenarch")
	for _, tc := range []struct{ reason, top, want string }{
		{"a repository", repository, filepath.Join(repository, ".git")},
		{"a linked worktree has its own", worktree, filepath.Join(repository, ".git", "worktrees", "linked")},
		{"a submodule has its own", filepath.Join(repository, "module"), filepath.Join(repository, ".git", "modules", "module")},
		{"no Git", none, inState},
		{"the Git directory cannot be written", readOnly, inState},
		{"Git would not take it for one", empty, inState},
		{"the Git directory of another work tree", linked, inState},
	} {
		tree := Tree{typed: tc.top, real: tc.top, here: []string{tc.top}}
		journal := interruptedIn(t, tree)
		if filepath.Dir(journal) != tc.want {
			t.Errorf("%s: the journal is %s, want it in %s", tc.reason, journal, tc.want)
		}
		if info, err := os.Lstat(journal); err != nil || info.Mode() != durable.Private {
			t.Errorf("%s: the mode is %v (%v)", tc.reason, info.Mode(), err)
		}
		done, err := tree.Recover()
		if diff := cmp.Diff([]string{filepath.Join(tc.top, "b")}, done.Written); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", tc.reason, err, diff)
		}
		if now := content(t, tree); now["a"] != "one" || now["b"] != "two" {
			t.Errorf("%s: got %v", tc.reason, now)
		}
	}
}

// TestNoJournalPlace: without a place for the journal several files are not written, and
// one is.
func TestNoJournalPlace(t *testing.T) {
	for reason, env := range map[string]string{"no home": "", "below the tree": "TREE/state", "it cannot be made": "/proc/none"} {
		tree := newTree(t, map[string]string{"a": "1", "b": "2"})
		t.Setenv("HOME", "")
		t.Setenv("XDG_STATE_HOME", strings.Replace(env, "TREE", tree.real, 1))
		if err := prepared(t, tree, change("a", "1", "one"), change("b", "2", "two")).Commit(); !errors.Is(err, ErrNoPlace) {
			t.Errorf("%s: want %v, got %v", reason, ErrNoPlace, err)
		}
		if diff := cmp.Diff(map[string]string{"a": "1", "b": "2"}, content(t, tree)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", reason, diff)
		}
		if err := prepared(t, tree, change("a", "1", "one")).Commit(); err != nil {
			t.Errorf("%s: one file: %v", reason, err)
		}
	}
}

// TestJournalOfOutputs: files out of the tree are recovered only from the user's own
// directory: whoever packs a Git directory could plant a journal.
func TestJournalOfOutputs(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	outside := newTree(t, map[string]string{"x": "1"})
	tree := inRepository(t, map[string]string{"a": "1"})
	if err := tree.OutputDir(outside.real); err != nil {
		t.Fatal(err)
	}
	killed(t, prepared(t, tree, change("a", "1", "one"), change(filepath.Join(outside.real, "x"), "1", "two")), "a")
	journal, err := tree.Pending()
	if err != nil || pathname.Within(journal, tree.real) {
		t.Fatalf("the journal is %s (%v)", journal, err)
	}
	text, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	planted := filepath.Join(tree.real, ".git", gitJournal)
	if err := os.WriteFile(planted, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Recover(); !errors.Is(err, errJournal) {
		t.Errorf("want %v, got %v", errJournal, err)
	}
	if err := os.Remove(planted); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Recover(); err != nil {
		t.Error(err)
	}
	if got := content(t, tree)["a"] + content(t, outside)["x"]; got != "onetwo" {
		t.Errorf("got %s", got)
	}
}

// TestJournalIsRefused: goldenarch obeys only what it wrote for this tree as this user, and
// reports anything else.
func TestJournalIsRefused(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	outside := newTree(t, map[string]string{"x": "1"})
	journalOf := func(root, path string) string {
		text, err := json.Marshal(journal{Journal: journalVersion, Root: root, Files: []entry{{Path: path, After: []byte("planted")}}})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, tc := range []struct {
		reason string
		plant  func(tree Tree) error
	}{
		{"an empty file", func(tree Tree) error { return os.WriteFile(filepath.Join(tree.real, ".git", gitJournal), nil, 0o600) }},
		{"an earlier version", func(tree Tree) error {
			return os.WriteFile(filepath.Join(tree.real, ".git", gitJournal), []byte(`{"goldenarchJournal": "v1"}`), 0o600)
		}},
		{"another tree", func(tree Tree) error {
			return os.WriteFile(filepath.Join(tree.real, ".git", gitJournal), []byte(journalOf("/elsewhere", "x")), 0o600)
		}},
		{"a path out of the tree", func(tree Tree) error {
			return os.WriteFile(filepath.Join(tree.real, ".git", gitJournal), []byte(journalOf(tree.real, "../x")), 0o600)
		}},
		{"an absolute path", func(tree Tree) error {
			return os.WriteFile(filepath.Join(tree.real, ".git", gitJournal), []byte(journalOf(tree.real, "/x")), 0o600)
		}},
		{"Git's configuration", func(tree Tree) error {
			return os.WriteFile(filepath.Join(tree.real, ".git", gitJournal), []byte(journalOf(tree.real, ".git/config")), 0o600)
		}},
		{"Git's configuration in another spelling", func(tree Tree) error {
			return os.WriteFile(filepath.Join(tree.real, ".git", gitJournal), []byte(journalOf(tree.real, "sub/.g\u200cIT/config")), 0o600)
		}},
		{"others may read it, as Git checks files out", func(tree Tree) error {
			return os.WriteFile(filepath.Join(tree.real, ".git", gitJournal), []byte(journalOf(tree.real, "x")), 0o644)
		}},
		{"a link", func(tree Tree) error {
			return os.Symlink(filepath.Join(tree.real, "planted.json"), filepath.Join(tree.real, ".git", gitJournal))
		}},
		{"a second name of another file", func(tree Tree) error {
			return os.Link(filepath.Join(tree.real, "planted.json"), filepath.Join(tree.real, ".git", gitJournal))
		}},
		{"another owner", func(tree Tree) error {
			name := filepath.Join(tree.real, ".git", gitJournal)
			return os.WriteFile(name, []byte(journalOf(tree.real, "x")), 0o600)
		}},
		{"the Git directory of another owner", func(tree Tree) error {
			dir := filepath.Join(tree.real, ".git")
			return os.WriteFile(filepath.Join(dir, gitJournal), []byte(journalOf(tree.real, "x")), 0o600)
		}},
		{"a .git file that names a directory of the tree", func(tree Tree) error {
			put(t, tree.real, "evil/"+gitJournal, journalOf(tree.real, "x"))
			asGit(t, filepath.Join(tree.real, "evil"))
			put(t, tree.real, "evil/gitdir", filepath.Join(tree.real, ".git"))
			return errors.Join(os.RemoveAll(filepath.Join(tree.real, ".git")), os.WriteFile(filepath.Join(tree.real, ".git"), []byte("gitdir: evil\n"), 0o600))
		}},
		{"a .git file that names the repository of somebody else", func(tree Tree) error {
			other := inRepository(t, nil)
			put(t, other.real, ".git/"+gitJournal, journalOf(tree.real, "x"))
			return errors.Join(os.RemoveAll(filepath.Join(tree.real, ".git")),
				os.WriteFile(filepath.Join(tree.real, ".git"), []byte("gitdir: "+filepath.Join(other.real, ".git")+"\n"), 0o600))
		}},
	} {
		tree := inRepository(t, map[string]string{"a": "1"})
		put(t, tree.real, "planted.json", journalOf(tree.real, "x"))
		if err := os.Symlink(outside.real, filepath.Join(tree.real, "link")); err != nil {
			t.Fatal(err)
		}
		if err := tc.plant(tree); err != nil {
			t.Fatalf("%s: %v", tc.reason, err)
		}
		if of := map[string]string{"another owner": gitJournal, "the Git directory of another owner": "."}[tc.reason]; of != "" {
			foreign, err := os.Lstat(filepath.Join(tree.real, ".git", of))
			if err != nil {
				t.Fatal(err)
			}
			tree.owned = func(info fs.FileInfo) bool { return isOurs(info) && !os.SameFile(info, foreign) }
		}
		before := content(t, tree)
		if name, err := tree.Pending(); name == "" || !errors.Is(err, errJournal) {
			t.Errorf("%s: it is not reported: %q (%v)", tc.reason, name, err)
		}
		for _, do := range []func() (Recovered, error){tree.Recover, tree.Abort} {
			if _, err := do(); !errors.Is(err, errJournal) {
				t.Errorf("%s: want %v, got %v", tc.reason, errJournal, err)
			}
		}
		if diff := cmp.Diff(before, content(t, tree)); diff != "" {
			t.Errorf("%s: it was obeyed:\n%s", tc.reason, diff)
		}
	}
	// What goldenarch could have named, and is something else now, is left: it is no reason
	// to refuse each later run.
	for reason, replace := range map[string]func(tree Tree) error{
		"a link out of the tree": func(tree Tree) error { return os.Symlink(outside.real, filepath.Join(tree.real, "link")) },
		"a link in the tree":     func(tree Tree) error { return os.Symlink("dir", filepath.Join(tree.real, "link")) },
		"a file":                 func(tree Tree) error { return os.WriteFile(filepath.Join(tree.real, "link"), nil, 0o600) },
		"nothing":                func(Tree) error { return nil },
	} {
		tree := inRepository(t, map[string]string{"dir/a": "1"})
		if err := replace(tree); err != nil {
			t.Fatal(err)
		}
		put(t, tree.real, ".git/"+gitJournal, journalOf(tree.real, "link/new"))
		done, err := tree.Recover()
		if diff := cmp.Diff([]string{filepath.Join(tree.real, "link", "new")}, done.Left); err != nil || diff != "" || len(content(t, outside)) != 1 {
			t.Errorf("the directory is %s: %v (-want +got)\n%s", reason, err, diff)
		}
		if journal, err := tree.Pending(); journal != "" || err != nil {
			t.Errorf("the directory is %s: %s stays (%v)", reason, journal, err)
		}
		if now := content(t, tree); len(now) > 2 || now["dir/a"] != "1" {
			t.Errorf("the directory is %s: got %v", reason, now)
		}
	}
}

// TestOldJournal: a file with the name of the journal of earlier versions is found beside
// the files and above them, and is no journal.
func TestOldJournal(t *testing.T) {
	t.Parallel()
	tree := inRepository(t, map[string]string{
		oldJournal: "{}", "a/" + oldJournal: "{}", "b/" + oldJournal: "{}", "..c/" + oldJournal: "{}", "a/b/x": "1", "..c/x": "1",
	})
	want := inTree(tree, []string{oldJournal, "a/" + oldJournal, "..c/" + oldJournal})
	if diff := cmp.Diff(want, tree.OldJournals([]string{"a/b/x", "..c/x"})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if name, err := tree.Pending(); name != "" || err != nil {
		t.Errorf("got %s (%v)", name, err)
	}
}

// TestPendingAround: a run that was interrupted in a submodule, in the repository of one, or
// in a directory above counts for the files that both trees have. What another user or an
// archive put there does not.
func TestPendingAround(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	for _, tc := range []struct {
		reason       string
		git          []string // the directories of repositories
		killed, then string
		planted      bool
	}{
		{"in the repository of a submodule", []string{".", "sub"}, ".", "sub", false},
		{"in a submodule", []string{".", "sub"}, "sub", ".", false},
		{"in a directory above, without Git", nil, ".", "sub", false},
		{"in a directory below, without Git", nil, "sub", ".", false},
		{"in a submodule below the path", []string{".", "sub"}, "sub", ".", false},
		{"a journal that goldenarch does not obey", []string{".", "sub"}, ".", "sub", true},
	} {
		top := newTree(t, map[string]string{"sub/x": "1", "sub/y": "2"})
		for _, dir := range tc.git {
			asGit(t, filepath.Join(top.real, dir, ".git"))
		}
		treeAt := func(dir string) Tree {
			at := filepath.Join(top.real, dir)
			return Tree{typed: at, real: at, here: []string{at}}
		}
		name := func(file string) string { return filepath.Join(top.real, "sub", file) }
		first, second := treeAt(tc.killed), treeAt(tc.then)
		killed(t, prepared(t, first, change(name("x"), "1", "one"), change(name("y"), "2", "two")), "y")
		journal, err := first.Pending()
		if err != nil || journal == "" {
			t.Fatalf("%s: no journal (%v)", tc.reason, err)
		}
		if tc.planted {
			if err := os.Chmod(journal, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		read := name("y")
		if tc.reason == "in a submodule below the path" {
			read = top.real
		}
		found := second.PendingAround([]string{read})
		err = prepared(t, second, change(name("y"), "2", "three")).Commit()
		if tc.planted {
			if len(found) > 0 || err != nil {
				t.Errorf("%s: got %v (%v)", tc.reason, found, err)
			}
			continue
		}
		if diff := cmp.Diff([]Interrupted{{Root: first.real, Journal: journal}}, found); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
		if !errors.Is(err, ErrPending) {
			t.Errorf("%s: want %v, got %v", tc.reason, ErrPending, err)
		}
		if _, err := first.Abort(); err != nil {
			t.Fatal(err)
		}
		if err := prepared(t, second, change(name("y"), "2", "three")).Commit(); err != nil {
			t.Errorf("%s: after --abort: %v", tc.reason, err)
		}
	}
}

// TestPathWithLinks: without Git a path elsewhere must have no links.
func TestPathWithLinks(t *testing.T) {
	top := newTree(t, map[string]string{"here/x": "1", "there/dir/x": "1"})
	if err := os.Symlink(filepath.Join(top.real, "there"), filepath.Join(top.real, "link")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(top.real, "here"))
	for path, want := range map[string]error{
		"../there/dir": nil, "../there/dir/x": nil, "../link/dir": errLinkedPath, "../link": errLinkedPath,
		filepath.Join(top.real, "link", "dir", "x"): errLinkedPath,
	} {
		tree, err := Find([]string{path})
		if err != nil {
			t.Fatal(err)
		}
		name := path
		if filepath.Base(path) != "x" {
			name = filepath.Join(path, "x")
		}
		if _, err := tree.locate(name); !errors.Is(err, want) {
			t.Errorf("%s: want %v, got %v", path, want, err)
		}
	}
}
