package manifest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/goldenarch/goldenarch/internal/files"
)

// ErrLink is the error for a link out of the directory that goldenarch reads. With such a
// link, the author of the directory could make goldenarch read any file of the machine.
var ErrLink = errors.New("the link leads out of the directory: copy the file, or name the link in .krmignore")

// LinkError is the error for a link that leads to no file. Nobody can read it, so it hides no
// object.
type LinkError struct {
	File string
	// Target is what the link says.
	Target string
	// Circle says that the link leads back to itself.
	Circle bool
}

// Error implements error.
func (e *LinkError) Error() string {
	if e.Circle {
		return fmt.Sprintf("%s: the link leads to %s, and from there back to itself, so nobody can read it", e.File, e.Target)
	}
	return fmt.Sprintf("%s: the link leads to %s, where there is no file, so nobody can read it", e.File, e.Target)
}

// BrokenLink returns the error of a link that leads to no file, nil for anything else.
func BrokenLink(file string) *LinkError {
	_, err := os.Stat(file)
	circle := errors.Is(err, syscall.ELOOP)
	if !circle && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	if target, err := os.Readlink(file); err == nil {
		return &LinkError{File: file, Target: target, Circle: circle}
	}
	return nil // it is no link
}

// followed returns the files of a directory, each once. It skips a link to a directory,
// and a link to a file that is in the list or that another link leads to. It returns the links that
// lead to no file by themselves. A link out of the directory is an error.
func followed(dir string, paths []string) ([]string, []*LinkError, error) {
	links := map[string]string{} // the targets of the links
	read := map[string]bool{}
	var kept []string
	var broken []*LinkError
	root, err := files.Real(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, file := range paths {
		target, isLink, err := resolved(root, file)
		failed, isBroken := errors.AsType[*LinkError](err)
		switch {
		case isBroken:
			broken = append(broken, failed)
			continue
		case err != nil:
			return nil, nil, err
		case isLink:
			links[file] = target
		default:
			below, err := filepath.Rel(dir, file)
			if err != nil {
				return nil, nil, err
			}
			read[filepath.Join(root, below)] = true
		}
		kept = append(kept, file)
	}
	var out []string
	for _, file := range kept {
		target, isLink := links[file]
		if isLink && (read[target] || files.IsDir(target)) {
			continue
		}
		if isLink {
			read[target] = true
		}
		out = append(out, file)
	}
	return out, broken, nil
}

// resolved returns the target of a link, and whether a file is a link.
func resolved(root, file string) (string, bool, error) {
	info, err := os.Lstat(file)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return "", false, err
	}
	if broken := BrokenLink(file); broken != nil {
		return "", true, broken
	}
	target, err := files.Real(file)
	if err != nil {
		return "", true, err
	}
	if !files.Within(target, root) {
		return "", true, fmt.Errorf("%s: %w", file, ErrLink)
	}
	return target, true, nil
}

// leaves reports whether a file of a directory is a link to a place outside it, or a
// broken link.
func leaves(dir, file string) bool {
	root, err := files.Real(dir)
	if err == nil {
		_, _, err = resolved(root, file)
	}
	return err != nil
}
