package kustomization

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/types"

	"github.com/goldenarch/goldenarch/internal/regular"
)

// kustomizationOf reads the kustomization of a directory, and returns its file.
func kustomizationOf(dir string) (string, types.Kustomization, bool) {
	path := kustomizationFile(dir)
	if path == "" {
		return "", types.Kustomization{}, false
	}
	data, err := regular.Read(path)
	if err != nil {
		return "", types.Kustomization{}, false
	}
	k, ok := decode(data)
	return path, k, ok
}

// cutVersion cuts an apiVersion into group and version.
func cutVersion(apiVersion string) (group, version string, ok bool) {
	return strings.Cut(apiVersion, "/")
}

// graph has the files and directories to which each kustomization of a tree refers.
type graph map[string][]string

// graphOf reads all kustomizations of a tree, except those in hidden directories.
func graphOf(tree string) graph {
	g := graph{}
	g.below(tree)
	return g
}

func (g graph) below(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // a directory that cannot be read refers to nothing
	}
	for _, entry := range entries {
		switch {
		case entry.IsDir() && !strings.HasPrefix(entry.Name(), "."):
			g.below(filepath.Join(dir, entry.Name()))
		case slices.Contains(konfig.RecognizedKustomizationFileNames(), entry.Name()):
			g.add(dir)
		}
	}
}

func (g graph) add(dir string) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return
	}
	_, k, ok := kustomizationOf(dir)
	if !ok {
		return
	}
	g[dir] = located(dir, slices.Concat(entriesOf(k), otherFilesOf(k)))
}

// reached returns all files and directories to which a directory refers, at any depth.
func (g graph) reached(dir string) map[string]bool {
	out := map[string]bool{}
	var visit func(string)
	visit = func(path string) {
		for _, next := range g[path] {
			if !out[next] {
				out[next] = true
				visit(next)
			}
		}
	}
	visit(dir)
	return out
}

// sharers returns the other directories that build a file. It leaves out the directories
// that the directory builds, and those that build the directory. Of directories that build
// each other, it returns only the outermost.
func (g graph) sharers(dir, file string) []string {
	own := g.reached(dir)
	others := map[string]map[string]bool{}
	for other := range g {
		if all := g.reached(other); other != dir && !own[other] && all[file] && !all[dir] {
			others[other] = all
		}
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(others)), func(one string) bool {
		for other, all := range others {
			if other != one && all[one] {
				return true
			}
		}
		return false
	})
}
