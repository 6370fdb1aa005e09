package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/finding"
	"github.com/goldenarch/goldenarch/fn"
	"github.com/goldenarch/goldenarch/internal/regular"
	"github.com/goldenarch/goldenarch/lock"
)

// lockFile is the name of a lock that is made.
const lockFile = lock.FileName

// open reads the file that the lock is in, or is to be in; old is nil if it is not
// there yet.
func (l *lockVerb) open(images fn.Images) (file *lock.File, name string, old []byte, found finding.List, err error) {
	name = l.file
	if name == "" {
		if name, err = lockPlace(images); err != nil {
			return nil, "", nil, nil, err
		}
	}
	old, err = regular.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return lock.NewFile(name), name, nil, nil, nil
	}
	if err != nil {
		return nil, "", nil, nil, fmt.Errorf("read the lock: %w", err)
	}
	file, found, err = lock.ReadFile(name, old)
	return file, name, old, found, err
}

// standardInput is what items have in the place of a file that were read of it.
const standardInput = "stdin"

// lockPlace returns the file of the lock among the items, or else the one beside
// their CR. Where there are several it is for a person to say which.
func lockPlace(images fn.Images) (string, error) {
	locks := placesOf(images.Locks, filepath.Clean)
	dirs := placesOf(images.CRs, filepath.Dir)
	switch {
	case len(locks) == 1:
		return locks[0], nil
	case len(locks) > 1:
		return "", fmt.Errorf("there are several locks (%s): say with --file which one is meant, or lock each PATH by itself", strings.Join(locks, ", "))
	case len(dirs) == 1:
		return filepath.Join(dirs[0], lockFile), nil
	case len(dirs) > 1:
		return "", fmt.Errorf("there are CRs in several directories (%s): say with --file where the lock is to be, or lock each PATH by itself", strings.Join(dirs, ", "))
	case len(images.CRs)+len(images.Locks) > 0:
		return "", errors.New("standard input has no directory: say with --file where the lock is to be")
	}
	return "", errors.New("there is neither a HyperConverged CR nor an ArchitectureLock in the input: nothing says what to lock")
}

// placesOf returns what is made of the files of objects, sorted. Of names that lead
// to one place it has the first.
func placesOf(list []finding.Object, of func(string) string) []string {
	var out []string
	for _, at := range list {
		if at.File != "" && at.File != standardInput {
			out = append(out, of(filepath.FromSlash(at.File)))
		}
	}
	slices.Sort(out)
	seen := map[string]bool{}
	return slices.DeleteFunc(out, func(name string) bool {
		target := lock.Target(name)
		again := seen[target]
		seen[target] = true
		return again
	})
}
