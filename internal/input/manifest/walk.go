package manifest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/regular"
)

// ErrKustomization is the error for a directory that kustomize must build before
// goldenarch can read it. In a tree of bases and overlays, only the user knows which
// directory to build.
var ErrKustomization = errors.New("the directory has a kustomization, but the directory above it has none: name the directory to build")

// errToBuild is the error for a kustomization as an input file. A kustomization says what
// to build, and is not an object for the cluster.
var errToBuild = errors.New("the file is a kustomization, not a manifest")

// Read is what [Reader.Paths] has read.
type Read struct {
	Items []*yaml.RNode
	// Templated has the files that Paths skipped because they are templates.
	Templated []string
	// Charts has the directories that Paths skipped because they are Helm charts.
	Charts []string
}

// ReadPaths reads all manifests of some paths, see [Reader.Paths].
func ReadPaths(paths []string) (Read, error) { return new(Reader).Paths(paths) }

// Paths reads files, and directories recursively. It skips hidden directories, and the
// paths that a .krmignore of a directory names. In a directory, it reads only .yaml, .yml
// and .json files. It skips links to directories. It reads a link to a file below the
// directory, unless it reads that file anyway. A link to a file elsewhere is an error.
func (r *Reader) Paths(paths []string) (Read, error) {
	var all Read
	r.budget = regular.Budget{}
	for _, path := range paths {
		files, err := files(path, r.IgnoreFrom)
		if err != nil {
			return Read{}, err
		}
		for _, file := range files {
			if isChart(file) {
				all.Charts = append(all.Charts, filepath.Dir(file))
				continue
			}
			items, err := r.file(file)
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
func files(path string, from IgnoreFrom) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("read the manifests: %w", err)
	}
	if !info.IsDir() {
		if isKustomization(filepath.Base(path)) {
			return nil, fmt.Errorf("%s: %w: name the directory, %s", path, errToBuild, filepath.Dir(path))
		}
		return []string{path}, nil
	}
	out, err := walk(path, nil, from)
	if err == nil {
		out, err = followed(path, out)
	}
	if err != nil {
		return nil, fmt.Errorf("read the manifests: %w", err)
	}
	return out, nil
}

// walk lists the manifests of a directory and of those below it, without the files that a
// .krmignore there or above excludes. Only helm can render a Helm chart. For a chart, walk
// lists the file that describes it.
func walk(dir string, above ignores, from IgnoreFrom) ([]string, error) {
	ignored, err := above.below(dir, from)
	if err != nil {
		return nil, err
	}
	if chart := filepath.Join(dir, chartFile); !ignored.match(chart, isFile) && isChart(chart) {
		return []string{chart}, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		switch {
		case ignored.match(path, entry.IsDir()), entry.IsDir() && strings.HasPrefix(entry.Name(), "."):
		case entry.IsDir():
			below, err := walk(path, ignored, from)
			if err != nil {
				return nil, err
			}
			out = append(out, below...)
		case isKustomization(entry.Name()):
			return nil, fmt.Errorf("%s: %w", dir, ErrKustomization)
		case isManifest(entry.Name()):
			out = append(out, path)
		}
	}
	return out, nil
}

func isManifest(name string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(name))
}

func isKustomization(name string) bool {
	return slices.Contains([]string{"kustomization.yaml", "kustomization.yml", "Kustomization"}, name)
}
