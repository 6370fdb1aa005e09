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
// pattern of [os.CreateTemp]. After an error nothing is left of that.
func Write(disk Disk, name, pattern string, mode fs.FileMode, text []byte) error {
	dir := filepath.Dir(name)
	temporary, err := write(disk, dir, pattern, mode, text)
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

func write(disk Disk, dir, pattern string, mode fs.FileMode, text []byte) (string, error) {
	f, err := disk.Create(dir, pattern)
	if err != nil {
		return "", err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync() // or a crash could leave the name with nothing behind it
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, disk.Remove(f.Name()))
	}
	return f.Name(), nil
}
