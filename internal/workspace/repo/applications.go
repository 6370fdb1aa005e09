package repo

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/pattern"
)

// view says which files of a directory an Application applies.
type view struct {
	recurse bool
	include string
	// included and excluded are the patterns, compiled once for all files. nil matches nothing.
	included, excluded *regexp.Regexp
}

// applicationSource is a source of an Application, as far as it says which directory is applied, and what is changed
// in it (argo-cd pkg/apis/application/v1alpha1/types.go: ApplicationSource).
type applicationSource struct {
	RepoURL   string `json:"repoURL"`
	Path      string `json:"path"`
	Chart     string `json:"chart"`
	Directory struct {
		Recurse bool   `json:"recurse"`
		Include string `json:"include"`
		Exclude string `json:"exclude"`
		Jsonnet stated `json:"jsonnet"`
	} `json:"directory"`
	// Plugin is set if a plugin makes the manifests, also without a name.
	Plugin    *Plugin         `json:"plugin"`
	Kustomize kustomizeSource `json:"kustomize"`
	Helm      helm            `json:"helm"`
	// Ref is the name by which the value files of other sources lead into this one.
	Ref string `json:"ref"`

	// refs are the URLs of the sources of the Application by these names.
	refs map[string]string
}

// Plugin is what an Application tells the plugin that makes its manifests
// (argo-cd pkg/apis/application/v1alpha1/types.go: ApplicationSourcePlugin).
type Plugin struct {
	// Parameters are those of the plugin, as Argo CD passes them to it.
	Parameters json.RawMessage `json:"parameters"`
	Env        []struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	} `json:"env"`
}

// kustomizeSource is what a source adds to the kustomization that it builds.
type kustomizeSource struct {
	overrides

	Namespace         string         `json:"namespace"`
	CommonAnnotations map[string]any `json:"commonAnnotations"`
}

// isPlain reports whether the source says that its files are applied as they are, also beside a
// kustomization (argo-cd pkg/apis/application/v1alpha1/types.go: ExplicitType, and util/argo/argo.go:
// NormalizeSource).
func (s applicationSource) isPlain() bool {
	d := s.Directory
	return d.Recurse || d.Include != "" || d.Exclude != "" || bool(d.Jsonnet)
}

type applicationSpec struct {
	Source  *applicationSource  `json:"source"`
	Sources []applicationSource `json:"sources"`
	// SourceHydrator has the source whose manifests Argo CD commits, and then applies.
	SourceHydrator *struct {
		DrySource applicationSource `json:"drySource"`
	} `json:"sourceHydrator"`
	SyncPolicy struct {
		SyncOptions []string `json:"syncOptions"`
	} `json:"syncPolicy"`
	IgnoreDifferences []ignored `json:"ignoreDifferences"`
}

// The options of a sync: the API server merges what it applies, and it leaves what it ignores.
const (
	serverSideApply = "ServerSideApply=true"
	respectIgnored  = "RespectIgnoreDifferences=true"
)

// route returns how Argo CD brings to a cluster what an Application applies. by names it.
func (a applicationSpec) route(by string) Route {
	has := func(option string) bool { return slices.Contains(a.SyncPolicy.SyncOptions, option) }
	return Route{By: by, OnServer: has(serverSideApply), ignores: a.IgnoreDifferences, respects: has(respectIgnored)}
}

// all returns the sources that count: source only if there are no sources, and neither with a hydrator
// (argo-cd pkg/apis/application/v1alpha1/types.go: GetSources, GetSource).
func (a applicationSpec) all() []applicationSource {
	if a.SourceHydrator != nil {
		return []applicationSource{a.SourceHydrator.DrySource}
	}
	if len(a.Sources) == 0 && a.Source != nil {
		return []applicationSource{*a.Source}
	}
	refs := map[string]string{}
	for _, one := range a.Sources {
		refs[one.Ref] = one.RepoURL
	}
	out := slices.Clone(a.Sources)
	for i := range out {
		out[i].refs = refs
	}
	return out
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
		TemplatePatch string `json:"templatePatch"`
	} `json:"spec"`
}

// applicationSet is what an ApplicationSet changes in the Applications of its template.
type applicationSet struct{ TemplatePatch string }

// patchesSource reports whether a patch may change the source of an Application.
func (s applicationSet) patchesSource() bool { return strings.Contains(s.TemplatePatch, "source") }

// ignores reports whether a patch may make Argo CD ignore differences of a CR.
func (s applicationSet) ignores() bool {
	return strings.Contains(s.TemplatePatch, "ignoreDifferences") && strings.Contains(s.TemplatePatch, hyperconverged.Kind)
}

// name returns the name of an Application with its file, for messages.
func (a argo) name(file string) string {
	return console.Escape(file + ": " + a.Kind + "/" + a.Metadata.Name)
}

// follow notes which directories the Applications and the Kustomizations of Flux apply.
func (s *scan) follow() {
	flux := fluxScan{scan: s, sources: map[string][]string{}}
	for _, dir := range slices.Concat(s.dirs, s.hidden) {
		for _, file := range dir.Files {
			t := s.texts[s.real[file]]
			if t == nil || t.appliers == nil {
				continue
			}
			items, err := manifest.Parse(filepath.ToSlash(file), t.appliers)
			if err != nil { // a template, or not valid
				s.unfollowed = append(s.unfollowed, unfollowed{path: anyPath, by: console.Escape(filepath.ToSlash(file)) + ", which goldenarch cannot read,"})
			}
			for _, o := range object.All(items) {
				s.followObject(o, filepath.ToSlash(file), &flux)
			}
			t.appliers = nil
		}
	}
	for _, one := range flux.kustomizations {
		flux.apply(one)
	}
	for _, one := range flux.releases {
		flux.releaseChart(one)
	}
}

// followObject notes what an object of Argo CD applies, and collects those of Flux.
func (s *scan) followObject(o object.Object, file string, flux *fluxScan) {
	switch group, kind := o.At.Group(), o.At.Kind; {
	case group == "argoproj.io" && (kind == "Application" || kind == "ApplicationSet"):
		var a argo
		if decode(o, &a) {
			s.apply(a, file)
		}
	case group == fluxKustomize && kind == "Kustomization":
		one := fluxKustomization{fluxObject: fluxObject{file: file}}
		if decode(o, &one) {
			flux.kustomizations = append(flux.kustomizations, one)
		}
	case group == fluxHelm && kind == "HelmRelease":
		one := fluxRelease{fluxObject: fluxObject{file: file}}
		if decode(o, &one) {
			flux.releases = append(flux.releases, one)
		}
	case group == fluxSource && kind == fluxGit:
		var one fluxRepository
		if decode(o, &one) {
			flux.sources[one.Metadata.Name] = append(flux.sources[one.Metadata.Name], one.Spec.URL)
		}
	}
}

// decode decodes an object. It reports false for one that Kubernetes does not accept.
func decode(o object.Object, into any) bool {
	data, err := o.JSON()
	return err == nil && k8syaml.Unmarshal(data, into) == nil
}

// apply notes the directories of one Application or ApplicationSet.
func (s *scan) apply(a argo, file string) {
	if a.Kind == "ApplicationSet" {
		s.out.ApplicationSets++
		s.applySet(a, file)
		return
	}
	s.out.Applications++
	for _, one := range a.Spec.all() {
		route := a.Spec.route(a.name(file))
		route.application = a.Metadata.Name
		s.applySource(one, route)
	}
}

// notFollowed notes what applies a directory that goldenarch does not know. It has the form of the path, or of one of the patterns.
func (s *scan) notFollowed(path, by string, patterns ...string) {
	if len(patterns) == 0 {
		patterns = []string{path}
	}
	for _, one := range patterns {
		s.unfollowed = append(s.unfollowed, unfollowed{path: one, by: by})
	}
	s.out.Unfollowed = appendOnce(s.out.Unfollowed, by)
}

// applySource notes the directory of a source, if it is one of the tree. route says who applies
// it, and how.
func (s *scan) applySource(one applicationSource, route Route) {
	if !s.repository.is(one.RepoURL) || one.Chart != "" {
		s.applyValues(one, route)
		return
	}
	if one.Path == "" || !filepath.IsLocal(filepath.FromSlash(one.Path)) {
		return
	}
	target := s.directoryAt(filepath.Join(s.repository.top, filepath.FromSlash(one.Path)))
	namedDirectories{s}.check(filepath.Join(s.repository.top, filepath.FromSlash(one.Path)), route.By)
	if s.byPath[target] == nil {
		return
	}
	one.Kustomize.Patches = s.withTexts(target, one.Kustomize.Patches)
	one.Helm.files = s.valueFiles(one, target)
	route.Plugin, route.dir, route.kustomized = one.Plugin, target, s.byPath[target].Kustomized
	route.source, route.files = &one, s.sourceFiles(target, route.application)
	route.view = view{
		recurse: one.Directory.Recurse, include: one.Directory.Include,
		included: compileGlob(one.Directory.Include), excluded: compileGlob(one.Directory.Exclude),
	}
	s.out.Routes = append(s.out.Routes, route)
	s.apps[target] = append(s.apps[target], route)
	s.uses[target] = append(s.uses[target], ChartUse{By: route.By, Values: s.shownFiles(one.Helm.files), Fields: one.Helm.fields()})
}

// applyValues notes the value files of the tree with which a source renders a chart from elsewhere.
func (s *scan) applyValues(one applicationSource, route Route) {
	isOfRef := func(file string) bool { return strings.HasPrefix(file, "$") }
	one.Helm.ValueFiles = slices.DeleteFunc(slices.Clone(one.Helm.ValueFiles), func(file string) bool { return !isOfRef(file) })
	one.Helm.files = slices.DeleteFunc(s.valueFiles(one, ""), isOfRef)
	if len(one.Helm.files) > 0 {
		route.source = &one
		s.out.Routes = append(s.out.Routes, route)
	}
}

// directoryAt returns a directory of the tree, which a path may name through links: Argo CD and Flux
// follow those that stay in the repository.
func (s *scan) directoryAt(path string) string {
	if s.byPath[path] == nil {
		if target, err := filepath.EvalSymlinks(path); err == nil {
			return target
		}
	}
	return path
}

// sourceFile is a file of a directory that changes the source of the Applications that apply it.
type sourceFile struct {
	name string
	applicationSource
}

// sourceFileName matches the name of such a file, and the name of the Application that it is for.
var sourceFileName = pattern.Of(`^\.argocd-source(?:-(.+))?\.yaml$`)

// sourceFiles returns those files of a directory that may be for an Application (argo-cd
// reposerver/repository/repository.go: mergeSourceParameters). The Argo CD Image Updater writes them. Of an
// ApplicationSet nobody knows the names of its Applications, so each of them may count. Argo CD follows no link out
// of the repository, and fails on what is not valid.
func (s *scan) sourceFiles(dir, application string) []sourceFile {
	var out []sourceFile
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // reported where the directory is read
	}
	for _, entry := range entries {
		of := sourceFileName().FindStringSubmatch(entry.Name())
		if of == nil || application != "" && of[1] != "" && of[1] != application {
			continue
		}
		path, err := filepath.EvalSymlinks(filepath.Join(dir, entry.Name()))
		if err != nil || !files.Within(path, s.repository.top) {
			continue
		}
		one := sourceFile{name: entry.Name()}
		if data, err := files.Read(path); err == nil && k8syaml.Unmarshal(data, &one.applicationSource) == nil {
			one.Kustomize.Patches = s.withTexts(dir, one.Kustomize.Patches)
			out = append(out, one)
		}
	}
	return out
}

// withTexts returns the patches of a source, with the texts of those in files of the tree.
func (s *scan) withTexts(dir string, patches []override) []override {
	out := slices.Clone(patches)
	for i, p := range out {
		path := filepath.Join(dir, filepath.FromSlash(p.Path))
		if p.Path == "" || s.texts[path] == nil {
			continue
		}
		if data, err := files.Read(path); err == nil {
			out[i].Path, out[i].Patch = "", p.Patch+string(data)
		}
	}
	return out
}

// valueFiles returns the value files of a source: a path is relative to the chart, to the
// root of the repository if it begins with a slash, or to that of another source ($ref/file). It leaves out those that are
// not in the repository, and whose names only Argo CD knows (argo-cd util/io/path/resolved.go: ResolveValueFilePathOrUrl, and
// reposerver/repository/repository.go: getResolvedValueFiles). A URL, and a file of a source of
// another repository, keep their names.
func (s *scan) valueFiles(of applicationSource, chart string) []string {
	var out []string
	for _, file := range of.Helm.ValueFiles {
		at := filepath.Join(chart, filepath.FromSlash(file))
		ref, below, _ := strings.Cut(strings.TrimPrefix(file, "$"), "/")
		url, known := of.refs[ref]
		switch {
		case isTemplate(file):
			continue
		case strings.Contains(file, "://"), strings.HasPrefix(file, "$") && (!known || !s.repository.is(url)):
			out = append(out, file)
			continue
		case strings.HasPrefix(file, "/"):
			at = filepath.Join(s.repository.top, filepath.FromSlash(file))
		case strings.HasPrefix(file, "$"):
			at = filepath.Join(s.repository.top, filepath.FromSlash(below))
		}
		if files.Within(at, s.repository.top) {
			out = append(out, at)
		}
	}
	return out
}

// shownFiles returns value files as the user names them.
func (s *scan) shownFiles(files []string) []string {
	var out []string
	for _, file := range files {
		if filepath.IsAbs(file) {
			file = s.shown(file)
		}
		out = append(out, file)
	}
	return out
}

// shown returns a path without links as the user names it.
func (s *scan) shown(target string) string {
	below, err := filepath.Rel(s.real[s.root], target)
	if err != nil {
		return filepath.ToSlash(target)
	}
	return filepath.ToSlash(filepath.Join(s.root, below))
}
