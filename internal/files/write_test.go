package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// newTree makes a directory with files. With Git it looks like the top of a work tree.
func newTree(t *testing.T, files map[string]string) Tree {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		put(t, dir, name, text)
	}
	return Tree{typed: dir, real: dir, here: []string{dir}}
}

func inRepository(t *testing.T, files map[string]string) Tree {
	t.Helper()
	tree := newTree(t, files)
	asGit(t, filepath.Join(tree.real, ".git"))
	return tree
}

// asGit makes what Git takes for a Git directory.
func asGit(t *testing.T, dir string) {
	t.Helper()
	put(t, dir, "HEAD", "ref: refs/heads/main\n")
	for _, name := range []string{"objects", "refs"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	filetest.File(t, filepath.Join(dir, name), text)
}

// content returns all files of a tree, but those of Git.
func content(t *testing.T, tree Tree) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(tree.real, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == ".git" && d.IsDir():
			return filepath.SkipDir
		case d.Name() == ".git", d.IsDir():
			return nil
		}
		if info, err := os.Stat(path); err != nil || info.IsDir() {
			return nil //nolint:nilerr // a link
		}
		data, err := os.ReadFile(path)
		out[filepath.ToSlash(path[len(tree.real)+1:])] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func change(name, before, after string) Change {
	c := Change{Name: name}
	if before != "" {
		c.Before = []byte(before)
	}
	if after != "" {
		c.After = []byte(after)
	}
	return c
}

func prepared(t *testing.T, tree Tree, changes ...Change) ChangeSet {
	t.Helper()
	set, conflicts := tree.Prepare(changes)
	if err := joined(conflicts); err != nil {
		t.Fatal(err)
	}
	return set
}

func TestCommit(t *testing.T) {
	t.Parallel()
	tree := inRepository(t, map[string]string{"a": "1", "b/b": "2", "gone": "3", ".a.goldenarch-x.tmp": "mine"})
	if err := os.Chmod(filepath.Join(tree.real, "a"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("b", filepath.Join(tree.real, "dir")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("dir/b", filepath.Join(tree.real, "link")); err != nil {
		t.Fatal(err)
	}
	set := prepared(t, tree, change("a", "1", "one"), change("link", "2", "two"), change("dir/new", "", "new"), change("gone", "3", ""))
	if _, err := set.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a": "one", "b/b": "two", "b/new": "new", "link": "two", ".a.goldenarch-x.tmp": "mine"}
	if diff := cmp.Diff(want, content(t, tree)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if info, err := os.Stat(filepath.Join(tree.real, "a")); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v (%v)", info.Mode(), err)
	}
	for _, name := range []string{"dir", "link"} {
		if info, err := os.Lstat(filepath.Join(tree.real, name)); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("the link %s is %v (%v)", name, info.Mode(), err)
		}
	}
}

func TestPrepareRefuses(t *testing.T) {
	t.Parallel()
	outside := newTree(t, map[string]string{"x": "1"})
	tree := inRepository(t, map[string]string{"a": "1", "hard": "1", "new": "1", "dir/f": "1", "sub/.git": "1", "sub/.GIT/hooks/x": "1", ".git/config": "1"})
	link := func(to, name string) {
		if err := os.Symlink(to, filepath.Join(tree.real, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(filepath.Join(tree.real, "hard"), filepath.Join(tree.real, "hard2")); err != nil {
		t.Fatal(err)
	}
	link(filepath.Join(outside.real, "x"), "out")
	link(outside.real, "away")
	link("../"+filepath.Base(outside.real), "relative")
	link("a", "same")
	link(".git", "innocent")
	link(".git/config", "settings")
	link("nothing", "broken")
	for _, tc := range []struct {
		reason string
		change Change
		want   error
	}{
		{"somebody has changed it", change("a", "0", "x"), ErrChanged},
		{"somebody has made it", change("new", "", "x"), ErrChanged},
		{"it is gone", change("none", "1", "x"), fs.ErrNotExist},
		{"it has two names", change("hard", "1", "x"), errHardLink},
		{"the link leads out of the tree", change("out", "1", "x"), errLeads},
		{"a component leads out of the tree", change("away/x", "1", "x"), errLeads},
		{"a component leads out of the tree, for a new file", change("away/new", "", "x"), errLeads},
		{"a component leads up", change("relative/x", "1", "x"), errLeads},
		{"the name leads out of the tree", change("../"+filepath.Base(outside.real)+"/x", "1", "x"), errOutside},
		{"another tree", change(filepath.Join(outside.real, "x"), "1", "x"), errOutside},
		{"it is a directory", change("dir", "1", "x"), ErrNotRegular},
		{"it is a broken link", change("broken", "", "x"), errBrokenLink},
		{"it is named twice", change("same", "1", "x"), errSame},
		{"Git runs what its configuration names", change(".git/config", "1", "x"), errGit},
		{"a link to it", change("settings", "1", "x"), errGit},
		{"a link to its directory", change("innocent/config", "1", "x"), errGit},
		{"the Git directory of a submodule", change("sub/.git", "1", "x"), errGit},
		{"file systems that ignore case", change("sub/.GIT/hooks/x", "1", "x"), errGit},
	} {
		before := content(t, tree)
		if _, conflicts := tree.Prepare([]Change{change("a", "1", "y"), tc.change}); len(conflicts) != 1 || !errors.Is(conflicts[0], tc.want) ||
			conflicts[0].Name != tc.change.Name {
			t.Errorf("%s: got %v, want %v", tc.reason, conflicts, tc.want)
		}
		if diff := cmp.Diff(before, content(t, tree)); diff != "" {
			t.Errorf("%s: files were touched:\n%s", tc.reason, diff)
		}
	}
	if _, conflicts := tree.Prepare([]Change{change("none", "1", "x"), change("hard", "1", "x"), change("out", "1", "x")}); len(conflicts) != 3 {
		t.Errorf("want a conflict for each file, got %v", conflicts)
	}
}

// TestDotGit has the spellings that Git refuses (its test t1014-read-tree-confusing).
func TestDotGit(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		".git", ".GIT", ".gIt", ".git ", ".git.", ".git . .", "git~1", "GIT~1", "git~1 ", ".git::$INDEX_ALLOCATION", ".git:stream",
		".g\u200cit", "\u202e.git", ".git\ufeff", ".g\u206aIT", "a/.git/b", `a\.git\b`, "a/.g\u200dit",
	} {
		if !inGit(name) {
			t.Errorf("%q is Git's", name)
		}
	}
	for _, name := range []string{".gitignore", ".github", ".gitlab-ci.yml", "git", "x.git", "git~2", ".git~1", "..git", ".gi", "a.git/b", " .git"} {
		if inGit(name) {
			t.Errorf("%q is not Git's", name)
		}
	}
}

// TestDirectoryIsReplaced: a directory that somebody replaces by a link after the check is
// not followed.
func TestDirectoryIsReplaced(t *testing.T) {
	t.Parallel()
	outside := newTree(t, map[string]string{"f": "1"})
	for _, to := range []string{outside.real, "other"} {
		tree := inRepository(t, map[string]string{"dir/f": "1", "other/f": "1"})
		set := prepared(t, tree, change("dir/f", "1", "x"))
		if err := errors.Join(os.Rename(filepath.Join(tree.real, "dir"), filepath.Join(tree.real, "moved")),
			os.Symlink(to, filepath.Join(tree.real, "dir"))); err != nil {
			t.Fatal(err)
		}
		if _, err := set.Commit(t.Context()); err == nil {
			t.Errorf("%s: the link was followed", to)
		}
		for _, tree := range []Tree{tree, outside} {
			for name, text := range content(t, tree) {
				if text != "1" {
					t.Errorf("%s: %s has %q", to, name, text)
				}
			}
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	top := filepath.Dir(filepath.Dir(here))
	tree := newTree(t, map[string]string{
		"plain/a/x": "", "plain/b/y": "", "repo/sub/x": "", "repo/module/x": "", "other/x": "",
	})
	for _, name := range []string{"repo", "repo/module", "other"} {
		asGit(t, filepath.Join(tree.real, name, ".git"))
	}
	at := func(name string) string { return filepath.Join(tree.real, name) }
	for name, to := range map[string]string{"link": "repo", "repo/sub/away": "../../other"} {
		if err := os.Symlink(to, at(name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		reason      string
		paths       []string
		typed, real string
		fails       bool
	}{
		{"no path: the work tree here", nil, top, top, false},
		{"a path below", []string{"tree.go", "."}, top, top, false},
		{"a path that does not exist", []string{"none/x"}, top, top, false},
		{"elsewhere, in a repository", []string{at("repo/sub/x")}, at("repo"), at("repo"), false},
		{"a repository below another", []string{at("repo/module/x")}, at("repo/module"), at("repo/module"), false},
		{"a link above the repository", []string{at("link/sub")}, at("link"), at("repo"), false},
		{"a link in the repository chooses no other", []string{at("repo/sub/away/x")}, at("repo"), at("repo"), false},
		{"elsewhere, without Git", []string{at("plain/a/x")}, at("plain/a"), at("plain/a"), false},
		{"the directory above all", []string{at("plain/a/x"), at("plain/b")}, at("plain"), at("plain"), false},
		{"two repositories", []string{at("repo/sub/x"), at("other/x")}, "", "", true},
		{"a repository and none", []string{at("repo/sub/x"), at("plain/a")}, "", "", true},
		{"here and elsewhere", []string{".", at("other/x")}, "", "", true},
	} {
		got, err := FindTree(tc.paths)
		if (err != nil) != tc.fails || got.typed != tc.typed || got.real != tc.real {
			t.Errorf("%s: got %q, %q (%v)", tc.reason, got.typed, got.real, err)
		}
	}
}

// TestOutput: what the operator names for output is resolved as given, and nothing else is.
func TestOutput(t *testing.T) {
	t.Parallel()
	outside := newTree(t, map[string]string{"f": "1", "d/x": "1", ".git/config": "1"})
	tree := inRepository(t, map[string]string{"a": "1"})
	for name, to := range map[string]string{"f": "f", "dir": "", "repository": ".git", "d": "d"} {
		if err := os.Symlink(filepath.Join(outside.real, to), filepath.Join(tree.real, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(tree.Output(filepath.Join(tree.real, "f")), tree.Output(filepath.Join(tree.real, "dir")),
		tree.Output(filepath.Join(tree.real, "repository"))); err != nil {
		t.Fatal(err)
	}
	set := prepared(t, tree, change("a", "1", "one"), change("f", "1", "two"), change("dir/new", "", "three"))
	if _, err := set.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"f": "two", "d/x": "1", "new": "three"}, content(t, outside)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for name, want := range map[string]error{"d/x": errLeads, "repository/config": errGit} {
		if _, conflicts := tree.Prepare([]Change{change(name, "1", "x")}); len(conflicts) != 1 || !errors.Is(conflicts[0], want) {
			t.Errorf("%s: got %v, want %v", name, conflicts, want)
		}
	}
	if err := WriteOutput(filepath.Join(outside.real, ".git", "config"), []byte("x")); !errors.Is(err, errGit) {
		t.Errorf("want %v, got %v", errGit, err)
	}
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	tree := inRepository(t, map[string]string{"a": "1", "b": "2", "same": "3"})
	texts := map[string]string{}
	names := []string{"same", "b", "a", "new"}
	_, err := tree.Update(t.Context(), names, func(i int, text []byte) ([]byte, error) {
		texts[names[i]] = fmt.Sprintf("%q %v", text, text == nil)
		if names[i] == "same" {
			return text, nil
		}
		return append(text, '+'), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"same": `"3" false`, "b": `"2" false`, "a": `"1" false`, "new": `"" true`}, texts); diff != "" {
		t.Errorf("texts (-want +got):\n%s", diff)
	}
	want := map[string]string{"a": "1+", "b": "2+", "same": "3", "new": "+"}
	if diff := cmp.Diff(want, content(t, tree)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	wrong := errors.New("wrong")
	_, err = tree.Update(t.Context(), names, func(i int, text []byte) ([]byte, error) {
		if i == 3 {
			return nil, wrong
		}
		return append(text, '+'), nil
	})
	if diff := cmp.Diff(want, content(t, tree)); !errors.Is(err, wrong) || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if left := strings.Join(temporaries(t, tree.real), " "); left != "" {
		t.Errorf("%s is left", left)
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
		tree, err := FindTree([]string{path})
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
