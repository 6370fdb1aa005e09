package files

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// errMayNotLast says that a file is written and complete, but may not survive a crash of
// the machine. After any other error the file is unchanged.
var errMayNotLast = errors.New("it is written, but may not outlast a crash of the machine")

// WriteOutput writes one file that the operator names for output, whatever it has. The name is
// resolved as given: a link stays one. A device or a pipe gets the text.
func WriteOutput(name string, data []byte) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return os.WriteFile(name, data, info.Mode().Perm())
	}
	target, err := targetOf(name)
	if err != nil {
		return err
	}
	return location{root: filepath.Dir(target), path: filepath.Base(target)}.output(data)
}

// output writes a file, whatever it has. Other processes may write the same file at the same
// time: if one replaces it while this one looks at it, output looks again.
func (p location) output(data []byte) error {
	if inGit(p.String()) {
		return fmt.Errorf("%s: %w", p, errGit)
	}
	const tries = 100
	for again := 1; ; again++ {
		if err := p.outputOnce(data); again == tries || !errors.Is(err, ErrReplaced) {
			return err
		}
	}
}

func (p location) outputOnce(data []byte) error {
	return p.with(nil, func(dir *Dir, name string) error {
		if info, err := dir.Lstat(name); err == nil && !info.Mode().IsRegular() {
			return fmt.Errorf("%s: %w", p, errNotFile)
		}
		if err := dir.Write(name, data, UsualMode); err != nil {
			return err
		}
		if err := dir.Sync(); err != nil {
			return fmt.Errorf("%w: %w", errMayNotLast, err)
		}
		return nil
	})
}
