package durable_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/goldenarch/goldenarch/internal/durable"
	"github.com/goldenarch/goldenarch/internal/durable/durabletest"
)

// TestWrite has the disk fail at each step: the file is the old one, or where
// only its lasting is in doubt the new one, and nothing else is left.
func TestWrite(t *testing.T) {
	t.Parallel()
	for _, step := range append([]string{""}, durabletest.Steps()...) {
		name := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		err := durable.Write(durabletest.Faulty(step, 0), name, ".file.*", 0o640, []byte("new"))
		want := "old"
		if step == "" || step == "sync directory" {
			want = "new"
		}
		if got, _ := os.ReadFile(name); string(got) != want {
			t.Errorf("%q fails: want the file %q, got %q", step, want, got)
		}
		if (err != nil) != (step != "") || err != nil && !errors.Is(err, durabletest.ErrDisk) ||
			errors.Is(err, durable.ErrMayNotLast) != (step == "sync directory") {
			t.Errorf("%q fails: the error is %v", step, err)
		}
		if left, err := os.ReadDir(filepath.Dir(name)); err != nil || len(left) != 1 {
			t.Errorf("%q fails: want the file alone, got %v (%v)", step, left, err)
		}
	}
}
