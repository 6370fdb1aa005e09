package durable

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestAbout: an error about a temporary file is one about the file that it is for, and says
// what the system says.
func TestAbout(t *testing.T) {
	t.Parallel()
	top := filepath.Join(t.TempDir(), "gone")
	if err := os.Mkdir(top, 0o700); err != nil {
		t.Fatal(err)
	}
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
	if err := os.Remove(top); err != nil {
		t.Skip("this system does not remove an open directory")
	}
	_, err = dir.Stage("file", nil, Usual)
	if err == nil || strings.Contains(err.Error(), suffix) || !strings.HasPrefix(err.Error(), "make a file beside "+filepath.Join(top, "file")+": ") {
		t.Errorf("the error is %v", err)
	}
}
