package files

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// run runs git as a user does.
func run(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
}

// repositoryWith returns a repository with one commit.
func repositoryWith(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	run(t, dir, "init", "--quiet", "--initial-branch=main")
	write(t, filepath.Join(dir, "a.yaml"), "a\n")
	write(t, filepath.Join(dir, "deep", "b c.yaml"), "no newline at the end")
	write(t, filepath.Join(dir, ".gitattributes"), "*.yaml filter=evil diff=evil\n")
	for name, target := range map[string]string{"inside": "deep/b c.yaml", "outside": "../../etc/passwd", "absolute": "/etc/passwd"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	run(t, dir, "add", "--all")
	run(t, dir, "commit", "--quiet", "--message", "a")
	return dir
}

// exported returns the files and links of a directory.
func exported(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if entry.Type()&os.ModeSymlink != 0 {
			target, err := os.Readlink(path)
			out[name] = "-> " + target
			return err
		}
		text, err := os.ReadFile(path)
		out[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var whole = map[string]string{
	"a.yaml": "a\n", "deep/b c.yaml": "no newline at the end", ".gitattributes": "*.yaml filter=evil diff=evil\n", "inside": "-> deep/b c.yaml",
}

// TestExport: the files are those of the commit, whatever is in the work tree, in a
// worktree as well.
func TestExport(t *testing.T) {
	t.Parallel()
	dir := repositoryWith(t)
	write(t, filepath.Join(dir, "a.yaml"), "changed\n")
	worktree := filepath.Join(t.TempDir(), "w")
	run(t, dir, "worktree", "add", "--quiet", worktree, "-b", "other")
	for name, top := range map[string]string{"main": dir, "HEAD": dir, "HEAD^{commit}": dir, "other": worktree} {
		into := t.TempDir()
		if err := ExportCommit(t.Context(), top, name, into); err != nil {
			t.Errorf("%s of %s: %v", name, top, err)
			continue
		}
		if diff := cmp.Diff(whole, exported(t, into)); diff != "" {
			t.Errorf("%s of %s (-want +got):\n%s", name, top, diff)
		}
	}
	for _, ref := range []string{"missing", "", "--all", "--output=x", "HEAD:a.yaml", "-"} {
		if err := ExportCommit(t.Context(), dir, ref, t.TempDir()); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q", ref)) {
			t.Errorf("%q is not a commit: want an error that names it, got %v", ref, err)
		}
	}
}

// TestHostileRepository: what the configuration of a repository names is not run, and an
// object that is missing is not fetched.
func TestHostileRepository(t *testing.T) {
	t.Parallel()
	dir := repositoryWith(t)
	marker := filepath.Join(t.TempDir(), "ran")
	program := filepath.Join(t.TempDir(), "program")
	write(t, program, "#!/bin/sh\necho ran >> '"+marker+"'\n")
	hooks := filepath.Join(dir, ".git", "hooks")
	for _, hook := range []string{"post-checkout", "reference-transaction", "post-index-change", "fsmonitor-watchman"} {
		write(t, filepath.Join(hooks, hook), "#!/bin/sh\necho hook >> '"+marker+"'\n")
	}
	for key, value := range map[string]string{
		"core.fsmonitor": program, "core.hooksPath": hooks, "core.pager": program, "core.sshCommand": program, "core.editor": program,
		"core.gitProxy": program, "diff.external": program, "diff.evil.textconv": program, "filter.evil.smudge": program, "filter.evil.process": program,
		"credential.helper": "!" + program, "uploadpack.packObjectsHook": program, "core.alternateRefsCommand": program,
		"alias.rev-parse": "!" + program, "alias.cat-file": "!" + program, "alias.ls-tree": "!" + program,
	} {
		run(t, dir, "config", key, value)
	}
	into := t.TempDir()
	if err := ExportCommit(t.Context(), dir, "main", into); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(whole, exported(t, into)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	file := filepath.Join(dir, "a.yaml")
	if texts, err := indexTexts(t.Context(), dir, []string{file}); err != nil || string(texts[file]) != whole["a.yaml"] {
		t.Errorf("got %q (%v)", texts, err)
	}

	// A partial clone fetches what it lacks, with a program that the URL names.
	run(t, dir, "config", "core.repositoryFormatVersion", "1")
	run(t, dir, "config", "remote.origin.url", "ext::"+program)
	run(t, dir, "config", "remote.origin.promisor", "true")
	run(t, dir, "config", "remote.origin.partialclonefilter", "blob:none")
	run(t, dir, "config", "extensions.partialClone", "origin")
	run(t, dir, "config", "protocol.ext.allow", "always")
	object := blobOf(t, dir, "main:a.yaml")
	if err := os.Remove(filepath.Join(dir, ".git", "objects", object[:2], object[2:])); err != nil {
		t.Fatal(err)
	}
	if err := ExportCommit(t.Context(), dir, "main", t.TempDir()); err == nil {
		t.Error("a missing object must be an error")
	}
	if texts, err := indexTexts(t.Context(), dir, []string{file}); err != nil || len(texts) > 0 {
		t.Errorf("a missing object: got %q (%v)", texts, err)
	}
	if text, err := os.ReadFile(marker); err == nil {
		t.Errorf("a program of the repository ran: %s", text)
	}
}

func blobOf(t *testing.T, dir, name string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "git", "-C", dir, "-c", "core.fsmonitor=false", "--no-pager", "rev-parse", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// TestTop: the nearest tree, and the outermost one of a submodule.
func TestTop(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, filepath.Join(root, "super", ".git", "HEAD"), "")
	write(t, filepath.Join(root, "super", "sub", ".git"), "gitdir: ../.git/modules/sub\n")
	write(t, filepath.Join(root, "super", "sub", "deep", "x"), "")
	super, sub := filepath.Join(root, "super"), filepath.Join(root, "super", "sub")
	for dir, want := range map[string][2]string{
		filepath.Join(sub, "deep"): {sub, super}, sub: {sub, super}, super: {super, super}, root: {},
	} {
		if own, outermost := GitTop(dir); own != want[0] || outermost != want[1] {
			t.Errorf("%s: want %q, got %q and %q", dir, want, own, outermost)
		}
	}
}
