package write

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/goldenarch/goldenarch/internal/durable"
)

// ErrMayNotLast says that a file is written and complete, but may not survive a crash of
// the machine. After any other error the file is unchanged.
var ErrMayNotLast = errors.New("it is written, but may not outlast a crash of the machine")

// Output writes one file that the operator names for output, whatever it has. The name is
// resolved as given: a link stays one. A device or a pipe gets the text.
func Output(name string, data []byte) error { return OutputTo(nil, name, data) }

// OutputTo is [Output] on a disk that may fail, for tests.
func OutputTo(faults durable.Faults, name string, data []byte) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return os.WriteFile(name, data, info.Mode().Perm())
	}
	target, err := targetOf(name)
	if err != nil {
		return err
	}
	if inGit(target) {
		return fmt.Errorf("%s: %w", name, ErrGit)
	}
	p := place{root: filepath.Dir(target), path: filepath.Base(target)}
	return p.with(faults, func(dir *durable.Dir, name string) error {
		if info, err := dir.Lstat(name); err == nil && !info.Mode().IsRegular() {
			return fmt.Errorf("%s: %w", target, ErrNotFile)
		}
		temporary, err := dir.Stage(name, data, durable.Usual)
		if err != nil {
			return err
		}
		if err := dir.Rename(temporary, name); err != nil {
			return errors.Join(err, dir.Remove(temporary))
		}
		if err := dir.Sync(); err != nil {
			return fmt.Errorf("%w: %w", ErrMayNotLast, err)
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
			err = fmt.Errorf("%s: %w", dir, ErrGit)
		}
		return err
	}
}
