package repo

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/sanitize"
)

// application is what the Applications of Argo CD say about a directory.
type application struct {
	// views say which files of the directory they apply, one view for each Application.
	views  []view
	values []string
	// by names them.
	by []string
}

// view says which files of a directory an Application applies.
type view struct {
	recurse          bool
	include, exclude string
	// included and excluded are the patterns, compiled once for all files. nil matches nothing.
	included, excluded *regexp.Regexp
}

// recurses reports whether an Application applies the directories below, too.
func (a application) recurses() bool {
	return slices.ContainsFunc(a.views, func(v view) bool { return v.recurse })
}

// source is a source of an Application, as far as it says which directory is applied
// (argo-cd pkg/apis/application/v1alpha1/types.go: ApplicationSource).
type source struct {
	RepoURL   string `json:"repoURL"`
	Path      string `json:"path"`
	Chart     string `json:"chart"`
	Directory struct {
		Recurse          bool
		Include, Exclude string
	} `json:"directory"`
	// Plugin is set if a plugin makes the manifests, also without a name.
	Plugin *struct{} `json:"plugin"`
	Helm   struct {
		ValueFiles []string `json:"valueFiles"`
	} `json:"helm"`
}

type applicationSpec struct {
	Source  *source  `json:"source"`
	Sources []source `json:"sources"`
}

// all returns the sources that count: source only if there are no sources (argo-cd
// pkg/apis/application/v1alpha1/types.go: GetSources).
func (a applicationSpec) all() []source {
	if len(a.Sources) == 0 && a.Source != nil {
		return []source{*a.Source}
	}
	return a.Sources
}

// argo is an Application or an ApplicationSet.
type argo struct {
	Kind     string `json:"kind"`
	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		applicationSpec

		Generators []generator `json:"generators"`
		Template   struct {
			Spec applicationSpec `json:"spec"`
		} `json:"template"`
	} `json:"spec"`
}

// name returns the name of an Application with its file, for messages.
func (a argo) name(file string) string {
	return sanitize.Escape(file + ": " + a.Kind + "/" + a.Metadata.Name)
}

// follow notes which directories the Applications and the Kustomizations of Flux apply.
func (s *scan) follow() {
	repository := repositoryOf(s.real[s.root])
	flux := fluxObjects{sources: map[string]string{}}
	for _, dir := range s.dirs {
		for _, file := range dir.Files {
			t := s.texts[s.real[file]]
			if t == nil || t.appliers == nil {
				continue
			}
			items, err := manifest.Parse(filepath.ToSlash(file), t.appliers)
			if err != nil {
				continue // a template, or neither of Argo CD nor of Flux
			}
			for _, item := range items {
				s.followItem(item, filepath.ToSlash(file), repository, &flux)
			}
			t.appliers = nil
		}
	}
	for _, one := range flux.kustomizations {
		s.applyFlux(one, flux.sources, repository)
	}
}

// fluxObjects are the objects of Flux in a tree: its Kustomizations, and the addresses of its
// GitRepositories by their names.
type fluxObjects struct {
	kustomizations []fluxKustomization
	sources        map[string]string
}

// followItem notes what an object of Argo CD applies, and collects those of Flux.
func (s *scan) followItem(item *yaml.RNode, file string, repository checkout, flux *fluxObjects) {
	group, _, _ := strings.Cut(item.GetApiVersion(), "/")
	switch kind := item.GetKind(); {
	case group == "argoproj.io" && (kind == "Application" || kind == "ApplicationSet"):
		var a argo
		if decodeItem(item, &a) {
			s.apply(a, repository, file)
		}
	case group == fluxKustomize && kind == "Kustomization":
		one := fluxKustomization{file: file}
		if decodeItem(item, &one) {
			flux.kustomizations = append(flux.kustomizations, one)
		}
	case group == fluxSource && kind == fluxGit:
		var one fluxRepository
		if decodeItem(item, &one) {
			flux.sources[one.Metadata.Name] = one.Spec.URL
		}
	}
}

// decodeItem decodes an object. It reports false for one that Kubernetes does not accept.
func decodeItem(item *yaml.RNode, into any) bool {
	text, err := item.String()
	return err == nil && k8syaml.Unmarshal([]byte(text), into) == nil
}

// apply notes the directories of one Application or ApplicationSet.
func (s *scan) apply(a argo, repository checkout, file string) {
	if a.Kind == "Application" {
		s.out.Applications++
		for _, one := range a.Spec.all() {
			s.applySource(one, repository, a.name(file))
		}
		return
	}
	s.out.ApplicationSets++
	for _, one := range a.Spec.Template.Spec.all() {
		if !repository.is(one.RepoURL) || one.Path == "" {
			continue
		}
		followed := false
		all, cut := s.parameters(a.Spec.Generators, repository)
		if cut {
			s.tooMany(a, file)
		}
		for _, values := range all {
			path, known := values.fill(one.Path)
			if !known {
				continue
			}
			filled := one
			filled.Path, followed = path, true
			filled.Helm.ValueFiles = nil
			for _, file := range one.Helm.ValueFiles {
				if file, known := values.fill(file); known {
					filled.Helm.ValueFiles = append(filled.Helm.ValueFiles, file)
				}
			}
			s.applySource(filled, repository, a.name(file))
		}
		if !followed {
			s.unfollowed = append(s.unfollowed, unfollowed{path: one.Path, by: a.name(file)})
			s.out.Unfollowed = append(s.out.Unfollowed, a.name(file))
		}
	}
}

// applySource notes the directory of a source, if it is one of the tree.
func (s *scan) applySource(one source, repository checkout, by string) {
	if !repository.is(one.RepoURL) || one.Path == "" || one.Chart != "" || !filepath.IsLocal(filepath.FromSlash(one.Path)) {
		return
	}
	target := filepath.Join(repository.top, filepath.FromSlash(one.Path))
	if s.byPath[target] == nil {
		return
	}
	s.out.Routes = append(s.out.Routes, Route{By: by, Plugin: one.Plugin != nil, dir: target, recurse: one.Directory.Recurse})
	a := s.apps[target]
	a.by = append(a.by, by)
	a.views = append(a.views, view{
		recurse: one.Directory.Recurse, include: one.Directory.Include, exclude: one.Directory.Exclude,
		included: compileGlob(one.Directory.Include), excluded: compileGlob(one.Directory.Exclude),
	})
	for _, file := range one.Helm.ValueFiles {
		if !slices.Contains(a.values, file) && filepath.IsLocal(filepath.FromSlash(file)) {
			a.values = append(a.values, file)
		}
	}
	s.apps[target] = a
}
