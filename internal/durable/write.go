package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// ErrMayNotLast is in the error of a file that is written and whole, but may not
// be there any more after a crash of the machine. After any other error the file
// is as it was.
var ErrMayNotLast = errors.New("it is written, but may not outlast a crash of the machine")

// Write writes a file through a temporary one beside it, whose name follows the
// pattern of [os.CreateTemp]. After an error nothing is left of that. A file that is
// there keeps its owner, as far as the system lets this process give it away: root
// writes into other people's directories.
func Write(disk Disk, name, pattern string, mode fs.FileMode, text []byte) error {
	dir := filepath.Dir(name)
	temporary, err := write(disk, dir, pattern, text, func(f File) error {
		if uid, gid, ok := ownerOf(name); ok && f.Chown(uid, gid) != nil {
			_ = f.Chown(-1, gid) // only root gives files away
		}
		return f.Chmod(mode) // after that, which may take bits of the mode away
	})
	if err != nil {
		return err
	}
	if err := disk.Rename(temporary, name); err != nil {
		return errors.Join(err, disk.Remove(temporary))
	}
	if err := disk.Sync(dir); err != nil {
		return fmt.Errorf("%w: %w", ErrMayNotLast, err)
	}
	return nil
}

func write(disk Disk, dir, pattern string, text []byte, permit func(File) error) (string, error) {
	f, err := disk.Create(dir, pattern)
	if err != nil {
		return "", err
	}
	_, err = f.Write(text)
	if err == nil {
		err = permit(f)
	}
	if err == nil {
		err = f.Sync() // or a crash could leave the name with nothing behind it
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, disk.Remove(f.Name()))
	}
	return f.Name(), nil
}
