package files

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestFilesOfTheKernel: what says that it is a regular file, and is made up by the
// kernel, is an error at once, through a link as well.
func TestFilesOfTheKernel(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/proc/self/environ", "/proc/version", "/sys/kernel/mm/transparent_hugepage/enabled"} {
		if _, err := os.Stat(path); path != "/proc/version" && err != nil {
			continue // not every kernel has it
		}
		link := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(path, link); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{path, link} {
			if _, err := Read(name); !errors.Is(err, ErrNotRegular) {
				t.Errorf("%s: want %v, got %v", name, ErrNotRegular, err)
			}
		}
	}
}
