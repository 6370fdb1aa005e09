package layout

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// faulty is a disk that fails at one step, from the n-th time on.
type faulty struct {
	system
	at    string
	after int
	count *int
}

// errDisk is what a full disk says.
var errDisk = syscall.ENOSPC

func (d faulty) fail(step string) error {
	if d.at != step {
		return nil
	}
	*d.count++
	if *d.count > d.after {
		return errDisk
	}
	return nil
}

func (d faulty) Create(dir, pattern string) (file, error) {
	if err := d.fail("create"); err != nil {
		return nil, err
	}
	f, err := d.system.Create(dir, pattern)
	return faultyFile{f, d}, err
}

func (d faulty) Rename(from, to string) error {
	if err := d.fail("rename"); err != nil {
		return err
	}
	return d.system.Rename(from, to)
}

func (d faulty) Sync(dir string) error {
	return errors.Join(d.fail("sync directory"), d.system.Sync(dir))
}

type faultyFile struct {
	file
	disk faulty
}

// Write is full after half of the content.
func (f faultyFile) Write(data []byte) (int, error) {
	if err := f.disk.fail("write"); err != nil {
		n, _ := f.file.Write(data[:len(data)/2])
		return n, err
	}
	return f.file.Write(data)
}

func (f faultyFile) Chmod(mode fs.FileMode) error {
	return errors.Join(f.disk.fail("chmod"), f.file.Chmod(mode))
}
func (f faultyFile) Sync() error  { return errors.Join(f.disk.fail("sync"), f.file.Sync()) }
func (f faultyFile) Close() error { return errors.Join(f.file.Close(), f.disk.fail("close")) }

// TestRecordOnAFaultyDisk has the disk fail at each step of each file: the layout
// is the old one or the new one, whole, and a failure is told.
func TestRecordOnAFaultyDisk(t *testing.T) {
	t.Parallel()
	for _, step := range []string{"create", "write", "chmod", "sync", "close", "rename", "sync directory"} {
		failed := 0
		for after := range 6 {
			dir := t.TempDir()
			r, err := Record(dir)
			if err != nil {
				t.Fatal(err)
			}
			before := put(r, "quay.io/a:1", "one")
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
			r, err = record(dir, faulty{at: step, after: after, count: new(int)})
			added := before
			if err == nil {
				added = put(r, "quay.io/a:1", "two")
				put(r, "quay.io/b:1", "three")
				err = r.Close()
			}
			if err != nil {
				failed++
				if !errors.Is(err, errDisk) || !strings.Contains(err.Error(), dir) {
					t.Errorf("%s after %d: the error is %v", step, after, err)
				}
			}
			l, openErr := Open(dir)
			if openErr != nil {
				t.Fatalf("%s after %d: %v", step, after, openErr)
			}
			entries := l.Entries()
			if got := entries[0]; got != added && (err == nil || got != before) || err == nil && len(entries) != 2 {
				t.Errorf("%s after %d: %v, the index has %v", step, after, err, entries)
			}
			for _, e := range entries {
				if _, err := l.Blob(e.Digest, 5); err != nil {
					t.Errorf("%s after %d: %s: %v", step, after, e.Name, err)
				}
			}
			if slices.ContainsFunc(names(t, dir), func(name string) bool { return strings.Contains(name, temporary) }) {
				t.Errorf("%s after %d: %v is left", step, after, names(t, dir))
			}
		}
		if failed < 2 || failed == 6 {
			t.Errorf("%s: want it to fail at first, and then beyond its last time not: %d of 6", step, failed)
		}
	}
	for after := range 3 {
		dir := t.TempDir()
		_, err := record(dir, faulty{at: "write", after: after, count: new(int)})
		if (err != nil) != (after < 2) {
			t.Errorf("a new layout has two files: after %d, %v", after, err)
		}
		if _, err := Record(dir); err != nil {
			t.Errorf("what a failure at the beginning left is gone on with: %v", err)
		}
	}
}
