package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLockBesideTheFile: who has locked a file renders it without a registry. Each verb
// reads the lock that lies beside the CR, once, whatever else names it.
func TestLockBesideTheFile(t *testing.T) {
	t.Parallel()
	const gi = "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\nspec: "
	for _, tc := range []struct {
		reason string
		prep   func(l *lockedTree)
		args   []string
		status int
		stderr string // part of it
		never  string // not on standard error
	}{
		{reason: "render", args: []string{"render", "DIR/hco.yaml", "--offline"}},
		{
			reason: "check, which has another error here",
			args:   []string{"check", "DIR/hco.yaml", "--offline", "-o=json"},
			status: 1,
			stderr: "error GA517",
			never:  "GA601",
		},
		{reason: "Require is the same", args: []string{"render", "DIR/hco.yaml", "--set=lock=Require"}},
		{
			reason: "without --offline it answers too, and no registry is asked",
			prep:   func(l *lockedTree) { l.registry.Close() }, args: []string{"render", "DIR/hco.yaml"}, never: "GA601",
		},
		{reason: "by a path with a dot", args: []string{"render", "DIR/./hco.yaml", "--offline"}},
		{
			reason: "that spec.inputs names it too is no second lock", prep: func(l *lockedTree) { l.write("gi.yaml", gi+"{inputs: ["+lockFile+"]}\n") },
			args: []string{"render", "DIR/hco.yaml", "--offline"},
		},
		{reason: "nor that it is a PATH", args: []string{"render", "DIR/hco.yaml", "DIR/" + lockFile, "--offline"}},
		{
			reason: "a CR in a List", prep: func(l *lockedTree) {
				l.write("hco.yaml", "apiVersion: v1\nkind: List\nitems:\n- "+strings.ReplaceAll(strings.TrimSpace(l.read("hco.yaml")), "\n", "\n  ")+"\n")
			}, args: []string{"render", "DIR/hco.yaml", "--offline"},
		},
		{
			reason: "a lock beside a file without a CR is another one's",
			prep:   func(l *lockedTree) { l.write("x/nodes.yaml", onlyOwn); l.write("x/"+lockFile, "a: [") },
			args:   []string{"render", "DIR/hco.yaml", "DIR/x/nodes.yaml", "--offline", "--set=lock=Require"},
		},
		{
			reason: "one that cannot be read is an error", prep: func(l *lockedTree) { l.write(lockFile, "a: [") },
			args: []string{"render", "DIR/hco.yaml"}, status: 1, stderr: "(DIR/" + lockFile + ")",
		},
		{
			reason: "unless no lock is read", prep: func(l *lockedTree) { l.write(lockFile, "a: [") },
			args: []string{"render", "DIR/hco.yaml", "--set=lock=Ignore"},
		},
		{
			reason: "one that lacks an image is",
			prep:   func(l *lockedTree) { l.write(lockFile, emptyLock) },
			args:   []string{"render", "DIR/hco.yaml", "--offline"},
			status: 1,
			stderr: "goldenarch lock DIR/hco.yaml --only",
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			l := newLockedTree(t)
			l.write("hco.yaml", l.cr("x/fedora:1"))
			if status, _, stderr := l.run(nil, "lock", "DIR/hco.yaml"); status != 0 {
				t.Fatalf("lock: %d\n%s", status, stderr)
			}
			if tc.prep != nil {
				tc.prep(l)
			}
			status, out, stderr := l.run(nil, append(tc.args, stated, "--release=1.19")...)
			want := strings.ReplaceAll(tc.stderr, "DIR", l.dir)
			if status != tc.status || !strings.Contains(stderr, want) || tc.never != "" && strings.Contains(stderr, tc.never) {
				t.Errorf("want status %d and %q, not %q: got %d\n%s%s", tc.status, want, tc.never, status, out, stderr)
			}
		})
	}
}

// TestLockThatAKustomizationListsAlready: who lists the lock first can write it then.
func TestLockThatAKustomizationListsAlready(t *testing.T) {
	t.Parallel()
	const config = "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\nspec: {cluster: {workloadArchitectures: [amd64, arm64]}"
	for _, tc := range []struct {
		reason string
		files  map[string]string
		args   []string // of lock, after the directory
		lock   string   // where it is written; "" if the build fails
	}{
		{"in the base", map[string]string{"base/kustomization.yaml": "resources: [hco.yaml, " + lockFile + "]\n"}, nil, "base/" + lockFile},
		{"in the overlay", map[string]string{"overlay/kustomization.yaml": "resources: [../base, gi.yaml, " + lockFile + "]\n"}, nil, "overlay/" + lockFile},
		{
			"with another name",
			map[string]string{"overlay/kustomization.yaml": "resources: [../base, gi.yaml, images.yaml]\n"},
			[]string{"--file=DIR/overlay/images.yaml"},
			"overlay/images.yaml",
		},
		{
			"by spec.inputs", map[string]string{
				"overlay/gi.yaml":            config + ", inputs: [" + lockFile + "]}\n",
				"overlay/kustomization.yaml": "resources: [../base]\ntransformers: [gi.yaml]\n",
			}, nil, "overlay/" + lockFile,
		},
		{"another file that is not there stays an error", map[string]string{"base/kustomization.yaml": "resources: [hco.yaml, none.yaml]\n"}, nil, ""},
		{
			reason: "and with --file for another one",
			files:  map[string]string{"base/kustomization.yaml": "resources: [hco.yaml, none.yaml]\n"},
			args:   []string{"--file=DIR/other.yaml"},
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			l := newLockedTree(t)
			l.write("base/hco.yaml", l.cr("x/fedora:1"))
			l.write("base/kustomization.yaml", "resources: [hco.yaml]\n")
			l.write("overlay/kustomization.yaml", "resources: [../base, gi.yaml]\n")
			l.write("overlay/gi.yaml", config+"}\n")
			for name, text := range tc.files {
				l.write(name, text)
			}
			if tc.lock != "" && tc.args == nil { // of another name nobody knows that it is a lock
				status, _, stderr := l.run(nil, "render", "DIR/overlay", "--offline")
				if status != 1 || !strings.Contains(stderr, "goldenarch lock") || strings.Contains(stderr, "read the lock") {
					t.Errorf("render: want the command that writes the lock, got %d\n%s", status, stderr)
				}
			}
			status, _, stderr := l.run(nil, append([]string{"lock", "DIR/overlay"}, tc.args...)...)
			if tc.lock == "" {
				if status != 1 || !strings.Contains(stderr, "none.yaml") {
					t.Errorf("want an error about none.yaml, got %d\n%s", status, stderr)
				}
				return
			}
			if status != 0 || !strings.Contains(l.read(tc.lock), "x/fedora:1") || strings.Contains(stderr, "GA119") {
				t.Fatalf("want %s written, got %d\n%s", tc.lock, status, stderr)
			}
			before := l.read(tc.lock)
			if status, out, stderr := l.run(nil, "render", "DIR/overlay", "--offline"); status != 0 || !strings.Contains(out, "amd64,arm64") {
				t.Errorf("render: %d\n%s", status, stderr)
			}
			if status, _, stderr := l.run(nil, append([]string{"lock", "DIR/overlay"}, tc.args...)...); status != 0 || l.read(tc.lock) != before {
				t.Errorf("a second run changes nothing: %d\n%s\n%s", status, stderr, cmp.Diff(before, l.read(tc.lock)))
			}
		})
	}
}
