package files

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTryLock: a file is locked for one process at a time. A link in its place is followed nowhere.
func TestTryLock(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "slot")
	unlock, err := TryLock(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := TryLock(name); !errors.Is(err, ErrBusy) {
		t.Errorf("want %v, got %v", ErrBusy, err)
	}
	unlock()
	again, err := TryLock(name)
	for errors.Is(err, ErrBusy) { // a process that another test has just forked still has the file
		again, err = TryLock(name)
	}
	if err != nil {
		t.Fatalf("it was unlocked: %v", err)
	}
	again()
	link := filepath.Join(t.TempDir(), "slot")
	if err := os.Symlink(filepath.Join(t.TempDir(), "elsewhere"), link); err != nil {
		t.Fatal(err)
	}
	if _, err := TryLock(link); err == nil || errors.Is(err, ErrBusy) {
		t.Errorf("want an error about the link, got %v", err)
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
	again, err := lockDirWithin(dir, patience) // a process that another test has just forked still has it
	if err != nil {
		t.Fatalf("it was unlocked: %v", err)
	}
	again()
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("want an empty directory, got %v (%v)", left, err)
	}
}
