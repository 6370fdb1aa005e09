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

// Find returns the first wanted object among those that the kustomization of a directory
// lists, directly or through other directories. It returns nil if there is no such object.
// It builds and fetches nothing, because the directory may not be trusted. It ignores
// files that it cannot read. It returns an error if there are too many files for a
// repository.
func Find(dir string, wanted func(*yaml.RNode) bool) (*yaml.RNode, error) {
	files := newDisk()
	f := finder{build: build{FileSystem: files, notes: files, given: dir}, wanted: wanted, visited: map[string]bool{}}
	at, _, err := f.visit(dir)
	if err != nil {
		return nil, nil //nolint:nilerr // the directory cannot be read
	}
	f.root = at.String()
	found := f.directory(f.root, 0)
	if why := cmp.Or(f.stopped, files.refused); found == nil && why != nil {
		return nil, fmt.Errorf("look through the kustomization in %s: %w", filepath.Clean(dir), why)
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
	// maxEntries is how many files and directories Find reads.
	maxEntries = 10_000
	// maxSteps is how long a chain of references between directories may be.
	maxSteps = 100
)

var (
	errEntries = fmt.Errorf("it refers to more than %d files and directories", maxEntries)
	errSteps   = fmt.Errorf("directories refer to each other in more than %d steps", maxSteps)
	errVisited = errors.New("it was visited before")
)

// visit returns a file or directory without links, if Find has not visited it before.
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

// directory searches a directory without links: what it lists is beside it.
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
		if found := f.first(manifest.Parse(f.shown(filepath.Join(dir, "kustomization.yaml")), []byte(entry))); found != nil {
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

// path searches a file or a directory. kustomize refuses a file that is not below its
// directory, with links resolved or not (api loader/loadrestrictions.go).
func (f *finder) path(dir, entry string, steps int) *yaml.RNode {
	if isInline(entry) || isRemote(dir, entry) || filepath.IsAbs(entry) {
		return nil
	}
	path := filepath.Join(dir, entry)
	below, file, err := f.visit(path)
	if err != nil {
		return nil
	}
	if file == "" {
		return f.directory(below.String(), steps+1)
	}
	if !f.below(dir, below) {
		return nil
	}
	data, err := f.FileSystem.ReadFile(path)
	if err != nil {
		return nil
	}
	return f.first(manifest.Parse(f.shown(path), data))
}

func (f *finder) first(items []*yaml.RNode, err error) *yaml.RNode {
	if at := slices.IndexFunc(items, f.wanted); err == nil && at >= 0 {
		return items[at]
	}
	return nil
}
