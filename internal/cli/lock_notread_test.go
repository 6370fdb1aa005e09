package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestLockFirstSteps: the commands that docs/lock.md begins with work as they stand.
func TestLockFirstSteps(t *testing.T) {
	page := filetest.Read(t, "../../docs/lock.md")
	steps, _, _ := strings.Cut(string(page), "\n## ")
	l := newLockedTree(t)
	cr := l.read("hco.yaml")
	const config = "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\nspec: {cluster: {workloadArchitectures: [amd64, arm64]}}\n"
	l.write("manifests/hco.yaml", cr)
	l.write("manifests/gi.yaml", config)
	l.write("base/hco.yaml", cr)
	l.write("base/kustomization.yaml", "resources: [hco.yaml]\n")
	l.write("overlays/prod/gi.yaml", config)
	l.write("overlays/prod/kustomization.yaml", "resources: [../../base, gi.yaml]\n")
	t.Chdir(l.dir)
	done, reported := 0, ""
	for line := range strings.Lines(steps) {
		command, comment, _ := strings.Cut(strings.TrimSpace(line), "#")
		if edit, ok := strings.CutPrefix(strings.TrimSpace(comment), "once, in base/kustomization.yaml:"); ok {
			if want := "List golden-images.lock.yaml under resources of base/kustomization.yaml"; !strings.Contains(reported, "warning GA119 ") ||
				!strings.Contains(reported, want) {
				t.Errorf("before it is listed, lock must say %q:\n%s", want, reported)
			}
			const unread = "ist base/golden-images.lock.yaml under resources of its kustomization"
			if status, _, stderr := l.run(nil, "render", "overlays/prod", "--offline"); status != 1 || !strings.Contains(stderr, unread) {
				t.Errorf("before it is listed, render must say %q: %d\n%s", unread, status, stderr)
			}
			if status, _, stderr := l.run(nil, "render", "overlays/prod"); status != 0 || !strings.Contains(stderr, unread) {
				t.Errorf("also where registries are asked: %d\n%s", status, stderr)
			}
			l.write("base/kustomization.yaml", edit)
			continue
		}
		if !strings.HasPrefix(line, "    goldenarch ") {
			continue
		}
		args := strings.Fields(command)[1:]
		if len(args) > 1 && args[0] == "render" && args[1] == "hco.yaml" {
			args = append(args, stated)
		}
		status, _, stderr := l.run(nil, args...)
		if status != 0 || args[0] == "lock" && args[1] == "manifests" && strings.Contains(stderr, "GA119") {
			t.Errorf("%q: %d\n%s", command, status, stderr)
		}
		done++
		reported = stderr
	}
	if done != 6 {
		t.Errorf("want six commands in docs/lock.md, got %d", done)
	}
}

func TestLockIsUnread(t *testing.T) {
	t.Parallel()
	const base = "resources: [hco.yaml]\n"
	for _, tc := range []struct {
		reason string
		files  map[string]string // beside the CR in base/
		args   []string
		want   string // "" for no word
	}{
		{"a directory reads what is in it", nil, []string{"base"}, ""},
		{"a file says nothing of what else is read", nil, []string{"base/hco.yaml"}, ""},
		{
			reason: "but the kustomization beside it does",
			files:  map[string]string{"base/kustomization.yaml": base},
			args:   []string{"base/hco.yaml"},
			want:   "no kustomization lists the lock, so render and check do not read it. List golden-images.lock.yaml under resources of DIR/base/kustomization.yaml",
		},
		{
			reason: "the nearest one above",
			files:  map[string]string{"kustomization.yaml": "resources: [base/hco.yaml]\n"},
			args:   []string{"."},
			want:   "List base/golden-images.lock.yaml under resources of DIR/kustomization.yaml",
		},
		{
			reason: "it is listed",
			files:  map[string]string{"base/kustomization.yaml": "resources: [hco.yaml, golden-images.lock.yaml]\n", "base/golden-images.lock.yaml": emptyLock},
			args:   []string{"base"},
		},
		{
			reason: "one file of many may be all that is given",
			files:  map[string]string{"base/kustomization.yaml": "resources: [hco.yaml, golden-images.lock.yaml]\n", "base/golden-images.lock.yaml": emptyLock},
			args:   []string{"base/hco.yaml"},
		},
		{"spec.inputs names it", map[string]string{
			"base/kustomization.yaml": base + "transformers: [gi.yaml]\n", "base/golden-images.lock.yaml": emptyLock,
			"base/gi.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\nspec: {inputs: [golden-images.lock.yaml]}\n",
		}, []string{"base/hco.yaml"}, ""},
		{
			reason: "a lock elsewhere",
			args:   []string{"base", "--file", "DIR/l.yaml"},
			want:   "the lock is outside of DIR/base, so render and check do not read it. Pass the lock to them too: goldenarch render DIR/base DIR/l.yaml",
		},
		{"which is named", map[string]string{"l.yaml": emptyLock}, []string{"base", "l.yaml"}, ""},
		{
			reason: "a kustomization cannot list it",
			files:  map[string]string{"base/kustomization.yaml": base},
			args:   []string{"base", "--file", "DIR/l.yaml"},
			want:   "Choose another place with --file",
		},
		{"what --check does not write is not unread", map[string]string{"base/kustomization.yaml": base}, []string{"base", "--check"}, ""},
		{
			reason: "what it compares is",
			files:  map[string]string{"base/kustomization.yaml": base, "base/golden-images.lock.yaml": emptyLock},
			args:   []string{"base", "--check"},
			want:   "no kustomization lists",
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			l := newLockedTree(t)
			cr := l.read("hco.yaml")
			if err := os.Remove(l.path("hco.yaml")); err != nil {
				t.Fatal(err)
			}
			l.write("base/hco.yaml", cr)
			for name, text := range tc.files {
				l.write(name, text)
			}
			args := []string{"lock"}
			for _, arg := range tc.args {
				if arg == "." || strings.HasPrefix(arg, "base") || arg == "l.yaml" {
					arg = filepath.Join("DIR", arg)
				}
				args = append(args, arg)
			}
			status, _, stderr := l.run(nil, args...)
			if status != 0 && status != 3 {
				t.Fatalf("%s: %d\n%s", tc.reason, status, stderr)
			}
			want := strings.ReplaceAll(tc.want, "DIR", l.dir)
			if got := strings.Contains(stderr, "warning GA119 "); got != (want != "") || !strings.Contains(stderr, want) {
				t.Errorf("%s: want %q told, got\n%s", tc.reason, want, stderr)
			}
		})
	}
}

// TestEmptyLock: an empty file beside the CR is no lock that the run did not read, and the
// command that each verb advises leads on.
func TestEmptyLock(t *testing.T) {
	t.Parallel()
	l := newLockedTree(t)
	l.write("golden-images.lock.yaml", "")
	for _, tc := range []struct{ verb, path, want, not string }{
		{"render", l.path("hco.yaml"), "the file has no ArchitectureLock. Correct or remove it", "GA601"},
		{"render", l.dir, "is not in the lock", "did not read it"},
		{"lock", l.path("hco.yaml"), "the file has no ArchitectureLock: remove it, or name another file", "wrote"},
	} {
		args := []string{tc.verb, tc.path}
		if tc.verb == "render" {
			args = append(args, "--offline", stated)
		}
		status, _, stderr := l.run(nil, args...)
		if status != 1 || !strings.Contains(stderr, tc.want) || strings.Contains(stderr, tc.not) {
			t.Errorf("%s %s: want %q and not %q: %d\n%s", tc.verb, tc.path, tc.want, tc.not, status, stderr)
		}
	}
}
