package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	emptyLock = "apiVersion: goldenarch.dev/v1alpha1\nkind: ArchitectureLock\nmetadata: {name: l}\nimages: []\n"
)

// TestLockOfInputs: files of spec.inputs are relative to the kustomization that
// lists the configuration. The lock that is read is the one that is compared and
// written, and findings name it as it can be opened.
func TestLockOfInputs(t *testing.T) {
	for _, tc := range []struct {
		reason    string
		lock      string // among spec.inputs
		cwd, path string // where goldenarch runs, and what it is given
		shown     string // the lock in messages
	}{
		{reason: "from above", lock: lockFile, cwd: ".", path: "ov", shown: "ov/" + lockFile},
		{reason: "in a directory of its own", lock: "lk/lock.yaml", cwd: ".", path: "ov", shown: "ov/lk/lock.yaml"},
		{reason: "from the kustomization itself", lock: lockFile, cwd: "ov", path: ".", shown: lockFile},
		{reason: "from beside", lock: lockFile, cwd: "beside", path: "../ov", shown: "../ov/" + lockFile},
		{reason: "by a link to the working directory", lock: lockFile, cwd: "deep/er/link", path: "DIR/ov", shown: "../ov/" + lockFile},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			l := newLockedTree(t)
			l.write("ov/hco.yaml", l.cr("x/fedora:1"))
			l.write("ov/kustomization.yaml", "resources: [hco.yaml]\ntransformers: [gi.yaml]\n")
			l.write("ov/gi.yaml",
				"apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\nspec: {inputs: ["+tc.lock+
					"], cluster: {workloadArchitectures: [amd64, arm64]}}\n")
			l.write("ov/"+tc.lock, emptyLock)
			l.write("beside/empty.yaml", "")
			l.write("deep/er/empty.yaml", "")
			if err := os.Symlink(l.path("beside"), l.path("deep/er/link")); err != nil {
				t.Fatal(err)
			}
			t.Chdir(l.path(tc.cwd))
			t.Setenv("PWD", l.path(tc.cwd)) // as a shell says it, links and all

			command := "goldenarch lock " + strings.ReplaceAll(tc.path, "DIR", l.dir) + " --only " + l.ref("x/fedora:1")
			if status, _, stderr := l.run(nil, "render", tc.path, "--offline"); status != 1 || !strings.Contains(stderr, command) {
				t.Errorf("%s: render must name %q: %d\n%s", tc.reason, command, status, stderr)
			}
			status, _, stderr := l.run(nil, "lock", tc.path, "--check")
			if status != 3 || !strings.Contains(stderr, "goldenarch: "+tc.shown+" differs") {
				t.Errorf("%s: --check of an empty lock: want status 3 of %s, got %d\n%s", tc.reason, tc.shown, status, stderr)
			}
			if status, _, stderr := l.run(nil, "lock", tc.path); status != 0 || !strings.Contains(stderr, "goldenarch: wrote "+tc.shown+"\n") {
				t.Fatalf("%s: want %s written, got %d\n%s", tc.reason, tc.shown, status, stderr)
			}
			if !strings.Contains(l.read("ov/"+tc.lock), "x/fedora:1") {
				t.Errorf("%s: the lock that is read must be the one that is written:\n%s", tc.reason, l.read("ov/"+tc.lock))
			}
			if tc.cwd != "ov" && l.read(filepath.Join(tc.cwd, tc.lock)) != "" {
				t.Errorf("%s: a lock is in the working directory", tc.reason)
			}
			for _, args := range [][]string{{"lock", tc.path, "--check", "--prune"}, {"render", tc.path, "--offline"}} {
				if status, _, stderr := l.run(nil, args...); status != 0 {
					t.Errorf("%s: %s must go on: %d\n%s", tc.reason, args[0], status, stderr)
				}
			}
			l.write("ov/"+tc.lock, "a: [")
			if status, _, stderr := l.run(nil, "render", tc.path); status != 1 || !strings.Contains(stderr, "("+tc.shown+")") {
				t.Errorf("%s: what cannot be read is named as %s: %d\n%s", tc.reason, tc.shown, status, stderr)
			}
		})
	}
}

// TestLockByTwoNames: a lock and a link to it are one lock.
func TestLockByTwoNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a-link.yaml", "z-link.yaml"} {
		l := newLockedTree(t)
		l.write(lockFile, emptyLock)
		if err := os.Symlink(lockFile, l.path(name)); err != nil {
			t.Fatal(err)
		}
		if status, _, stderr := l.run(nil, "lock", "DIR"); status != 0 {
			t.Errorf("a lock and %s are one file: %d\n%s", name, status, stderr)
		}
		if info, err := os.Lstat(l.path(name)); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s must stay a link: %v %v", name, info, err)
		}
		if !strings.Contains(l.read(lockFile), "x/fedora:1") {
			t.Errorf("the file behind %s must be written:\n%s", name, l.read(lockFile))
		}
	}
}
