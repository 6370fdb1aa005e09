package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/regular"
	"github.com/goldenarch/goldenarch/internal/write"
)

// lockFile is the name of a new lock.
const lockFile = lock.FileName

// openedLock is a lock and its text; the text is nil if the file does not exist yet.
type openedLock struct {
	name string
	text []byte
	file *lock.File
}

// open reads the file that contains the lock, or will contain it.
func (l *lockVerb) open(images pipeline.Images) (openedLock, finding.List, error) {
	opened := openedLock{name: l.file}
	var err error
	if opened.name == "" {
		if opened.name, err = lockPlace(images, l.bundles); err != nil {
			return openedLock{}, nil, err
		}
	}
	if conflict := l.tree.Check(opened.name); conflict != nil {
		return openedLock{}, conflictFindings([]*write.ConflictError{conflict}), nil
	}
	opened.text, err = regular.Read(opened.name)
	if errors.Is(err, fs.ErrNotExist) {
		opened.file = lock.NewFile(opened.name)
		return opened, nil, nil
	}
	if err != nil {
		return openedLock{}, nil, fmt.Errorf("read the lock: %w", err)
	}
	var found finding.List
	opened.file, found, err = lock.ReadFile(opened.name, opened.text)
	return opened, found, err
}

// standardInput replaces the file name of items from standard input.
const standardInput = "stdin"

// lockPlace returns the file of the lock among the items, or otherwise the one beside
// their CR, or in their bundle. If there are several, the user must name one.
func lockPlace(images pipeline.Images, bundles []bundle) (string, error) {
	locks := placesOf(images.Locks, filepath.Clean)
	dirs := placesOf(images.CRs, filepath.Dir)
	if len(images.CRs) == 0 {
		dirs = placesOf(images.Pods, func(file string) string { return dirOfLock(file, bundles) })
	}
	switch {
	case len(locks) == 1:
		return locks[0], nil
	case len(locks) > 1:
		return "", fmt.Errorf("there are several locks (%s): say with --file which one is meant, or lock each PATH by itself", strings.Join(locks, ", "))
	case len(dirs) == 1:
		return filepath.Join(dirs[0], lockFile), nil
	case len(dirs) > 1:
		return "",
			fmt.Errorf("there are CRs in several directories (%s): say with --file where the lock is to be, or lock each PATH by itself", strings.Join(dirs, ", "))
	case len(images.CRs)+len(images.Pods)+len(images.Locks) > 0:
		return "", errors.New("standard input has no directory: name the lock file with --file")
	}
	return "",
		errors.New("there is neither a HyperConverged CR nor an ArchitectureLock in the input: " +
			"nothing says what to lock (for the images of pods, use --workloads Check)")
}

// placesOf returns what of returns for the files of objects, sorted. If several names
// refer to one place, it returns the first.
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
