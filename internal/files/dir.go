package files

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// Faults lets a test fail a step: it is called before each of them. The machine's disk has
// none.
type Faults func(step, name string) error

// Dir is an open directory.
type Dir struct {
	path   string
	root   *os.Root
	faults Faults
}

// OpenDir opens a directory, through any links. The faults may be nil.
func OpenDir(path string, faults Faults) (*Dir, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &Dir{path: path, root: root, faults: faults}, nil
}

// errReplaced is the error of a directory that somebody replaced by a link meanwhile.
var errReplaced = errors.New("another process has replaced the directory by something else")

// Below opens a directory below another one. It follows no link.
func (d *Dir) Below(path string) (*Dir, error) {
	at, err := d.root.OpenRoot(".")
	if err != nil {
		return nil, err
	}
	out := &Dir{path: d.path, root: at, faults: d.faults}
	for name := range strings.SplitSeq(filepath.Clean(path), string(filepath.Separator)) {
		if name == "." {
			continue
		}
		next, err := out.open(name)
		if err := errors.Join(err, out.root.Close()); err != nil {
			if next != nil {
				err = errors.Join(err, next.Close())
			}
			return nil, err
		}
		out.root, out.path = next, filepath.Join(out.path, name)
	}
	return out, nil
}

func (d *Dir) open(name string) (*os.Root, error) {
	before, err := d.root.Lstat(name)
	if err == nil && !before.IsDir() { // OpenRoot would follow a link, or fail in other words
		err = fmt.Errorf("%s: %w", d.pathOf(name), errReplaced)
	}
	if err != nil {
		return nil, err
	}
	next, err := d.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	now, err := next.Stat(".")
	if err == nil && !os.SameFile(before, now) {
		err = fmt.Errorf("%s: %w", d.pathOf(name), errReplaced)
	}
	if err != nil {
		return nil, errors.Join(err, next.Close())
	}
	return next, nil
}

// pathOf returns the path of an entry, for messages.
func (d *Dir) pathOf(name string) string { return filepath.Join(d.path, name) }

// Close closes the directory.
func (d *Dir) Close() error { return d.root.Close() }

// Lstat returns what an entry is. It follows no link.
func (d *Dir) Lstat(name string) (fs.FileInfo, error) { return d.root.Lstat(name) }

// Read reads a regular file of the directory.
func (d *Dir) Read(name string) ([]byte, error) { return ReadIn(d.root, name) }

func (d *Dir) fail(step, name string) error {
	if d.faults == nil {
		return nil
	}
	if err := d.faults(step, d.pathOf(name)); err != nil {
		return &fs.PathError{Op: step, Path: d.pathOf(name), Err: err}
	}
	return nil
}

// Rename gives an entry another name, in place of the one that has it.
func (d *Dir) Rename(from, to string) error {
	if err := d.fail("rename", to); err != nil {
		return err
	}
	return d.root.Rename(from, to)
}

// Remove removes an entry.
func (d *Dir) Remove(name string) error {
	if err := d.fail("remove", name); err != nil {
		return err
	}
	return d.root.Remove(name)
}

// Sync flushes the directory, so that its entries survive a crash. Some file systems cannot
// do that, and need not.
func (d *Dir) Sync() error {
	if err := d.fail("sync directory", "."); err != nil {
		return err
	}
	if runtime.GOOS == "windows" {
		return nil // this system cannot sync a directory
	}
	f, err := d.root.Open(".")
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return errors.Join(err, f.Close())
}

// The modes of a new file. The process's umask takes bits away from Usual.
const (
	UsualMode   fs.FileMode = 0o666
	PrivateMode fs.FileMode = 0o600
)

// Stage writes a text to a temporary file, and returns its name. The file gets the mode,
// the owner and the extended attributes of the entry that it is for, or if there is none
// the mode of a new file. After an error there is no temporary file.
func (d *Dir) Stage(name string, text []byte, mode fs.FileMode) (string, error) {
	like, err := d.root.Lstat(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if like != nil {
		if !like.Mode().IsRegular() {
			return "", fmt.Errorf("%s: %w", d.pathOf(name), ErrNotRegular)
		}
		mode = PrivateMode // until it has the owner
	}
	temporary, f, err := d.create(name, mode)
	if err != nil {
		return "", err
	}
	if err = d.fail("write", name); err == nil {
		_, err = f.Write(text)
	}
	if err == nil && like != nil {
		err = d.keep(f, name, like)
	}
	if err == nil {
		err = d.fail("sync", name)
	}
	if err == nil {
		err = f.Sync() // otherwise a crash could leave the name with an empty file
	}
	err = errors.Join(d.about(name, err), d.about(name, f.Close()))
	if err == nil {
		err = d.fail("close", name)
	}
	if err != nil {
		return "", errors.Join(err, d.root.Remove(temporary))
	}
	return temporary, nil
}

// Write gives an entry a text, at once: by a temporary file that gets its name.
func (d *Dir) Write(name string, text []byte, mode fs.FileMode) error {
	temporary, err := d.Stage(name, text, mode)
	if err != nil {
		return err
	}
	if err := d.Rename(temporary, name); err != nil {
		return errors.Join(err, d.Remove(temporary))
	}
	return nil
}

func (d *Dir) create(name string, mode fs.FileMode) (string, *os.File, error) {
	if err := d.fail("create", name); err != nil {
		return "", nil, err
	}
	for try := 0; ; try++ {
		temporary := prefix(name) + strconv.FormatUint(rand.Uint64(), 10) + suffix
		f, err := d.root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) && try < 100 {
			continue
		}
		if at, ok := errors.AsType[*fs.PathError](err); ok {
			err = fmt.Errorf("make a file beside %s: %w", d.pathOf(name), at.Err)
		}
		return temporary, f, err
	}
}

// about returns an error about the temporary file of an entry as one about the entry: nobody
// knows the name of a file that is gone when the message is read.
func (d *Dir) about(name string, err error) error {
	if at, ok := err.(*fs.PathError); ok { //nolint:errorlint // what wraps one says more
		return &fs.PathError{Op: at.Op, Path: d.pathOf(name), Err: at.Err}
	}
	return err
}

// keep gives a file the owner, the mode and the extended attributes of an entry.
func (d *Dir) keep(f *os.File, name string, like fs.FileInfo) error {
	if uid, gid, ok := ownerOf(like); ok {
		err := d.fail("chown", name)
		if err == nil {
			err = f.Chown(uid, gid)
		}
		if err != nil {
			_ = f.Chown(-1, gid) // only root can change the owner
		}
	}
	if err := d.fail("chmod", name); err != nil { // after Chown, which may clear bits of the mode
		return err
	}
	if err := f.Chmod(like.Mode()); err != nil {
		return err
	}
	if err := d.fail("attributes", name); err != nil {
		return err
	}
	from, err := d.root.OpenFile(name, os.O_RDONLY|noFollowOrWait, 0)
	if err != nil {
		return err
	}
	if now, statErr := from.Stat(); statErr != nil || !os.SameFile(now, like) {
		return errors.Join(fmt.Errorf("%s: %w", d.pathOf(name), errReplaced), statErr, from.Close())
	}
	return errors.Join(copyAttributes(from, f), from.Close())
}

// mark is before the number in the name of a temporary file, and suffix ends it.
const (
	mark   = ".goldenarch-"
	suffix = ".tmp"
)

// prefix begins the names of the temporary files of an entry. Names have at most 255 bytes.
func prefix(name string) string {
	const longest = 200
	if len(name) > longest {
		name = strings.ToValidUTF8(name[:longest], "")
	}
	return "." + name + mark
}

// Leftovers returns the temporary files of an entry. Those of a process that runs are among them.
func (d *Dir) Leftovers(name string) []string {
	entries, err := fs.ReadDir(d.root.FS(), ".")
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		number, begins := strings.CutPrefix(e.Name(), prefix(name))
		number, ends := strings.CutSuffix(number, suffix)
		if begins && ends && number != "" && strings.Trim(number, "0123456789") == "" && e.Type().IsRegular() {
			out = append(out, e.Name())
		}
	}
	return out
}
