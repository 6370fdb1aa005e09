package kustomize

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Find returns the first wanted object among those that the kustomization of a directory
// lists, directly or through other directories. It returns nil if there is no such object.
// It builds and fetches nothing, because the directory may not be trusted. It ignores
// files that it cannot read. It returns an error if there are too many files for a
// repository, or if one of them expands to too many values to know what is in it.
func Find(dir string, wanted func(*yaml.RNode) bool) (*yaml.RNode, error) {
	root, err := files.Real(dir)
	if err != nil {
		return nil, nil //nolint:nilerr // the directory cannot be read
	}
	f := finder{given: dir, root: root, wanted: wanted, visited: map[string]bool{root: true}}
	found := f.directory(root)
	if found == nil && f.stopped != nil {
		return nil, fmt.Errorf("look through the kustomization in %s: %w", filepath.Clean(dir), f.stopped)
	}
	return found, nil
}

type finder struct {
	given, root string
	wanted      func(*yaml.RNode) bool
	budget      files.Budget
	visited     map[string]bool // files and directories, without links
	entries     int
	stopped     error
}

// maxEntries is how many files and directories Find reads.
const maxEntries = 10_000

var errEntries = fmt.Errorf("it refers to more than %d files and directories", maxEntries)

// directory searches a directory without links: what it lists is beside it.
func (f *finder) directory(dir string) *yaml.RNode {
	file := kustomizationFile(dir)
	if file == "" || !files.Within(file, dir) { // kustomize refuses a link that leads elsewhere
		return nil
	}
	k, ok := decode(f.read(file))
	if !ok {
		return nil
	}
	plugins := slices.Concat(k.Transformers, k.Generators, k.Validators)
	for _, entry := range plugins {
		if !IsInline(entry) {
			continue
		}
		if found := f.first(filepath.Join(dir, "kustomization.yaml"), []byte(entry)); found != nil {
			return found
		}
	}
	for _, entry := range slices.Concat(plugins, k.Resources, k.Bases, k.Components) { //nolint:staticcheck // older kustomizations have bases
		if f.entries++; f.entries > maxEntries {
			f.stopped = errEntries
		}
		if f.stopped != nil {
			return nil
		}
		for _, path := range Located(dir, []string{entry}) {
			if found := f.path(dir, path); found != nil {
				return found
			}
		}
	}
	return nil
}

// path searches a file or a directory. kustomize refuses a file that is not below its
// directory, with links resolved or not (api loader/loadrestrictions.go).
func (f *finder) path(dir, path string) *yaml.RNode {
	switch {
	case f.visited[path]:
		return nil
	case files.IsDir(path):
		f.visited[path] = true
		return f.directory(path)
	case !files.Within(path, dir):
		return nil
	}
	f.visited[path] = true
	return f.first(path, f.read(path))
}

func (f *finder) read(path string) []byte {
	data, err := f.budget.Read(path)
	if errors.Is(err, files.ErrTooLarge) || errors.Is(err, files.ErrTooMany) {
		f.stopped = err
	}
	if wrong := yamlnode.CheckText(data); err == nil && wrong != nil { // its objects are unknown
		f.stopped = fmt.Errorf("%s: %w", filepath.ToSlash(files.Named(f.given, f.root, path)), wrong)
		return nil
	}
	return data
}

func (f *finder) first(path string, text []byte) *yaml.RNode {
	items, err := manifest.Parse(filepath.ToSlash(files.Named(f.given, f.root, path)), text)
	if at := slices.IndexFunc(items, f.wanted); err == nil && at >= 0 {
		return items[at]
	}
	return nil
}
