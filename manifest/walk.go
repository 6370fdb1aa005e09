package manifest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	gitignore "github.com/monochromegane/go-gitignore"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// ErrKustomization is the error of a directory that has to be built with
// kustomize before it can be read.
var ErrKustomization = errors.New("the directory has a kustomization: build it first, as in: kustomize build DIR | goldenarch render -")

// Read is what was read of a list of paths.
type Read struct {
	Items []*yaml.RNode
	// Templated are the files that were skipped because they are templates.
	Templated []string
}

// ReadPaths reads files, and directories recursively. Hidden directories and
// what .krmignore names are skipped; in a directory only .yaml, .yml and .json
// files are read.
func ReadPaths(paths []string) (Read, error) {
	var all Read
	for _, path := range paths {
		files, err := files(path)
		if err != nil {
			return Read{}, err
		}
		for _, file := range files {
			items, err := ReadFile(file)
			if errors.Is(err, ErrTemplated) {
				all.Templated = append(all.Templated, file)
				continue
			}
			if err != nil {
				return Read{}, err
			}
			all.Items = append(all.Items, items...)
		}
	}
	return all, nil
}

// files lists the manifests of a path, in lexical order.
func files(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("read the manifests: %w", err)
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	ignored, err := ignores(path)
	if err != nil {
		return nil, err
	}
	var out []string
	err = filepath.WalkDir(path, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && file != path && (strings.HasPrefix(entry.Name(), ".") || ignored(file, true)):
			return filepath.SkipDir
		case entry.IsDir() || ignored(file, false):
			return nil
		case isKustomization(entry.Name()):
			return fmt.Errorf("%s: %w", filepath.Dir(file), ErrKustomization)
		case isManifest(entry.Name()):
			out = append(out, file)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the manifests: %w", err)
	}
	return out, nil
}

// ignores returns what the .krmignore of a directory leaves out; it is written
// as a .gitignore.
func ignores(dir string) (func(path string, isDir bool) bool, error) {
	matcher, err := gitignore.NewGitIgnore(filepath.Join(dir, ".krmignore"), dir)
	if errors.Is(err, fs.ErrNotExist) {
		return func(string, bool) bool { return false }, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read .krmignore: %w", err)
	}
	return matcher.Match, nil
}

func isManifest(name string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(name))
}

func isKustomization(name string) bool {
	return slices.Contains([]string{"kustomization.yaml", "kustomization.yml", "Kustomization"}, name)
}
