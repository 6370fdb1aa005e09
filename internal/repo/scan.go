package repo

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/regular"
)

// scan is a tree that is looked through.
type scan struct {
	Options

	root   string
	dirs   []manifest.Dir
	byPath map[string]*manifest.Dir // without links
	real   map[string]string        // the path without links, by path
	budget regular.Budget
	texts  map[string]*text // files, by path without links
	refs   map[string]kustomization.References
	above  map[string]kustomization.References // of directories outside of the tree
	named  map[string]bool                     // files and directories that a kustomization names
	apps   map[string]application
	// flux has what Kustomizations of Flux apply, and by which names.
	flux map[string][]string
	// unfollowed are the ApplicationSets whose directories only Argo CD knows.
	unfollowed []unfollowed
	// configs are the plain files with a GoldenImages.
	configs []string
	// aboutPods are the plain files with a WorkloadArchitectures.
	aboutPods []string
	// odd are the files that not every host decodes alike.
	odd map[string]bool
	out Layout
}

// Scan looks through a tree. The error is that of a tree that has more to read than any
// repository. What is wrong with single files is in the layout.
func Scan(root string, options Options) (Layout, error) {
	if _, err := os.Stat(filepath.Clean(root)); err != nil {
		return Layout{}, err
	}
	s := newScan(root, options)
	if err := s.read(); err != nil {
		return Layout{}, err
	}
	s.follow()
	s.kustomizations()
	s.plain()
	s.pods()
	for i, place := range s.out.Places {
		s.out.Places[i].Pods = s.Pods || slices.ContainsFunc(place.Files, func(file string) bool { return slices.Contains(s.aboutPods, file) })
	}
	s.charts()
	s.unchecked()
	slices.SortFunc(s.out.Places, func(a, b Place) int { return strings.Compare(a.Path, b.Path) })
	s.out.Files = s.budget.Files()
	return s.out, nil
}

// newScan lists the directories of a tree, and reads its kustomizations.
func newScan(root string, options Options) *scan {
	s := &scan{
		Options: options,
		root:    filepath.Clean(root),
		byPath:  map[string]*manifest.Dir{},
		real:    map[string]string{},
		texts:   map[string]*text{},
		refs:    map[string]kustomization.References{},
		above:   map[string]kustomization.References{},
		named:   map[string]bool{},
		apps:    map[string]application{},
		odd:     map[string]bool{},
		flux:    map[string][]string{},
	}
	s.dirs = manifest.Tree(s.root, s.IgnoreFrom)
	s.index()
	return s
}

// index leaves out bundles, and reads what each kustomization refers to.
func (s *scan) index() {
	s.leaveOutBundles()
	for i := range s.dirs {
		dir := &s.dirs[i]
		if dir.Err != nil {
			s.unreadable(dir.Path, dir.Err)
		}
		target, err := filepath.Abs(dir.Path)
		if err == nil {
			target, err = filepath.EvalSymlinks(target)
		}
		if err != nil {
			continue // removed meanwhile
		}
		s.byPath[target], s.real[dir.Path] = dir, target
		if dir.Kustomized {
			s.refs[target] = kustomization.ReferencesOf(dir.Path)
			for _, path := range s.refs[target].Local {
				if path != target {
					s.named[path] = true
				}
			}
		}
	}
}

// read reads the files of all directories.
func (s *scan) read() error {
	for i := range s.dirs {
		dir := &s.dirs[i]
		var files []string
		for _, file := range dir.Files {
			target, err := s.resolve(dir, file)
			if err != nil {
				s.unreadable(file, err)
				continue
			}
			if target == "" { // a link to a file of the tree, which is read there
				files = append(files, file)
				continue
			}
			if err := s.load(target, file); err != nil {
				return err
			}
			files = append(files, file)
		}
		dir.Files = files
	}
	return nil
}

// resolve returns the path of a file without links, and notes what a link leads to. A
// link out of the tree is an error.
func (s *scan) resolve(dir *manifest.Dir, file string) (string, error) {
	at := filepath.Join(s.real[dir.Path], filepath.Base(file))
	info, err := os.Lstat(file)
	if err != nil {
		return "", err
	}
	if info.Mode()&fs.ModeSymlink == 0 {
		s.real[file] = at
		return at, nil
	}
	target, err := filepath.EvalSymlinks(at)
	if err != nil {
		return "", err
	}
	if !isBelow(target, s.real[s.root]) {
		return "", manifest.ErrLink
	}
	s.real[file], s.named[target] = target, true
	return target, nil
}

// load reads a file, and notes why that fails.
func (s *scan) load(target, file string) error {
	if s.texts[target] != nil {
		return nil
	}
	data, err := s.budget.Read(file)
	if errors.Is(err, regular.ErrTooMany) {
		return err
	}
	if err != nil {
		s.unreadable(file, err)
		data = nil
	}
	s.texts[target] = newText(data)
	return nil
}

// unreadable reports a file or a directory that cannot be read: nobody knows whether it
// has a CR.
func (s *scan) unreadable(path string, err error) {
	s.out.Found = append(s.out.Found, Unreadable(path, err))
}

// isBelow reports whether a path is a directory, or below it.
func isBelow(path, dir string) bool {
	below, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(below)
}

// sortedPaths returns the keys of a set in their order.
func sortedPaths[V any](set map[string]V) []string { return slices.Sorted(maps.Keys(set)) }
