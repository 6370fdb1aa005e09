package repo

import (
	"path/filepath"
	"slices"
	"strings"

	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/sanitize"
)

// application is what the Applications of Argo CD say about a directory.
type application struct {
	// views say which files of the directory they apply, one view for each Application.
	views  []view
	values []string
}

// view says which files of a directory an Application applies.
type view struct {
	recurse          bool
	include, exclude string
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
	Helm struct {
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

// follow notes which directories the Applications of the tree apply.
func (s *scan) follow() {
	repository := repositoryOf(s.real[s.root])
	for _, dir := range s.dirs {
		for _, file := range dir.Files {
			t := s.texts[s.real[file]]
			if t == nil || t.argo == nil {
				continue
			}
			items, err := manifest.Parse(filepath.ToSlash(file), t.argo)
			if err != nil {
				continue // a template, or not about Argo CD
			}
			for _, item := range items {
				group, _, _ := strings.Cut(item.GetApiVersion(), "/")
				if kind := item.GetKind(); group != "argoproj.io" || kind != "Application" && kind != "ApplicationSet" {
					continue
				}
				var a argo
				if text, err := item.String(); err == nil && k8syaml.Unmarshal([]byte(text), &a) == nil {
					s.apply(a, repository, filepath.ToSlash(file))
				}
			}
			t.argo = nil
		}
	}
}

// apply notes the directories of one Application or ApplicationSet.
func (s *scan) apply(a argo, repository checkout, file string) {
	if a.Kind == "Application" {
		s.out.Applications++
		for _, one := range a.Spec.all() {
			s.applySource(one, repository)
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
			s.applySource(filled, repository)
		}
		if !followed {
			s.out.Unfollowed = append(s.out.Unfollowed, sanitize.Escape(file+": ApplicationSet/"+a.Metadata.Name))
		}
	}
}

// applySource notes the directory of a source, if it is one of the tree.
func (s *scan) applySource(one source, repository checkout) {
	if !repository.is(one.RepoURL) || one.Path == "" || one.Chart != "" || !filepath.IsLocal(filepath.FromSlash(one.Path)) {
		return
	}
	target := filepath.Join(repository.top, filepath.FromSlash(one.Path))
	if s.byPath[target] == nil {
		return
	}
	a := s.apps[target]
	a.views = append(a.views, view{one.Directory.Recurse, one.Directory.Include, one.Directory.Exclude})
	for _, file := range one.Helm.ValueFiles {
		if !slices.Contains(a.values, file) && filepath.IsLocal(filepath.FromSlash(file)) {
			a.values = append(a.values, file)
		}
	}
	s.apps[target] = a
}
