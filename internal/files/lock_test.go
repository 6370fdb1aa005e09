package files

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestLock: of many that add to a file at once, each has it for itself, and nothing
// is left beside it.
func TestLock(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "file")
	var wait sync.WaitGroup
	for i := range 50 {
		wait.Go(func() {
			unlock, err := Lock(name)
			if err != nil {
				t.Error(err)
				return
			}
			defer unlock()
			text, _ := os.ReadFile(name)
			if err := os.WriteFile(name, append(text, strconv.Itoa(i)+"\n"...), 0o600); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	text, err := os.ReadFile(name)
	if lines := strings.Count(string(text), "\n"); err != nil || lines != 50 {
		t.Errorf("want 50 lines, got %d (%v)", lines, err)
	}
	if left, err := os.ReadDir(filepath.Dir(name)); err != nil || len(left) != 1 {
		t.Errorf("want the file alone, got %v (%v)", left, err)
	}
}

func TestLockIsBusy(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "file")
	unlock, err := Lock(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lockWithin(name, 20*time.Millisecond); !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), name) {
		t.Errorf("want %v with the name, got %v", ErrBusy, err)
	}
	unlock()
	again, err := lockWithin(name, 0)
	if err != nil {
		t.Fatalf("it was unlocked: %v", err)
	}
	again()
	if _, err := Lock(filepath.Join(name, "no", "directory")); err == nil {
		t.Error("a directory that is not there cannot be locked")
	}
}

// TestLockCannotBeMade: the error has the whole name, and no system call.
func TestLockCannotBeMade(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), strings.Repeat("x", 250))
	if _, err := lockWithin(name, 0); err == nil || !strings.HasPrefix(err.Error(), LockName(name)+": ") {
		t.Errorf("want an error that begins with %s, got %v", LockName(name), err)
	}
}

// TestLockIsLeft: the lock file of a process that was killed stands in nobody's way,
// and does not stay.
func TestLockIsLeft(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(LockName(name), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	unlock, err := lockWithin(name, 0)
	if err != nil {
		t.Fatal(err)
	}
	unlock()
	if left, err := os.ReadDir(filepath.Dir(name)); err != nil || len(left) != 0 {
		t.Errorf("want an empty directory, got %v (%v)", left, err)
	}
}

// TestLockOfAnother: a file with a text, a link and a directory in the place of the lock
// file are somebody's, and stay.
func TestLockOfAnother(t *testing.T) {
	t.Parallel()
	for kind, put := range map[string]func(beside string) error{
		"a text":      func(beside string) error { return os.WriteFile(beside, []byte("x"), 0o600) },
		"a link":      func(beside string) error { return os.Symlink("elsewhere", beside) },
		"a link out":  func(beside string) error { return os.Symlink(filepath.Join(os.TempDir(), "elsewhere"), beside) },
		"a directory": func(beside string) error { return os.Mkdir(beside, 0o700) },
	} {
		name := filepath.Join(t.TempDir(), "file")
		if err := put(LockName(name)); err != nil {
			t.Fatal(err)
		}
		if _, err := lockWithin(name, 0); err == nil || !strings.Contains(err.Error(), LockName(name)) {
			t.Errorf("%s: want an error that names it, got %v", kind, err)
		}
		if left, err := os.ReadDir(filepath.Dir(name)); err != nil || len(left) != 1 {
			t.Errorf("%s: want it alone, got %v (%v)", kind, left, err)
		}
	}
}

// TestLockDir: a directory is locked for one process at a time, by whatever path, and nothing is
// left in it. Another directory is free.
func TestLockDir(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	if err := os.Mkdir(filepath.Join(top, "a"), 0o700); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(top, "a")
	unlock, err := LockDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lockDirWithin(filepath.Join(top, "a", ".", "..", "a"), 20*time.Millisecond); !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), dir) {
		t.Errorf("want %v with the name, got %v", ErrBusy, err)
	}
	if release, err := lockDirWithin(top, 0); err != nil {
		t.Errorf("the directory above: %v", err)
	} else {
		release()
	}
	unlock()
	again, err := lockDirWithin(dir, 0)
	if err != nil {
		t.Fatalf("it was unlocked: %v", err)
	}
	again()
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("want an empty directory, got %v (%v)", left, err)
	}
}
