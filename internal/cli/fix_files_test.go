//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFixInReadOnlyDirectory: one directory that cannot be written among several leaves all
// files as they are, and the next run is not blocked.
func TestFixInReadOnlyDirectory(t *testing.T) {
	t.Parallel()
	dir := repository(t, "testdata/fix/three_files")
	before := filesBelow(t, dir)
	base := filepath.Join(dir, "base")
	name, err := program()
	if err != nil {
		t.Fatal(err)
	}
	var credential *syscall.Credential
	if os.Geteuid() == 0 { // root can write into every directory
		const nobody = 65534
		credential = &syscall.Credential{Uid: nobody, Gid: nobody}
		name = copiedProgram(t)
		for at := dir; at != os.TempDir() && at != "/"; at = filepath.Dir(at) {
			if err := os.Chmod(at, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return os.Lchown(path, nobody, nobody)
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(base, 0o555); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (string, int) {
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = dir
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: credential}
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return string(out), cmd.ProcessState.ExitCode()
	}
	out, status := run("fix", "overlay")
	if status != statusFailed || !strings.Contains(out, "permission denied") {
		t.Errorf("want a failure, got %d\n%s", status, out)
	}
	if diff := cmp.Diff(before, filesBelow(t, dir)); diff != "" {
		t.Errorf("files were changed:\n%s", diff)
	}
	if err := os.Chmod(base, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, status := run("fix", "--check", "overlay"); status != statusDiffers {
		t.Errorf("the next run is blocked (%d):\n%s", status, out)
	}
	if out, status := run("fix", "overlay"); status != statusOK {
		t.Errorf("the next run fails (%d):\n%s", status, out)
	}
}

// copiedProgram returns a copy of the test binary that every user can run.
func copiedProgram(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "goldenarch-program-") // every user must reach it, and the directories of the test are private
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	to := filepath.Join(dir, "goldenarch")
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := goldenarch(t, "copy-to", dir).CombinedOutput(); err != nil { // a process of its own: this one forks meanwhile
		t.Fatalf("%v\n%s", err, out)
	}
	return to
}

// TestNewFilesFollowTheUmask: a new file has the mode that the umask leaves, and a file
// that is there keeps its own.
func TestNewFilesFollowTheUmask(t *testing.T) {
	t.Parallel()
	l := newLockedTree(t)
	l.write("hco.yaml", l.cr("x/fedora:1"))
	for mask, want := range map[string]os.FileMode{"077": 0o600, "002": 0o664} {
		name := l.path("lock" + mask + ".yaml")
		child := goldenarch(t, "lock", l.dir, "--file", name, "--set", "registryInsecure="+l.registry.Host())
		shell := exec.CommandContext(t.Context(), "/bin/sh", slices.Concat([]string{"-c", "umask " + mask + ` && exec "$@"`, "sh"}, child.Args)...)
		shell.Env = child.Env
		if out, err := shell.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if info, err := os.Stat(name); err != nil || info.Mode() != want {
			t.Errorf("umask %s: the mode is %v, want %v (%v)", mask, info.Mode(), want, err)
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}
