package repo

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/manifest"
)

// Route is a way on which a directory gets to a cluster.
type Route struct {
	// By names what applies the directory: "apps/prod.yaml: Application/prod".
	By string
	// Plugin is set if a plugin of Argo CD makes the manifests.
	Plugin *Plugin
	// Flux says that Flux applies the directory, and not Argo CD.
	Flux bool
	// Variables says that Flux fills in variables of the manifests (spec.postBuild).
	Variables bool
	// OnServer says that the API server merges what it applies, and so refuses unknown fields:
	// Flux (fluxcd/pkg ssa), and Argo CD with ServerSideApply=true. Else Argo CD asks the API
	// server for no strict validation, which then drops them (argo-cd gitops-engine
	// pkg/utils/kube/resource_ops.go: newApplyOptions sets no ValidationDirective).
	OnServer bool

	// OfBase says that it is a route of the commit that the checked one is a change of.
	OfBase bool

	// What is on the way, of which only some is set: the source of an Application with the files of the directory that
	// change it, the ApplicationSet that makes the Application, the Kustomization of Flux, and the HelmRelease.
	source  *applicationSource
	files   []sourceFile
	set     *applicationSet
	flux    *kustomizationSpec
	release *helmReleaseSpec

	// ignores are the differences that Argo CD ignores, and respects says that a sync does so, too.
	ignores  []ignored
	respects bool

	// application is the name of an Application; "" for those of an ApplicationSet, and for Flux.
	application string

	dir        string // without links
	kustomized bool   // the directory has a kustomization
	// view says which plain files of the directory Argo CD applies.
	view view
}

// Applies reports whether a plain file gets to the cluster as it is: Argo CD applies those of a
// directory without a kustomization and without a chart. Flux builds its directories with
// kustomize, which leaves out local configuration.
func (r Route) Applies(file string, local bool) bool {
	if r.Flux {
		return !local
	}
	target, err := files.Real(file)
	below, wrong := filepath.Rel(r.dir, target)
	if err != nil || wrong != nil || r.Plugin != nil || kustomize.In(r.dir) {
		return false
	}
	if _, err := os.Stat(filepath.Join(r.dir, manifest.ChartFile)); err == nil {
		return false
	}
	data, err := files.Read(target)
	return err == nil && !isSkipped(data) && r.view.applies(filepath.ToSlash(below))
}

// Rendering returns the routes on which helm renders a chart with a value file, or a chart that has the file.
func (r Routes) Rendering(file string) Routes {
	target, err := files.Real(file)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r), func(one Route) bool {
		var files []string
		switch {
		case one.source != nil:
			files = one.source.Helm.files
		case one.release != nil:
			files = one.release.files
		}
		return one.dir != filepath.Dir(target) && !slices.Contains(files, target)
	})
}

// Routes are the ways on which the directories of a repository get to clusters, as far as
// its Applications and its Kustomizations of Flux say.
type Routes []Route

// recurse reports whether one of the routes applies the directories below, too.
func (r Routes) recurse() bool {
	return slices.ContainsFunc(r, func(one Route) bool { return one.view.recurse })
}

// To returns the routes of a directory.
func (r Routes) To(dir string) Routes {
	target, err := files.Real(dir)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r), func(one Route) bool {
		return one.dir != target && !(one.view.recurse && files.Within(target, one.dir))
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
