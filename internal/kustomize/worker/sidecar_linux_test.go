package worker

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// manifest is what the program is given beside a kustomization.
const manifest = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: beside}\n"

// repository is a Git repository with a kustomization, below a directory.
func repository(t *testing.T) string {
	t.Helper()
	return written(t, map[string]string{"repo/.git/HEAD": "", "repo/kustomization.yaml": "resources: [m.yaml]\n", "repo/m.yaml": fmt.Sprintf(object, 0)})
}

// copyProgram copies the program to a name. Another process writes the copy: if this one did,
// a program that a parallel test starts meanwhile could hold the file open, and the copy
// could not be run ("text file busy").
func copyProgram(t *testing.T, name string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), "cp", program(t, "goldenarch"), name).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// TestReplacedProgram: the workers are this program, also if its file has been removed or
// replaced since it started, as an update does.
func TestReplacedProgram(t *testing.T) {
	t.Parallel()
	for reason, replace := range map[string]func(name string) error{
		"removed": os.Remove,
		"replaced by another program": func(name string) error {
			if err := os.Remove(name); err != nil {
				return err
			}
			return os.WriteFile(name, []byte("#!/bin/sh\nexit 7\n"), 0o755)
		},
	} {
		dir := repository(t)
		name := filepath.Join(dir, "goldenarch")
		copyProgram(t, name)
		// It builds the kustomization when it has read standard input.
		run := exec.CommandContext(t.Context(), name, "render", "-", filepath.Join(dir, "repo"))
		in, err := run.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		run.Stdout, run.Stderr = &out, &errs
		if err := run.Start(); err != nil {
			t.Fatal(err)
		}
		if err := replace(name); err != nil {
			t.Fatal(err)
		}
		_, _ = in.Write([]byte(manifest))
		_ = in.Close()
		if err := run.Wait(); err != nil || !strings.Contains(out.String(), "name: m0") {
			t.Errorf("%s: %v\n%s%s", reason, err, out.String(), errs.String())
		}
	}
}

// TestSidecar: the program needs no home, no directory for temporary files and nothing that
// it can write to.
func TestSidecar(t *testing.T) {
	t.Parallel()
	root := rootOf(t, "/proc", "/dev")
	run := inRoot(t, root)
	out, err := run.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "name: m0") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestWithoutProc: a program that cannot find itself starts no worker, and says so.
func TestWithoutProc(t *testing.T) {
	t.Parallel()
	out, err := inRoot(t, rootOf(t)).CombinedOutput()
	for _, want := range []string{"GA001", ErrStart.Error(), self} {
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("want an error with %q, got %v\n%s", want, err, out)
		}
	}
}

// rootOf returns a directory that has the program, a repository and the given directories of
// this system, and no others.
func rootOf(t *testing.T, dirs ...string) string {
	t.Helper()
	root := repository(t)
	copyProgram(t, filepath.Join(root, "goldenarch"))
	for _, dir := range dirs {
		if err := os.Mkdir(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// inRoot returns a command that renders the repository of a root, in namespaces of its own:
// the root is read-only, and the environment is empty.
func inRoot(t *testing.T, root string) *exec.Cmd {
	t.Helper()
	const script = `set -e
PATH=$PATH:/usr/sbin:/sbin
mount --make-rprivate /
mount --rbind "$0" "$0"
cd "$0"
for d in proc dev; do if [ -d $d ]; then mount --rbind /$d $d; fi; done
mount -o remount,bind,ro "$0"
exec env -i "$(command -v chroot)" "$0" /goldenarch render /repo`
	run := exec.CommandContext(t.Context(), "/bin/sh", "-c", script, root)
	run.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Getuid() != 0 {
		run.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		run.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		run.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	return run
}
