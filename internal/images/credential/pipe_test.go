//go:build unix

package credential

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/goldenarch/goldenarch/internal/files"
)

// TestAuthFileIsAFile: a pipe that nobody writes to is an error at once.
func TestAuthFileIsAFile(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "auth.json")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, required := range []bool{true, false} {
		if _, err := readFile(name, required); !errors.Is(err, files.ErrNotRegular) {
			t.Errorf("required: %v: want %v, got %v", required, files.ErrNotRegular, err)
		}
	}
	large := filepath.Join(t.TempDir(), "auth.json")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, maxFile+1); err != nil {
		t.Fatal(err)
	}
	if _, err := readFile(large, false); !errors.Is(err, files.ErrTooLarge) {
		t.Errorf("want %v, got %v", files.ErrTooLarge, err)
	}
}
