package repo

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/input/manifest"
)

// Route is a way on which a directory gets to a cluster.
type Route struct {
	// By names what applies the directory: "apps/prod.yaml: Application/prod".
	By string
	// Plugin says that a plugin of Argo CD makes the manifests.
	Plugin bool
	// Flux says that Flux applies the directory, and not Argo CD.
	Flux bool

	dir string // without links
	// recurse says that it applies the directories below, too.
	recurse bool
}

// Routes are the ways on which the directories of a repository get to clusters, as far as
// its Applications and its Kustomizations of Flux say.
type Routes []Route

// To returns the routes of a directory.
func (r Routes) To(dir string) Routes {
	target, err := filepath.Abs(dir)
	if err == nil {
		target, err = filepath.EvalSymlinks(target)
	}
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r), func(one Route) bool {
		return one.dir != target && !(one.recurse && isBelow(target, one.dir))
	})
}

// RoutesIn looks through a tree for what applies its directories, and for nothing else.
func RoutesIn(root string, from manifest.IgnoreFrom) (Routes, error) {
	if _, err := os.Stat(filepath.Clean(root)); err != nil {
		return nil, err
	}
	s := newScan(root, Options{IgnoreFrom: from})
	if err := s.read(); err != nil {
		return nil, err
	}
	s.follow()
	for i := range s.out.Routes { // the user knows the files by their paths in the repository
		s.out.Routes[i].By = strings.TrimPrefix(s.out.Routes[i].By, filepath.ToSlash(s.root)+"/")
	}
	return s.out.Routes, nil
}
