package manifest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/goldenarch/goldenarch/internal/pathname"
)

// ErrLink is the error for a link out of the directory that goldenarch reads. With such a
// link, the author of the directory could make goldenarch read any file of the machine.
var ErrLink = errors.New("the link leads out of the directory: copy the file, or name the link in .krmignore")

// followed returns the files of a directory, each once. It skips a link to a directory,
// and a link to a file that is in the list or that another link leads to. A link out of
// the directory is an error.
func followed(dir string, files []string) ([]string, error) {
	links := map[string]string{} // the targets of the links
	read := map[string]bool{}
	root, err := pathname.Real(dir)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		target, isLink, err := resolved(root, file)
		switch {
		case err != nil:
			return nil, err
		case isLink:
			links[file] = target
		default:
			below, err := filepath.Rel(dir, file)
			if err != nil {
				return nil, err
			}
			read[filepath.Join(root, below)] = true
		}
	}
	var out []string
	for _, file := range files {
		target, isLink := links[file]
		if isLink && (read[target] || pathname.IsDir(target)) {
			continue
		}
		if isLink {
			read[target] = true
		}
		out = append(out, file)
	}
	return out, nil
}

// resolved returns the target of a link, and whether a file is a link.
func resolved(root, file string) (string, bool, error) {
	info, err := os.Lstat(file)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return "", false, err
	}
	target, err := pathname.Real(file)
	if err != nil {
		return "", true, err
	}
	if !pathname.Within(target, root) {
		return "", true, fmt.Errorf("%s: %w", file, ErrLink)
	}
	return target, true, nil
}

// leaves reports whether a file of a directory is a link to a place outside it, or a
// broken link.
func leaves(dir, file string) bool {
	root, err := pathname.Real(dir)
	if err == nil {
		_, _, err = resolved(root, file)
	}
	return err != nil
}
