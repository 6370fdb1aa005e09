package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// ErrMayNotLast says that a file is written and complete, but may not survive a crash of
// the machine. After any other error the file is unchanged.
var ErrMayNotLast = errors.New("it is written, but may not outlast a crash of the machine")

// Write writes a file through a temporary file in the same directory, whose name follows
// the pattern of [os.CreateTemp]. After an error Write removes the temporary file. An
// existing file keeps its owner if the system lets this process change owners: root writes
// into other users' directories.
func Write(disk Disk, name, pattern string, mode fs.FileMode, text []byte) error {
	dir := filepath.Dir(name)
	temporary, err := write(disk, dir, pattern, text, func(f File) error {
		if uid, gid, ok := ownerOf(name); ok && f.Chown(uid, gid) != nil {
			_ = f.Chown(-1, gid) // only root can change the owner
		}
		return f.Chmod(mode) // after Chown, which may clear bits of the mode
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
		err = f.Sync() // otherwise a crash could leave the name with an empty file
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, disk.Remove(f.Name()))
	}
	return f.Name(), nil
}
