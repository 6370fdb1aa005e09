package files

import (
	"fmt"
	"os"
	"path/filepath"
)

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
	if inGit(target) {
		return fmt.Errorf("%s: %w", target, errGit)
	}
	return location{root: filepath.Dir(target), path: filepath.Base(target)}.with(nil, func(dir *Dir, name string) error {
		if err := dir.Write(name, data, UsualMode); err != nil {
			return err
		}
		return dir.Sync()
	})
}
