//go:build unix

package files

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestNoDevices: what is not a regular file is an error at once, through a link as
// well, and in a root.
func TestNoDevices(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe, socket := filepath.Join(dir, "pipe"), filepath.Join(dir, "socket")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, path := range []string{pipe, socket, "/dev/zero", "/dev/tty"} {
		link := filepath.Join(dir, "to-"+filepath.Base(path))
		if err := os.Symlink(path, link); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{path, link} {
			if _, err := Read(name); !errors.Is(err, ErrNotRegular) {
				t.Errorf("%s: want %v, got %v", name, ErrNotRegular, err)
			}
		}
	}
	for _, name := range []string{"pipe", "socket"} {
		if _, err := ReadIn(root, name); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s: want %v, got %v", name, ErrNotRegular, err)
		}
	}
	// As if the name had become another file's between the look and the opening.
	f, err := os.OpenFile(pipe, os.O_RDONLY|nonblocking, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := readAndClose(pipe, f, sizeLimit{bytes: 1}); !errors.Is(err, ErrNotRegular) {
		t.Errorf("want %v, got %v", ErrNotRegular, err)
	}
}
