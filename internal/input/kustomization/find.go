package kustomization

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/input/manifest"
)

// Find returns the first object that is wanted among those that the kustomization
// of a directory lists, itself or through the directories it refers to, and nil if
// there is none. Nothing is built and nothing is fetched: the directory may be
// anybody's. What cannot be read has no objects. It is an error if there is more to
// look through than any repository has.
func Find(dir string, wanted func(*yaml.RNode) bool) (*yaml.RNode, error) {
	files := newDisk()
	f := finder{build: build{FileSystem: files, notes: files, given: dir}, wanted: wanted, visited: map[string]bool{}}
	dir = filepath.Clean(dir)
	if _, _, err := f.visit(dir); err != nil {
		return nil, nil //nolint:nilerr // it cannot be read
	}
	found := f.directory(dir, 0)
	if why := cmp.Or(f.stopped, files.refused); found == nil && why != nil {
		return nil, fmt.Errorf("look through the kustomization in %s: %w", dir, why)
	}
	return found, nil
}

type finder struct {
	build

	wanted  func(*yaml.RNode) bool
	visited map[string]bool // files and directories, without links
	entries int
	stopped error
}

const (
	// maxEntries is how many files and directories are looked at.
	maxEntries = 10_000
	// maxSteps is how many directories may refer to each other in a row.
	maxSteps = 100
)

var (
	errEntries = fmt.Errorf("it refers to more than %d files and directories", maxEntries)
	errSteps   = fmt.Errorf("directories refer to each other in more than %d steps", maxSteps)
	errVisited = errors.New("it was visited before")
)

// visit returns a file or directory without links, the first time that it is come by.
func (f *finder) visit(path string) (filesys.ConfirmedDir, string, error) {
	if f.entries++; f.entries > maxEntries {
		f.stopped = errEntries
	}
	if f.stopped != nil {
		return "", "", f.stopped
	}
	dir, file, err := f.FileSystem.CleanedAbs(path)
	if err != nil {
		return "", "", err
	}
	target := dir.Join(file)
	if f.visited[target] {
		return "", "", errVisited
	}
	f.visited[target] = true
	return dir, file, nil
}

func (f *finder) directory(dir string, steps int) *yaml.RNode {
	if steps > maxSteps {
		f.stopped = errSteps
		return nil
	}
	k, ok := f.load(dir)
	if !ok {
		return nil
	}
	k.FixKustomization() // bases are resources
	for _, entry := range slices.Concat(k.Transformers, k.Generators, k.Validators) {
		if !isInline(entry) {
			continue
		}
		if found := f.first(manifest.Parse(filepath.Join(dir, "kustomization.yaml"), []byte(entry))); found != nil {
			return found
		}
	}
	for _, entry := range slices.Concat(k.Transformers, k.Generators, k.Validators, k.Resources, k.Components) {
		if found := f.path(dir, entry, steps); found != nil {
			return found
		}
	}
	return nil
}

// path looks into a file or a directory. kustomize refuses a file that is not below
// its directory, links or not (api loader/loadrestrictions.go).
func (f *finder) path(dir, entry string, steps int) *yaml.RNode {
	if isInline(entry) || isRemote(entry) || filepath.IsAbs(entry) {
		return nil
	}
	path := filepath.Join(dir, entry)
	below, file, err := f.visit(path)
	if err != nil {
		return nil
	}
	if file == "" {
		return f.directory(path, steps+1)
	}
	if !f.below(dir, below) {
		return nil
	}
	data, err := f.FileSystem.ReadFile(path)
	if err != nil {
		return nil
	}
	return f.first(manifest.Parse(filepath.ToSlash(path), data))
}

// below reports whether the directory of a file is another one or below it, both
// without links.
func (b *build) below(dir string, of filesys.ConfirmedDir) bool {
	root, err := filesys.ConfirmDir(b.FileSystem, dir)
	return err == nil && of.HasPrefix(root)
}

func (f *finder) first(items []*yaml.RNode, err error) *yaml.RNode {
	if at := slices.IndexFunc(items, f.wanted); err == nil && at >= 0 {
		return items[at]
	}
	return nil
}
