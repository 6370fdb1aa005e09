package cli

import (
	"os"
	"strings"
	"testing"
)

// newLockedRepository makes a repository with two overlays over one base, the second with
// an image of its own, and a plain directory.
func newLockedRepository(t *testing.T) *lockedTree {
	t.Helper()
	l := newLockedTree(t)
	cr := l.read("hco.yaml")
	l.remove("hco.yaml")
	l.write("base/hco.yaml", cr)
	l.write("base/kustomization.yaml", "resources: [hco.yaml, golden-images.lock.yaml]\n")
	l.write("overlays/prod/kustomization.yaml", "resources: [../../base]\n")
	l.write("overlays/lab/kustomization.yaml", "resources: [../../base]\npatches: [{path: patch.yaml}]\n")
	l.write("overlays/lab/patch.yaml", l.cr("x/single:1"))
	l.write("plain/hco.yaml", l.cr("x/single:1"))
	return l
}

func (l *lockedTree) remove(name string) {
	l.t.Helper()
	if err := os.Remove(l.path(name)); err != nil {
		l.t.Fatal(err)
	}
}

// TestLockRepository: in a repository each cluster gets its lock, or the one that it
// shares, and each image is queried once.
func TestLockRepository(t *testing.T) {
	t.Parallel()
	const base, plain = "base/golden-images.lock.yaml", "plain/golden-images.lock.yaml"
	for _, tc := range []struct {
		reason string
		prep   func(l *lockedTree)
		args   []string
		status int
		stderr string
		base   []string // in the shared lock after; "-x" is not in it
		plain  []string
		asked  int // manifests; 0 is not checked
	}{
		{
			reason: "the shared lock has the images of all its clusters, and the plain directory has its own",
			base:   []string{"x/fedora:1", "x/rhel10-guest:latest", "x/single:1"}, plain: []string{"x/single:1", "-x/fedora:1"}, asked: 3,
		},
		{
			reason: "a second run writes nothing",
			prep: func(l *lockedTree) {
				l.run(nil, "lock", "DIR")
				l.write(base, "# mine\n"+l.read(base))
			},
			base: []string{"# mine\n", "x/single:1"}, plain: []string{"x/single:1"},
		},
		{
			reason: "--check writes nothing, and says what would change", args: []string{"--check"}, status: statusDiffers,
			stderr: "base/golden-images.lock.yaml does not exist: write it with: goldenarch lock", base: []string{"-x/"}, plain: []string{"-x/"},
		},
		{
			reason: "one image that cannot be resolved leaves all locks as they are", status: statusFailed,
			prep:   func(l *lockedTree) { l.write("plain/hco.yaml", l.cr("x/missing:1")) },
			stderr: "x/missing:1", base: []string{"-x/"}, plain: []string{"-x/"},
		},
		{
			reason: "--prune keeps what one of the clusters refers to", args: []string{"--prune"},
			prep: func(l *lockedTree) {
				l.run(nil, "lock", "DIR")
				l.write("base/hco.yaml", l.cr("x/fedora:1"))
			},
			base: []string{"x/fedora:1", "x/single:1", "-x/rhel10-guest"},
		},
		{
			reason: "--only queries that image for the clusters that refer to it", args: []string{"--only", "HOST/x/fedora:1"},
			base: []string{"x/fedora:1", "-x/single:1"}, plain: []string{"-x/"}, asked: 1,
		},
		{
			reason: "--only of an image of no cluster", args: []string{"--only", "HOST/x/other:1"}, status: statusFailed,
			stderr: "which no cluster of the repository refers to", base: []string{"-x/"},
		},
		{
			reason: "--file is one lock for all", args: []string{"--file", "DIR/all.yaml"}, base: []string{"-x/"}, plain: []string{"-x/"}, asked: 3,
			stderr: "all.yaml",
		},
		{
			reason: "a base that does not list the lock is reported",
			prep:   func(l *lockedTree) { l.write("base/kustomization.yaml", "resources: [hco.yaml]\n") },
			stderr: "warning GA119", base: []string{"x/single:1"},
		},
		{
			reason: "a repository without a CR has nothing to lock", stderr: "error GA003", status: statusFailed,
			prep: func(l *lockedTree) {
				l.write("base/hco.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kubevirt-hyperconverged}\n")
				l.write("overlays/lab/kustomization.yaml", "resources: [../../base]\n")
				l.remove("plain/hco.yaml")
			},
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			l := newLockedRepository(t)
			if tc.prep != nil {
				tc.prep(l)
			}
			before := l.registry.Counts().Manifest
			status, _, stderr := l.run(nil, append([]string{"lock", "DIR"}, tc.args...)...)
			if status != tc.status || !strings.Contains(stderr, tc.stderr) {
				t.Fatalf("status %d, want %d and %q\n%s", status, tc.status, tc.stderr, stderr)
			}
			if asked := l.registry.Counts().Manifest - before; tc.asked > 0 && asked != tc.asked {
				t.Errorf("want %d manifests, got %d", tc.asked, asked)
			}
			for file, want := range map[string][]string{base: tc.base, plain: tc.plain} {
				for _, text := range want {
					absent := strings.HasPrefix(text, "-")
					if strings.Contains(l.read(file), strings.TrimPrefix(text, "-")) == absent {
						t.Errorf("%s: %q in %s: %v\n%s\n%s", tc.reason, text, file, absent, l.read(file), stderr)
					}
				}
			}
		})
	}
}

// TestLockedRepositoryIsChecked: after lock, check and fix of the same directory need no
// registry.
func TestLockedRepositoryIsChecked(t *testing.T) {
	t.Parallel()
	l := newLockedRepository(t)
	if status, _, stderr := l.run(nil, "lock", "DIR"); status != 0 {
		t.Fatal(stderr)
	}
	for _, args := range [][]string{{"check", "DIR", "--offline", stated}, {"fix", "DIR", "--diff", "--patch", "--offline", stated}} {
		before := l.registry.Counts().Manifest
		_, stdout, stderr := l.run(nil, args...)
		if strings.Contains(stdout+stderr, "GA601") || l.registry.Counts().Manifest != before {
			t.Errorf("%v:\n%s%s", args, stdout, stderr)
		}
	}
}
