package kustomization

import (
	"os"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/manifest"
)

// Find returns the first object that is wanted among those that the kustomization
// of a directory lists, itself or through the directories it refers to, and nil if
// there is none. Nothing is built and nothing is fetched: the directory may be
// anybody's. What cannot be read has no objects.
func Find(dir string, wanted func(*yaml.RNode) bool) *yaml.RNode {
	f := finder{build: build{FileSystem: filesys.MakeFsOnDisk(), given: dir}, wanted: wanted, visited: map[string]bool{}}
	return f.directory(filepath.Clean(dir))
}

type finder struct {
	build

	wanted  func(*yaml.RNode) bool
	visited map[string]bool
}

func (f *finder) directory(dir string) *yaml.RNode {
	if f.visited[dir] {
		return nil
	}
	f.visited[dir] = true
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
		if found := f.path(dir, entry); found != nil {
			return found
		}
	}
	return nil
}

// path looks into a file or a directory. kustomize refuses a file that is not below
// its directory (api loader/loadrestrictions.go).
func (f *finder) path(dir, entry string) *yaml.RNode {
	if isInline(entry) || isRemote(entry) || filepath.IsAbs(entry) {
		return nil
	}
	path := filepath.Join(dir, entry)
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil
	case info.IsDir():
		return f.directory(path)
	case !info.Mode().IsRegular(), !filepath.IsLocal(entry):
		return nil
	}
	return f.first(manifest.ReadFile(path))
}

func (f *finder) first(items []*yaml.RNode, err error) *yaml.RNode {
	if at := slices.IndexFunc(items, f.wanted); err == nil && at >= 0 {
		return items[at]
	}
	return nil
}
