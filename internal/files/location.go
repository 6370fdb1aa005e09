package files

import (
	"errors"
	"path/filepath"
)

// location is where a file is: the path below a root, without links.
type location struct {
	root, path string
}

func (p location) String() string { return filepath.Join(p.root, p.path) }

// in opens the directory of a file. It follows no link below the root.
func (p location) in(faults Faults) (*Dir, error) {
	root, err := OpenDir(p.root, faults)
	if err != nil {
		return nil, err
	}
	dir, err := root.Below(filepath.Dir(p.path))
	return dir, errors.Join(err, root.Close())
}

// with calls a function with the directory of a file, and the name of the file in it.
func (p location) with(faults Faults, do func(dir *Dir, name string) error) error {
	dir, err := p.in(faults)
	if err != nil {
		return err
	}
	return errors.Join(do(dir, filepath.Base(p.path)), dir.Close())
}
