package manifest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Dir is a directory of a tree.
type Dir struct {
	// Path is the directory, below the path that the user named.
	Path string
	// Files are the manifests that may be in it, by their paths: .yaml, .yml and .json
	// files without the kustomization.
	Files []string
	// Kustomized says that the directory has a kustomization.
	Kustomized bool
	// Chart says that it is a Helm chart. Then it has no files, and the directories below
	// it are not in the tree. Below a chart at the root, those are that helm does not read.
	Chart bool
	// Ignored are the manifests and directories in it that a .krmignore names.
	Ignored []string
	// Err says why the directory cannot be read.
	Err error
}

// Tree lists a directory and those below it, each before the ones in it. It leaves out
// hidden directories, and what a .krmignore names. It follows no links to directories.
func Tree(root string, from IgnoreFrom) []Dir { return tree(root, nil, from, true) }

func tree(dir string, above ignores, from IgnoreFrom, isRoot bool) []Dir {
	out := Dir{Path: dir}
	ignored, err := above.below(dir, from)
	if err != nil {
		out.Err = err
		return []Dir{out}
	}
	if chart := filepath.Join(dir, chartFile); !ignored.match(chart, isFile) && isChart(chart) {
		if out.Chart = true; !isRoot {
			return []Dir{out}
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		out.Err = err
		return []Dir{out}
	}
	var below []Dir
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		switch {
		case strings.HasPrefix(entry.Name(), "."), out.Chart && (!entry.IsDir() || slices.Contains(ofChart, entry.Name())):
		case ignored.match(path, entry.IsDir()):
			if entry.IsDir() || isManifest(entry.Name()) {
				out.Ignored = append(out.Ignored, path)
			}
		case entry.IsDir():
			below = append(below, tree(path, ignored, from, false)...)
		case isKustomization(entry.Name()):
			out.Kustomized = true
		case isManifest(entry.Name()) && !isDir(path):
			out.Files = append(out.Files, path)
		}
	}
	return slices.Concat([]Dir{out}, below)
}

// ofChart are the directories of a chart that helm reads as manifests (helm
// pkg/chart/loader/load.go).
var ofChart = []string{"templates", "charts", "crds"}

// Files reads files one by one. Unlike [Reader.Paths], it goes on after an error, and
// returns the errors by file.
func (r *Reader) Files(files []string) (Read, map[string]error) {
	var all Read
	failed := map[string]error{}
	for _, file := range files {
		items, err := r.file(file)
		if err != nil {
			failed[file] = err
			continue
		}
		all.Items = append(all.Items, items...)
	}
	return all, failed
}
