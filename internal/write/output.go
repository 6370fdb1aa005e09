package write

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/goldenarch/goldenarch/internal/durable"
)

// errMayNotLast says that a file is written and complete, but may not survive a crash of
// the machine. After any other error the file is unchanged.
var errMayNotLast = errors.New("it is written, but may not outlast a crash of the machine")

// Output writes one file that the operator names for output, whatever it has. The name is
// resolved as given: a link stays one. A device or a pipe gets the text.
func Output(name string, data []byte) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return os.WriteFile(name, data, info.Mode().Perm())
	}
	target, err := targetOf(name)
	if err != nil {
		return err
	}
	return place{root: filepath.Dir(target), path: filepath.Base(target)}.output(nil, data)
}

// OutputBelow writes one file below a directory that the operator names for output, and
// makes the directories on the way. The name of the directory is resolved as given. What is
// in it may be from Git, so a link in it leads nowhere else. The faults may be nil.
func OutputBelow(faults durable.Faults, dir, name string, data []byte) error {
	resolved, err := realPath(dir)
	if err != nil {
		return err
	}
	if err := MakeBelow(resolved, filepath.Dir(name)); err != nil {
		return err
	}
	p, err := locate(resolved, name)
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(dir, name), err)
	}
	return p.output(faults, data)
}

// MakeBelow makes directories below one that the operator names for output. No link in it
// leads out of it.
func MakeBelow(dir, name string) error {
	root, err := durable.OpenDir(dir, nil)
	if err != nil {
		return err
	}
	return errors.Join(root.MkdirAll(name), root.Close())
}

// output writes a file, whatever it has. Other processes may write the same file at the same
// time: if one replaces it while this one looks at it, output looks again.
func (p place) output(faults durable.Faults, data []byte) error {
	if inGit(p.String()) {
		return fmt.Errorf("%s: %w", p, errGit)
	}
	const tries = 100
	for again := 1; ; again++ {
		if err := p.outputOnce(faults, data); again == tries || !errors.Is(err, durable.ErrReplaced) {
			return err
		}
	}
}

func (p place) outputOnce(faults durable.Faults, data []byte) error {
	return p.with(faults, func(dir *durable.Dir, name string) error {
		if info, err := dir.Lstat(name); err == nil && !info.Mode().IsRegular() {
			return fmt.Errorf("%s: %w", p, errNotFile)
		}
		if err := dir.Write(name, data, durable.Usual); err != nil {
			return err
		}
		if err := dir.Sync(); err != nil {
			return fmt.Errorf("%w: %w", errMayNotLast, err)
		}
		return nil
	})
}

// CheckOutput returns why goldenarch would not write below a directory that the operator
// names for output. The directory need not exist.
func CheckOutput(dir string) error {
	path, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	for at := path; ; at = filepath.Dir(at) {
		resolved, err := filepath.EvalSymlinks(at)
		if errors.Is(err, fs.ErrNotExist) && at != filepath.Dir(at) {
			continue
		}
		if err == nil && (inGit(path) || inGit(resolved)) {
			err = fmt.Errorf("%s: %w", dir, errGit)
		}
		return err
	}
}
