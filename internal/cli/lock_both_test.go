package cli

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestLockByMany: of 20 runs at once that add an image each, none is lost, whether
// the lock is there already or not, and nothing is left beside it.
func TestLockByMany(t *testing.T) {
	t.Parallel()
	const runs, name = 20, "golden-images.lock.yaml"
	for _, there := range []bool{false, true} {
		l := newLockedTree(t)
		want := runs
		if there {
			l.run(nil, "lock", "DIR")
			want += 2
		}
		var wait sync.WaitGroup
		for i := range runs {
			image := fmt.Sprintf("x/image%02d:1", i)
			l.registry.Push(image, registrytest.Index("linux/amd64", "linux/arm64"))
			wait.Go(func() {
				if status, _, stderr := l.run(nil, "lock", "DIR", "--only", "HOST/"+image); status != 0 {
					t.Errorf("%s: status %d:\n%s", image, status, stderr)
				}
			})
		}
		wait.Wait()
		if got := strings.Count(l.read(name), "- reference: "); got != want {
			t.Errorf("want %d entries, got %d:\n%s", want, got, l.read(name))
		}
		if left, err := os.ReadDir(l.dir); err != nil || len(left) != 2 {
			t.Errorf("want the CR and the lock, got %v (%v)", left, err)
		}
		if status, _, stderr := l.run(nil, "lock", "--check", "DIR/"+name); status != 0 {
			t.Errorf("the lock is not right: status %d:\n%s", status, stderr)
		}
	}
}

// TestLockCheckSeesAnEdit: what a person wrote into an entry is a difference, also
// where the reference has a digest, and the command that is named puts it right.
func TestLockCheckSeesAnEdit(t *testing.T) {
	t.Parallel()
	const name = "golden-images.lock.yaml"
	pinned := "x/fedora:1@" + registrytest.Index("linux/amd64", "linux/arm64").Digest()
	for _, tc := range []struct {
		reason, image, edit, to, want string
	}{
		{"an architecture of a digest was renamed", pinned, "arm64", "s390x", "the lock does not say what this digest has"},
		{"of a tag as well", "x/fedora:1", "arm64", "s390x", "the lock does not say what this digest has"},
		{"a size is part of the entry", pinned, "size: ", "size: 1", "the lock does not say what this digest has"},
	} {
		l := newLockedTree(t)
		l.write("hco.yaml", l.cr(tc.image))
		l.run(nil, "lock", "DIR")
		before := l.read(name)
		edited := strings.ReplaceAll(before, tc.edit, tc.to)
		if edited == before {
			t.Fatalf("%s: there is nothing to edit:\n%s", tc.reason, before)
		}
		l.write(name, edited)
		status, stdout, stderr := l.run(nil, "lock", "--check", "DIR")
		if status != 3 || !strings.Contains(stdout, tc.want) {
			t.Errorf("%s: want status 3 and %q, got %d:\n%s%s", tc.reason, tc.want, status, stdout, stderr)
		}
		_, command, _ := strings.Cut(stderr, "refresh it with: goldenarch ")
		if status, _, stderr := l.run(nil, strings.Fields(command)...); status != 0 || l.read(name) != before {
			t.Errorf("%s: %q does not put it right: status %d:\n%s%s", tc.reason, command, status, stderr, l.read(name))
		}
	}
}

// TestLockCheckNamesTheCommand: the commands that a check of the lock names make the check pass.
func TestLockCheckNamesTheCommand(t *testing.T) {
	t.Parallel()
	const name = "golden-images.lock.yaml"
	index := registrytest.Index("linux/amd64", "linux/arm64")
	pinned := "x/fedora:1@" + index.Digest()
	for _, tc := range []struct {
		reason string
		images []string // of the CR when it is locked
		then   []string // and when the lock is checked
		edit   bool     // a person edits the entry of the digest
		flags  []string
	}{
		{reason: "of the path", images: []string{"x/fedora:1"}, then: []string{"x/single:1"}},
		{reason: "with its flags", images: []string{"x/fedora:1"}, then: []string{"x/single:1"}, flags: []string{"--prune"}},
		{reason: "a digest and a tag", images: []string{pinned}, then: []string{pinned, "x/single:1"}, edit: true},
		{reason: "a digest and what nobody uses", images: []string{pinned, "x/single:1"}, then: []string{pinned}, edit: true, flags: []string{"--prune"}},
	} {
		l := newLockedTree(t)
		l.write("hco.yaml", l.cr(tc.images...))
		l.run(nil, "lock", "DIR")
		if tc.edit {
			l.write(name, strings.ReplaceAll(l.read(name), "arm64", "s390x"))
		}
		l.write("hco.yaml", l.cr(tc.then...))
		check := append([]string{"lock", "--check", "DIR"}, tc.flags...)
		status, _, stderr := l.run(nil, check...)
		_, named, _ := strings.Cut(strings.TrimSpace(stderr), "refresh it with: ")
		if status != statusDiffers {
			t.Errorf("%s: status %d\n%s", tc.reason, status, stderr)
		}
		for command := range strings.SplitSeq(named, " && ") {
			if status, _, stderr := l.run(nil, strings.Fields(strings.TrimPrefix(command, "goldenarch "))...); status != statusOK {
				t.Errorf("%s: %q: status %d\n%s", tc.reason, command, status, stderr)
			}
		}
		if status, stdout, stderr := l.run(nil, check...); status != statusOK {
			t.Errorf("%s: after %q the status is %d\n%s%s", tc.reason, named, status, stdout, stderr)
		}
	}
}
