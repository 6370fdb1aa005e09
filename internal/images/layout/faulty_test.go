package layout

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/durable/durabletest"
)

// TestRecordOnAFaultyDisk has the disk fail at each step of each file: the layout
// is the old one or the new one, whole, and a failure is reported.
func TestRecordOnAFaultyDisk(t *testing.T) {
	t.Parallel()
	for _, step := range durabletest.Steps() {
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
			r, err = record(dir, durabletest.Faulty(step, after))
			added := before
			if err == nil {
				added = put(r, "quay.io/a:1", "two")
				put(r, "quay.io/b:1", "three")
				err = r.Close()
			}
			if err != nil {
				failed++
				if !errors.Is(err, durabletest.ErrDisk) || !strings.Contains(err.Error(), dir) {
					t.Errorf("%s after %d: the error is %v", step, after, err)
				}
			}
			l, openErr := Open(dir)
			if openErr != nil {
				t.Fatalf("%s after %d: %v", step, after, openErr)
			}
			entries := l.Entries()
			if got := entries[0]; !cmp.Equal(got, added) && (err == nil || !cmp.Equal(got, before)) || err == nil && len(entries) != 2 {
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
		_, err := record(dir, durabletest.Faulty("write", after))
		if (err != nil) != (after < 2) {
			t.Errorf("a new layout has two files: after %d, %v", after, err)
		}
		if _, err := Record(dir); err != nil {
			t.Errorf("what a failure at the beginning left is gone on with: %v", err)
		}
	}
}
