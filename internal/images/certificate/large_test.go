package certificate

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/goldenarch/goldenarch/internal/files"
)

// TestLargeFile: a directory of a host holds certificates, and not whatever
// somebody has the room for.
func TestLargeFile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "r:5000")
	file := filepath.Join(dir, "ca.crt")
	if err := errors.Join(os.Mkdir(dir, 0o750), os.WriteFile(file, nil, 0o600), os.Truncate(file, maxFile+1)); err != nil {
		t.Fatal(err)
	}
	s := Store{Dirs: []string{filepath.Dir(dir)}}
	if _, _, err := s.directory("r:5000"); !errors.Is(err, files.ErrTooLarge) {
		t.Errorf("want %v, got %v", files.ErrTooLarge, err)
	}
}
