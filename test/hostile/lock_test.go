//go:build unix

package hostile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestTwentyLocksAtOnce: of 20 runs that each add an image, none is lost, and nothing
// is left beside the lock.
func TestTwentyLocksAtOnce(t *testing.T) {
	const runs, rounds = 20, 3
	s := serving(t)
	for round := range rounds {
		dir := t.TempDir()
		var wait sync.WaitGroup
		for i := range runs {
			image := fmt.Sprintf("org/r%d-%d:1", round, i)
			s.Push(image, registrytest.Index("linux/amd64", "linux/arm64"))
			wait.Go(func() {
				args := []string{"lock", ".", "--file", "l.yaml", "--only", s.Host() + "/" + image, "--set", "registryInsecure=" + s.Host()}
				if got := Run(t, args, "", Limits{Dir: dir, Once: true}); got.Status != 0 {
					t.Errorf("want status 0, got %d and\n%s", got.Status, got.Stderr)
				}
			})
		}
		wait.Wait()
		if text := read(filepath.Join(dir, "l.yaml")); strings.Count(text, "reference: ") != runs {
			t.Errorf("want %d entries, got\n%s", runs, text)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
			t.Errorf("want the lock alone, got %v (%v)", left, err)
		}
	}
}

// TestLockThatWasEdited: lock --check notices an entry whose platforms a person
// edited, without verify, also where the reference has a digest.
func TestLockThatWasEdited(t *testing.T) {
	t.Parallel()
	index := registrytest.Index("linux/amd64", "linux/arm64")
	for name, image := range map[string]string{"Digest": "org/disk@" + index.Digest(), "TagAndDigest": "org/disk:1@" + index.Digest()} {
		for _, edit := range [][2]string{{"arm64", "s390x"}, {"amd64", "riscv64"}} {
			t.Run(name, func(t *testing.T) {
				s := serving(t)
				s.Push("org/disk:1", index)
				dir := filetest.New(t, map[string]string{"hco.yaml": crOf(s.Host() + "/" + image)})
				flags := []string{"--set", "predefined=none", "--set", "registryInsecure=" + s.Host()}
				if got := Run(t, append([]string{"lock", ".", "--file", "l.yaml"}, flags...), "", Limits{Dir: dir, Once: true}); got.Status != 0 {
					t.Fatalf("want a lock, got %d and\n%s", got.Status, got.Stderr)
				}
				path := filepath.Join(dir, "l.yaml")
				text := strings.ReplaceAll(read(path), "architecture: "+edit[0], "architecture: "+edit[1])
				if text == read(path) {
					t.Fatalf("there is nothing to edit:\n%s", text)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				got := Run(t, append([]string{"lock", ".", "--check", "--file", "l.yaml"}, flags...), "", Limits{Dir: dir})
				if got.Status != 3 || !strings.Contains(got.Stdout+got.Stderr, "does not say what this digest has") {
					t.Errorf("want status 3 and why, got %d and\n%s%s", got.Status, got.Stdout, got.Stderr)
				}
			})
		}
	}
}

// TestLockKeepsItsOwner: a lock that root rewrites keeps its owner and mode. Whoever is
// not root has but the mode to keep.
func TestLockKeepsItsOwner(t *testing.T) {
	t.Parallel()
	s := serving(t)
	s.Push("org/a:1", registrytest.Index("linux/amd64")).Push("org/b:1", registrytest.Index("linux/arm64"))
	dir := t.TempDir()
	path := filepath.Join(dir, "l.yaml")
	add := func(image string) {
		args := []string{"lock", ".", "--file", "l.yaml", "--only", s.Host() + "/" + image, "--set", "registryInsecure=" + s.Host()}
		if got := Run(t, args, "", Limits{Dir: dir, Once: true}); got.Status != 0 {
			t.Fatalf("want status 0, got %d and\n%s", got.Status, got.Stderr)
		}
	}
	add("org/a:1")
	owner := os.Getuid()
	if owner == 0 {
		owner = 12345
		if err := os.Chown(path, owner, 23456); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	add("org/b:1")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || info.Mode().Perm() != 0o640 || int(stat.Uid) != owner || owner == 12345 && stat.Gid != 23456 {
		t.Errorf("want the owner %d and the mode 0640, got %v and %+v", owner, info.Mode(), stat)
	}
	if strings.Count(read(path), "reference: ") != 2 {
		t.Errorf("the lock was not written again:\n%s", read(path))
	}
}
