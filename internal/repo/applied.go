package repo

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/pathname"
	"github.com/goldenarch/goldenarch/internal/pattern"
	"github.com/goldenarch/goldenarch/internal/sanitize"
)

const (
	// fluxGroups is a part of each API group of Flux.
	fluxGroups    = "toolkit.fluxcd.io"
	fluxKustomize = "kustomize." + fluxGroups
	fluxSource    = "source." + fluxGroups
	fluxHelm      = "helm." + fluxGroups
	fluxGit       = "GitRepository"
)

// fluxKustomization is a Kustomization of Flux, as far as it says which directory it applies
// (fluxcd/kustomize-controller api/v1/kustomization_types.go: KustomizationSpec).
type fluxKustomization struct {
	file string

	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		Path      string       `json:"path"`
		SourceRef fluxRef      `json:"sourceRef"`
		PostBuild substitution `json:"postBuild"`

		overrides
	} `json:"spec"`
}

// substitution is spec.postBuild of a Kustomization of Flux.
type substitution struct {
	Substitute         map[string]any `json:"substitute"`
	SubstituteFrom     []any          `json:"substituteFrom"`
	SubstituteStrategy string         `json:"substituteStrategy"`
}

// fillsIn reports whether Flux may replace a variable. Without a value for any it leaves the manifests as
// they are, unless the strategy says otherwise (fluxcd/pkg kustomize/kustomize_varsub.go: SubstituteVariables).
func (s substitution) fillsIn() bool {
	return len(s.Substitute)+len(s.SubstituteFrom) > 0 || s.SubstituteStrategy == "Always"
}

// fluxRef names a source of Flux.
type fluxRef struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
}

// fluxRelease is a HelmRelease of Flux, as far as it says how it renders a chart
// (fluxcd/helm-controller api/v2/helmrelease_types.go: HelmReleaseSpec, HelmChartTemplateSpec).
type fluxRelease struct {
	file string

	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		Chart struct {
			Spec struct {
				Chart       string   `json:"chart"`
				SourceRef   fluxRef  `json:"sourceRef"`
				ValuesFiles []string `json:"valuesFiles"`
			} `json:"spec"`
		} `json:"chart"`
		Values     map[string]any `json:"values"`
		ValuesFrom []any          `json:"valuesFrom"`
	} `json:"spec"`
}

// fluxRepository is a GitRepository of Flux.
type fluxRepository struct {
	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		URL string `json:"url"`
	} `json:"spec"`
}

// unfollowed is a source of an ApplicationSet whose path only Argo CD knows, or a file that may
// apply anything.
type unfollowed struct{ path, by string }

// fluxVariable matches what Flux fills in.
var fluxVariable = pattern.Of(`\$\{[^}]*\}`)

// anyPath is the path of what may apply each directory.
const anyPath = "{{path}}"

// applyFlux notes what a Kustomization of Flux applies: a directory with a kustomization, or
// else each directory below that has one (fluxcd/pkg kustomize/kustomize_generator.go:
// generateKustomization). sources are the URLs of GitRepositories by their names. A source
// that the tree does not have may be the repository itself.
func (s *scan) applyFlux(one fluxKustomization, sources map[string][]string) {
	path := strings.TrimPrefix(one.Spec.Path, "/")
	if s.isElsewhere(one.Spec.SourceRef, sources) || path != "" && !filepath.IsLocal(filepath.FromSlash(path)) {
		return
	}
	by := sanitize.Escape(one.file + ": Kustomization/" + one.Metadata.Name)
	if known := fluxVariable().ReplaceAllString(path, anyPath); known != path { // of another Kustomization, which applies this one
		s.unfollowed = append(s.unfollowed, unfollowed{path: known, by: by})
		return
	}
	top := s.directoryAt(filepath.Join(s.repository.top, filepath.FromSlash(path)))
	namedDirectories{s}.check(filepath.Join(s.repository.top, filepath.FromSlash(path)), by)
	if _, is := s.refs[top]; is {
		s.noteFlux(top, by, one)
		return
	}
	if s.byPath[top] == nil {
		return
	}
	skipped := ""
	for _, dir := range s.dirs { // each before those in it
		target := s.real[dir.Path]
		switch {
		case !pathname.Within(target, top), skipped != "" && pathname.Within(target, skipped):
		case dir.Kustomized:
			skipped = target
			s.noteFlux(target, by, one)
		case len(dir.Files) > 0:
			s.noteFlux(target, by, one)
		}
	}
}

// isElsewhere reports whether a source is known to be another repository.
func (s *scan) isElsewhere(r fluxRef, sources map[string][]string) bool {
	urls := sources[r.Name]
	return r.Kind == fluxGit && len(urls) > 0 && !slices.ContainsFunc(urls, s.repository.is)
}

// releaseChart notes how a HelmRelease renders a chart of the tree. The chart and its value files are
// relative to the root of the repository (fluxcd/source-controller api/v1/helmchart_types.go:
// HelmChartSpec). Values in it may be secrets, so only the fields count.
func (s *scan) releaseChart(one fluxRelease, sources map[string][]string) {
	of := one.Spec.Chart.Spec
	if of.SourceRef.Kind != fluxGit || s.isElsewhere(of.SourceRef, sources) || !filepath.IsLocal(filepath.FromSlash(of.Chart)) {
		return
	}
	chart := s.directoryAt(filepath.Join(s.repository.top, filepath.FromSlash(of.Chart)))
	use := ChartUse{By: sanitize.Escape(one.file + ": HelmRelease/" + one.Metadata.Name), Replaces: len(of.ValuesFiles) > 0}
	for _, file := range of.ValuesFiles {
		if at := filepath.Join(s.repository.top, filepath.FromSlash(file)); pathname.Within(at, s.repository.top) {
			use.Values = append(use.Values, s.shown(at))
		}
	}
	if len(one.Spec.Values) > 0 {
		use.Fields = append(use.Fields, "spec.values")
	}
	if len(one.Spec.ValuesFrom) > 0 {
		use.Fields = append(use.Fields, "spec.valuesFrom")
	}
	s.uses[chart] = append(s.uses[chart], use)
}

// noteFlux notes that a Kustomization applies a directory. Only one of a Git repository
// applies what is in the tree: an artifact has what somebody put there.
func (s *scan) noteFlux(target, by string, one fluxKustomization) {
	s.flux[target] = append(s.flux[target], by)
	one.Spec.Namespace = "" // which is a field of Argo CD
	if kind := one.Spec.SourceRef.Kind; kind == fluxGit || kind == "" {
		s.out.Routes = append(s.out.Routes, Route{
			By: by, Flux: true, OnServer: true, Variables: one.Spec.PostBuild.fillsIn(), overrides: one.Spec.overrides, dir: target,
		})
	}
}

// Applied returns which directories of a tree Argo CD and Flux apply, and by which file below
// the tree. What cannot be read applies nothing.
func Applied(tree string) []kustomization.Applied {
	out := applied(tree)
	top := sanitize.Escape(filepath.ToSlash(tree)) + "/"
	for i := range out {
		out[i].By = strings.TrimPrefix(out[i].By, top)
	}
	return out
}

func applied(tree string) []kustomization.Applied {
	s := newScan(tree, Options{IgnoreFrom: func(string) string { return "" }})
	var out []kustomization.Applied
	if err := s.read(); err != nil {
		for target := range s.refs {
			out = append(out, kustomization.Applied{Dir: target, Maybe: true, By: "goldenarch cannot look for Applications: " + err.Error()})
		}
		return out
	}
	s.follow()
	for _, dir := range s.dirs {
		target := s.real[dir.Path]
		app := s.apps[target]
		by := slices.Concat(app.by, s.flux[target])
		for _, name := range slices.Compact(slices.Sorted(slices.Values(by))) {
			one := kustomization.Applied{Dir: target, By: name}
			switch {
			case dir.Kustomized:
			case slices.Contains(app.by, name):
				one.Files = s.realFiles(s.appliedFiles(dir.Path, app))
			default:
				one.Files = s.realFiles(dir.Files)
			}
			out = append(out, one)
		}
	}
	return append(out, s.mayApply()...)
}

// realFiles returns the paths of files without links.
func (s *scan) realFiles(files []string) []string {
	out := make([]string, len(files))
	for i, file := range files {
		out[i] = s.real[file]
	}
	return out
}

// unknownPart matches what only Argo CD fills in.
var unknownPart = pattern.Of(`\{\{.*?\}\}`)

// mayApply returns the kustomizations that an ApplicationSet may apply whose directories only
// Argo CD knows.
func (s *scan) mayApply() []kustomization.Applied {
	var out []kustomization.Applied
	for _, one := range s.unfollowed {
		parts := unknownPart().Split(filepath.ToSlash(filepath.Clean(one.path)), -1)
		for i := range parts {
			parts[i] = regexp.QuoteMeta(parts[i])
		}
		matches, err := regexp.Compile("^" + strings.Join(parts, ".*") + "$")
		if err != nil {
			continue
		}
		for target := range s.refs {
			if below, err := filepath.Rel(s.repository.top, target); err == nil && matches.MatchString(filepath.ToSlash(below)) {
				out = append(out, kustomization.Applied{Dir: target, Maybe: true, By: one.by + " may apply it"})
			}
		}
	}
	return out
}
