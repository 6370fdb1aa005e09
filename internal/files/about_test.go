package files

import (
	"io/fs"
	"path/filepath"
	"syscall"
	"testing"
)

// TestAbout: an error about a temporary file is one about the file that it is for, and says
// what the system says.
func TestAbout(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	dir, err := OpenDir(top, nil)
	if err != nil {
		t.Fatal(err)
	}
	full := dir.about("file", &fs.PathError{Op: "write", Path: top + "/./.file.goldenarch-1.tmp", Err: syscall.ENOSPC})
	if want := "write " + filepath.Join(top, "file") + ": " + syscall.ENOSPC.Error(); full.Error() != want {
		t.Errorf("want %q, got %q", want, full)
	}
	if err := dir.about("file", nil); err != nil {
		t.Errorf("want no error, got %v", err)
	}
	if err := dir.Close(); err != nil {
		t.Fatal(err)
	}
	_, _, err = dir.create("file", UsualMode)
	if want := "make a file beside " + filepath.Join(top, "file") + ": " + fs.ErrClosed.Error(); err == nil || err.Error() != want {
		t.Errorf("want %q, got %v", want, err)
	}
}
