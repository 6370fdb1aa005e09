package repo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/pathname"
	"github.com/goldenarch/goldenarch/internal/pattern"
	"github.com/goldenarch/goldenarch/internal/regular"
	"github.com/goldenarch/goldenarch/internal/sanitize"
)

// application is what the Applications of Argo CD say about a directory.
type application struct {
	// views say which files of the directory they apply, one view for each Application.
	views []view
	// by names them.
	by []string
}

// view says which files of a directory an Application applies.
type view struct {
	recurse bool
	include string
	// included and excluded are the patterns, compiled once for all files. nil matches nothing.
	included, excluded *regexp.Regexp
}

// recurses reports whether an Application applies the directories below, too.
func (a application) recurses() bool {
	return slices.ContainsFunc(a.views, func(v view) bool { return v.recurse })
}

// chartUses returns how a chart is rendered, each way once. What an Application or a HelmRelease has
// in itself is its own.
func chartUses(all []ChartUse) []ChartUse {
	var out []ChartUse
	known := map[string]bool{}
	for _, use := range all {
		id := fmt.Sprint(use.Replaces, use.Values)
		if len(use.Fields) > 0 {
			id += "\n" + use.By
		}
		if !known[id] {
			known[id] = true
			out = append(out, use)
		}
	}
	return out
}

// source is a source of an Application, as far as it says which directory is applied
// (argo-cd pkg/apis/application/v1alpha1/types.go: ApplicationSource).
type source struct {
	RepoURL   string `json:"repoURL"`
	Path      string `json:"path"`
	Chart     string `json:"chart"`
	Directory struct {
		Recurse bool           `json:"recurse"`
		Include string         `json:"include"`
		Exclude string         `json:"exclude"`
		Jsonnet map[string]any `json:"jsonnet"`
	} `json:"directory"`
	// Plugin is set if a plugin makes the manifests, also without a name.
	Plugin    *Plugin   `json:"plugin"`
	Kustomize overrides `json:"kustomize"`
	Helm      struct {
		ValueFiles     []string       `json:"valueFiles"`
		Values         string         `json:"values"`
		ValuesObject   map[string]any `json:"valuesObject"`
		Parameters     []any          `json:"parameters"`
		FileParameters []any          `json:"fileParameters"`
	} `json:"helm"`
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

type applicationSpec struct {
	Source  *source  `json:"source"`
	Sources []source `json:"sources"`
	// SourceHydrator has the source whose manifests Argo CD commits, and then applies.
	SourceHydrator *struct {
		DrySource source `json:"drySource"`
	} `json:"sourceHydrator"`
	SyncPolicy struct {
		SyncOptions []string `json:"syncOptions"`
	} `json:"syncPolicy"`
	IgnoreDifferences []ignored `json:"ignoreDifferences"`
}

// route returns how Argo CD brings to a cluster what an Application applies. by names it.
func (a applicationSpec) route(by string) Route {
	has := func(option string) bool { return slices.Contains(a.SyncPolicy.SyncOptions, option) }
	return Route{By: by, OnServer: has("ServerSideApply=true"), ignores: a.IgnoreDifferences, respects: has("RespectIgnoreDifferences=true")}
}

// all returns the sources that count: source only if there are no sources, and neither with a hydrator
// (argo-cd pkg/apis/application/v1alpha1/types.go: GetSources, GetSource).
func (a applicationSpec) all() []source {
	if a.SourceHydrator != nil {
		return []source{a.SourceHydrator.DrySource}
	}
	if len(a.Sources) == 0 && a.Source != nil {
		return []source{*a.Source}
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

		Generators    []generator         `json:"generators"`
		Template      applicationTemplate `json:"template"`
		TemplatePatch string              `json:"templatePatch"`
	} `json:"spec"`
}

// applicationTemplate is what an ApplicationSet says about each of its Applications.
type applicationTemplate struct {
	Spec json.RawMessage `json:"spec"`
}

// stated returns the spec without the values that are empty: they leave those of the set.
func (t applicationTemplate) stated() json.RawMessage {
	var spec map[string]any
	if json.Unmarshal(t.Spec, &spec) != nil || dropEmpty(spec) {
		return nil
	}
	text, err := json.Marshal(spec)
	if err != nil {
		return nil
	}
	return text
}

// dropEmpty removes the empty values in a value, and reports whether nothing is left.
func dropEmpty(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		maps.DeleteFunc(value, func(_ string, below any) bool { return dropEmpty(below) })
		return len(value) == 0
	case []any:
		return len(value) == 0
	default:
		return value == nil || value == "" || value == false
	}
}

// template returns the spec of the Applications that a generator of an ApplicationSet makes: that of
// the set, with that of the generator over it (argo-cd applicationset/generators/generator_spec_processor.go:
// mergeGeneratorTemplate, where a list of the generator replaces that of the set), and with the patch
// (applicationset/controllers/template/patch.go: applyTemplatePatch; lists of an Application
// replace each other). It reports whether the patch is known: one with blocks of a template engine is not.
func (a argo) template(from generator) (spec applicationSpec, known, ok bool) {
	known = true
	text := a.Spec.Template.Spec
	if own := from.template().stated(); len(text) == 0 {
		text = own
	} else if len(own) > 0 {
		merged, err := jsonpatch.MergePatch(text, own)
		if err != nil {
			return spec, known, false
		}
		text = merged
	}
	if len(text) == 0 {
		return spec, known, true
	}
	if a.Spec.TemplatePatch != "" {
		var patch struct {
			Spec json.RawMessage `json:"spec"`
		}
		if known = k8syaml.Unmarshal([]byte(a.Spec.TemplatePatch), &patch) == nil; known && len(patch.Spec) > 0 {
			if merged, err := jsonpatch.MergePatch(text, patch.Spec); err == nil {
				text = merged
			}
		}
	}
	return spec, known, json.Unmarshal(text, &spec) == nil
}

// name returns the name of an Application with its file, for messages.
func (a argo) name(file string) string {
	return sanitize.Escape(file + ": " + a.Kind + "/" + a.Metadata.Name)
}

// follow notes which directories the Applications and the Kustomizations of Flux apply.
func (s *scan) follow() {
	flux := fluxObjects{sources: map[string][]string{}}
	for _, dir := range slices.Concat(s.dirs, s.hidden) {
		for _, file := range dir.Files {
			t := s.texts[s.real[file]]
			if t == nil || t.appliers == nil {
				continue
			}
			items, err := manifest.Parse(filepath.ToSlash(file), t.appliers)
			if err != nil { // a template, or not valid
				s.unfollowed = append(s.unfollowed, unfollowed{path: anyPath, by: sanitize.Escape(filepath.ToSlash(file)) + ", which goldenarch cannot read,"})
			}
			for _, o := range object.All(items) {
				s.followObject(o, filepath.ToSlash(file), &flux)
			}
			t.appliers = nil
		}
	}
	for _, one := range flux.kustomizations {
		s.applyFlux(one, flux.sources)
	}
	for _, one := range flux.releases {
		s.releaseChart(one, flux.sources)
	}
}

// fluxObjects are the objects of Flux in a tree: its Kustomizations and HelmReleases, and the addresses
// of its GitRepositories by their names. Several of one name are in different namespaces.
type fluxObjects struct {
	kustomizations []fluxKustomization
	releases       []fluxRelease
	sources        map[string][]string
}

// followObject notes what an object of Argo CD applies, and collects those of Flux.
func (s *scan) followObject(o object.Object, file string, flux *fluxObjects) {
	switch group, kind := o.At.Group(), o.At.Kind; {
	case group == "argoproj.io" && (kind == "Application" || kind == "ApplicationSet"):
		var a argo
		if decode(o, &a) {
			s.apply(a, file)
		}
	case group == fluxKustomize && kind == "Kustomization":
		one := fluxKustomization{file: file}
		if decode(o, &one) {
			flux.kustomizations = append(flux.kustomizations, one)
		}
	case group == fluxHelm && kind == "HelmRelease":
		one := fluxRelease{file: file}
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
	if a.Kind == "Application" {
		s.out.Applications++
		for _, one := range a.Spec.all() {
			route := a.Spec.route(a.name(file))
			route.application = a.Metadata.Name
			s.applySource(one, route)
		}
		return
	}
	s.out.ApplicationSets++
	for _, from := range a.Spec.Generators {
		s.applyGenerator(a, from, file)
	}
}

// applyGenerator notes the directories of the Applications that one generator of an ApplicationSet makes.
func (s *scan) applyGenerator(a argo, from generator, file string) {
	spec, known, ok := a.template(from)
	if !ok {
		return
	}
	route := spec.route(a.name(file))
	if !known && strings.Contains(a.Spec.TemplatePatch, "kustomize") {
		route.changes = []string{"templatePatch"}
	}
	if !known && strings.Contains(a.Spec.TemplatePatch, "source") { // it may have another path
		s.notFollowed(anyPath, route)
	}
	for _, one := range spec.all() {
		if s.repository.is(one.RepoURL) && one.Path != "" {
			s.applyTemplate(a, from, one, file, route)
		}
	}
}

// notFollowed notes a source of an ApplicationSet whose directories only Argo CD knows, or some of them.
func (s *scan) notFollowed(path string, route Route) {
	s.unfollowed = append(s.unfollowed, unfollowed{path: path, by: route.By})
	if !slices.Contains(s.out.Unfollowed, route.By) {
		s.out.Unfollowed = append(s.out.Unfollowed, route.By)
	}
}

// applyTemplate notes the directories of one source of the Applications that a generator makes.
func (s *scan) applyTemplate(a argo, from generator, one source, file string, route Route) {
	one = one.withoutValues()
	text, err := json.Marshal(one)
	if err != nil {
		return // nothing of a source that was decoded is unknown to JSON
	}
	all, cut := s.parameters(from, namesIn(string(text)))
	followed := len(all) > 0
	for _, values := range all {
		if !s.applies.spend(workOfApplication + len(text) - emptySource()) {
			cut = true
			break
		}
		filled, known := values.source(one, text)
		if !known {
			followed = false
			continue
		}
		s.applySource(filled, route)
	}
	if cut {
		s.tooMany(a, file)
	}
	switch {
	case !followed:
		s.notFollowed(one.Path, route)
	case cut:
		s.unfollowed = append(s.unfollowed, unfollowed{path: one.Path, by: route.By})
	}
}

// applySource notes the directory of a source, if it is one of the tree. route says who applies
// it, and how.
func (s *scan) applySource(one source, route Route) {
	if !s.repository.is(one.RepoURL) || one.Path == "" || one.Chart != "" || !filepath.IsLocal(filepath.FromSlash(one.Path)) {
		return
	}
	target := s.directoryAt(filepath.Join(s.repository.top, filepath.FromSlash(one.Path)))
	namedDirectories{s}.check(filepath.Join(s.repository.top, filepath.FromSlash(one.Path)), route.By)
	if s.byPath[target] == nil {
		return
	}
	one, changed := one.overridden(target, s.repository.top, route.application)
	route.By += changed
	one.Kustomize.Patches = s.withTexts(target, one.Kustomize.Patches)
	route.Plugin, route.overrides, route.dir = one.Plugin, one.Kustomize, target
	route.Unbuilt = s.byPath[target].Kustomized && one.isPlain()
	route.view = view{
		recurse: one.Directory.Recurse, include: one.Directory.Include,
		included: compileGlob(one.Directory.Include), excluded: compileGlob(one.Directory.Exclude),
	}
	s.out.Routes = append(s.out.Routes, route)
	a := s.apps[target]
	a.by = append(a.by, route.By)
	a.views = append(a.views, route.view)
	s.apps[target] = a
	s.uses[target] = append(s.uses[target], s.chartUse(one, target, route.By))
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

// overridden returns a source with what the files of its directory change in it, and names the last one
// (argo-cd reposerver/repository/repository.go: mergeSourceParameters). The Argo CD Image Updater writes them. Of
// an ApplicationSet nobody knows the names of its Applications. A link out of the repository, or a name that
// no Application can have, leads to no such file.
func (s source) overridden(dir, top, application string) (source, string) {
	out, by := s, ""
	names := []string{".argocd-source.yaml"}
	if application != "" && !strings.ContainsAny(application, `/\`) {
		names = append(names, ".argocd-source-"+application+".yaml")
	}
	for _, name := range names {
		path, err := filepath.EvalSymlinks(filepath.Join(dir, name))
		if err != nil || !pathname.Within(path, top) {
			continue
		}
		data, err := regular.Read(path)
		if err != nil {
			continue
		}
		patch, wrong := k8syaml.YAMLToJSON(data)
		text, err := json.Marshal(out)
		if wrong != nil || err != nil {
			continue // Argo CD fails
		}
		var merged source
		if text, err = jsonpatch.MergePatch(text, patch); err == nil && json.Unmarshal(text, &merged) == nil {
			out, by = merged, " with "+name
		}
	}
	out.RepoURL, out.Path, out.Chart, out.Ref, out.refs = s.RepoURL, s.Path, s.Chart, s.Ref, s.refs
	return out, by
}

// isPlain reports whether the source says that its files are applied as they are, also beside a
// kustomization (argo-cd pkg/apis/application/v1alpha1/types.go: ExplicitType, and util/argo/argo.go:
// NormalizeSource).
func (s source) isPlain() bool {
	d := s.Directory
	return d.Recurse || d.Include != "" || d.Exclude != "" || len(d.Jsonnet) > 0
}

// chartUse returns what a source passes to helm. Values in it may be secrets, so only the fields count.
func (s *scan) chartUse(of source, chart, by string) ChartUse {
	out := ChartUse{By: by}
	for _, file := range of.Helm.ValueFiles {
		if named := s.valueFile(file, of, chart); named != "" {
			out.Values = append(out.Values, named)
		}
	}
	for field, has := range map[string]bool{
		"values": of.Helm.Values != "", "valuesObject": len(of.Helm.ValuesObject) > 0, "parameters": len(of.Helm.Parameters) > 0,
		"fileParameters": len(of.Helm.FileParameters) > 0,
	} {
		if has {
			out.Fields = append(out.Fields, "helm."+field)
		}
	}
	slices.Sort(out.Fields)
	return out
}

// valueFile returns a value file of a source as the user names it: it is relative to the chart, to the
// root of the repository if it begins with a slash, or to that of another source ($ref/file); "" if it
// is not in the repository (argo-cd util/io/path/resolved.go: ResolveValueFilePathOrUrl, and
// reposerver/repository/repository.go: getResolvedValueFiles). A URL, and a file of a source of
// another repository, keep their names.
func (s *scan) valueFile(file string, of source, chart string) string {
	at := filepath.Join(chart, filepath.FromSlash(file))
	switch ref, below, _ := strings.Cut(strings.TrimPrefix(file, "$"), "/"); {
	case strings.Contains(file, "://"):
		return file
	case strings.HasPrefix(file, "/"):
		at = filepath.Join(s.repository.top, filepath.FromSlash(file))
	case strings.HasPrefix(file, "$"):
		if url, known := of.refs[ref]; !known || !s.repository.is(url) {
			return file
		}
		at = filepath.Join(s.repository.top, filepath.FromSlash(below))
	}
	if !pathname.Within(at, s.repository.top) {
		return ""
	}
	return s.shown(at)
}

// withTexts returns the patches of a source, with the texts of those in files. Of a file, only a
// text that mentions a CR is kept.
func (s *scan) withTexts(dir string, patches []override) []override {
	out := slices.Clone(patches)
	for i, p := range out {
		if t := s.texts[filepath.Join(dir, filepath.FromSlash(p.Path))]; p.Path != "" && t != nil {
			out[i].Path, out[i].Patch = "", p.Patch+string(t.data)
		}
	}
	return out
}

// generator is a generator of an ApplicationSet. goldenarch reads those that need no cluster:
// directories of Git, a list, or a product of generators. Of the others it reads the template.
type generator struct {
	Git *struct {
		templated

		RepoURL     string `json:"repoURL"`
		Directories []struct {
			Path    string `json:"path"`
			Exclude bool   `json:"exclude"`
		} `json:"directories"`
		PathParamPrefix string `json:"pathParamPrefix"`
	} `json:"git"`
	List *struct {
		templated

		Elements     []map[string]any `json:"elements"`
		ElementsYAML string           `json:"elementsYaml"`
	} `json:"list"`
	Matrix *struct {
		templated

		Generators []generator `json:"generators"`
	} `json:"matrix"`
	Merge       *templated `json:"merge"`
	Clusters    *templated `json:"clusters"`
	Decision    *templated `json:"clusterDecisionResource"`
	Plugin      *templated `json:"plugin"`
	SCM         *templated `json:"scmProvider"`
	PullRequest *templated `json:"pullRequest"`
	// Selector drops some of the generator's Applications.
	Selector map[string]any `json:"selector"`
}

// templated is the template of a generator.
type templated struct {
	Template applicationTemplate `json:"template"`
}

// template returns what a generator itself says about its Applications. Argo CD ignores what
// those in a product say.
func (g generator) template() applicationTemplate {
	switch {
	case g.Git != nil:
		return g.Git.Template
	case g.List != nil:
		return g.List.Template
	case g.Matrix != nil:
		return g.Matrix.Template
	}
	for _, one := range []*templated{g.Merge, g.Clusters, g.Decision, g.Plugin, g.SCM, g.PullRequest} {
		if one != nil {
			return one.Template
		}
	}
	return applicationTemplate{}
}

// parameters are the values of one Application of an ApplicationSet, by name.
type parameters map[string]string

// work is what a run may still do to follow ApplicationSets. A product of a few lists has as
// many Applications as nobody can read, and several products have more.
type work int

const (
	// maxWork bounds the work of a run: 100,000 Applications.
	maxWork work = 10_000_000
	// workOfApplication is the work for an Application or for a combination of values, beside
	// that for the length of its texts. To compare a directory with a pattern is 1.
	workOfApplication = 100
)

// spend takes from what is left, and reports whether there was enough.
func (w *work) spend(n int) bool {
	*w -= work(n)
	return *w >= 0
}

// wantedNames are the names of the values that a template needs. A source of an ApplicationSet names a
// few of those that the generators give.
type wantedNames map[string]bool

// namesIn returns the names in the placeholders of a text.
func namesIn(text string) wantedNames {
	out := wantedNames{}
	for _, found := range placeholder().FindAllStringSubmatch(text, -1) {
		out[found[1]] = true
	}
	return out
}

// distinct returns values without those that are there already: of a product of generators, a
// template often names the values of one.
type distinct struct {
	known map[string]bool
	all   []parameters
}

func (d *distinct) add(values ...parameters) {
	for _, one := range values {
		var id strings.Builder
		for _, name := range slices.Sorted(maps.Keys(one)) {
			fmt.Fprintf(&id, "%q=%q,", name, one[name])
		}
		if d.known == nil {
			d.known = map[string]bool{}
		}
		if !d.known[id.String()] {
			d.known[id.String()] = true
			d.all = append(d.all, one)
		}
	}
}

// parameters returns the values of all Applications that a generator makes, as far as
// goldenarch reads them and a template needs them, each combination once. It also returns
// whether there are more than a run follows. Of a generator that it does not read, there is
// one without values: one that asks a cluster or reads files, and one with a selector.
func (s *scan) parameters(g generator, wanted wantedNames) ([]parameters, bool) {
	var out distinct
	switch {
	case g.Selector != nil:
	case g.Git != nil && len(g.Git.Directories) > 0 && s.repository.is(g.Git.RepoURL):
		directories, cut := s.directories(g, wanted)
		out.add(directories...)
		return out.all, cut
	case g.List != nil && len(g.List.Elements) > 0:
		for _, element := range g.List.Elements {
			out.add(wanted.of(flat("", element, parameters{})))
		}
		if g.List.ElementsYAML != "" { // more of them, often made by another generator
			out.add(parameters{})
		}
		return out.all, false
	case g.Matrix != nil:
		return s.product(g.Matrix.Generators, wanted)
	}
	return []parameters{{}}, false
}

// of returns the values with these names.
func (w wantedNames) of(all parameters) parameters {
	maps.DeleteFunc(all, func(name, _ string) bool { return !w[name] })
	return all
}

// product returns each combination of the values of several generators, and whether there
// are more than a run follows. Of two values with one name, the first counts (argo-cd
// applicationset/generators/matrix.go: GenerateParams; without Go templates, Argo CD
// rejects two that differ).
func (s *scan) product(generators []generator, wanted wantedNames) ([]parameters, bool) {
	out, cut := []parameters{{}}, false
	for _, g := range generators {
		all, more := s.parameters(g, wanted)
		cut = cut || more
		var next distinct
		for _, before := range out {
			for _, one := range all {
				if !s.combines.spend(workOfApplication * (1 + len(before) + len(one))) {
					return next.all, true
				}
				both := maps.Clone(one)
				maps.Copy(both, before)
				next.add(both)
			}
		}
		out = next.all
	}
	return out, cut
}

// tooMany reports the first ApplicationSet of which goldenarch does not follow all
// Applications. It does not follow the later ones either.
func (s *scan) tooMany(a argo, file string) {
	if s.cut {
		return
	}
	s.cut = true
	s.out.Found = append(s.out.Found, finding.Finding{
		ID: finding.ApplicationsCut, Severity: finding.Warning, Object: finding.Object{File: file, Kind: a.Kind, Name: a.Metadata.Name},
		Text: fmt.Sprintf("the ApplicationSets up to this one make more than %d Applications, and goldenarch follows the first ones: "+
			"it may miss directories that the others apply", maxWork/workOfApplication),
		Do: "pass the directories of the others to goldenarch check one by one",
	})
}

// unnamed matches the characters that Kubernetes does not accept in a name.
var unnamed = pattern.Of(`[^-a-z0-9.]`)

// normalized returns a text as a name that Kubernetes accepts (argo-cd
// applicationset/utils/template_functions.go: SanitizeName).
func normalized(text string) string {
	return strings.Trim(unnamed().ReplaceAllString(strings.ToLower(text), "-"), "-.")
}

// directories returns the directories of the tree that a generator names (argo-cd
// applicationset/generators/git.go: filterApps, generateParamsFromApps). The root is not
// one of them (argo-cd reposerver/repository/repository.go: GetGitDirectories).
func (s *scan) directories(g generator, wanted wantedNames) (out []parameters, cut bool) {
	for _, dir := range s.dirs {
		below, err := filepath.Rel(s.repository.top, s.real[dir.Path])
		if err != nil || !filepath.IsLocal(below) || below == "." {
			continue
		}
		at, named := filepath.ToSlash(below), false
		if !s.combines.spend(len(g.Git.Directories)) {
			return out, true
		}
		for _, one := range g.Git.Directories {
			is, err := path.Match(one.Path, at)
			if err == nil && is {
				named = !one.Exclude
				if one.Exclude {
					break
				}
			}
		}
		if !named {
			continue
		}
		name := strings.TrimPrefix(g.Git.PathParamPrefix+".path", ".")
		values := parameters{name: at, name + ".path": at, name + ".basename": path.Base(at), name + ".basenameNormalized": normalized(path.Base(at))}
		for i, part := range strings.Split(at, "/") {
			values[fmt.Sprintf("%s[%d]", name, i)] = part
		}
		out = append(out, wanted.of(values))
	}
	return out, false
}

// flat adds the single values of an element, by their paths.
func flat(prefix string, value any, into parameters) parameters {
	if m, is := value.(map[string]any); is {
		for key, below := range m {
			flat(strings.TrimPrefix(prefix+"."+key, "."), below, into)
		}
		return into
	}
	into[prefix] = fmt.Sprint(value)
	return into
}

// placeholder matches a value that an ApplicationSet fills in, with Go templates or not.
var placeholder = pattern.Of(`\{\{-?\s*\.?([\w.\[\]-]+)\s*-?\}\}`)

// withoutValues returns the source with little in the place of helm's values, which may be large: only
// whether there are some counts.
func (s source) withoutValues() source {
	const long = 100 // a shorter one may be a placeholder alone, of an element without values
	if len(s.Helm.Values) > long {
		s.Helm.Values = "long"
	}
	if len(s.Helm.ValuesObject) > 0 {
		s.Helm.ValuesObject = map[string]any{"some": true}
	}
	for _, list := range []*[]any{&s.Helm.Parameters, &s.Helm.FileParameters} {
		if len(*list) > 0 {
			*list = []any{true}
		}
	}
	return s
}

// emptySource is the length of a source without anything in JSON.
var emptySource = sync.OnceValue(func() int {
	text, err := json.Marshal(source{})
	if err != nil {
		return 0
	}
	return len(text)
})

// source returns a source with the values in each of its texts (argo-cd
// applicationset/utils/utils.go: RenderTemplateParams), and false if its path is not known. text
// is the source in JSON. A value file whose name is not known is left out.
func (p parameters) source(of source, text []byte) (source, bool) {
	if bytes.Contains(text, []byte("{{")) {
		filled := placeholder().ReplaceAllFunc(text, func(found []byte) []byte {
			value, is := p[string(placeholder().FindSubmatch(found)[1])]
			quoted, err := json.Marshal(value)
			if !is || err != nil {
				return found
			}
			return quoted[1 : len(quoted)-1]
		})
		refs := of.refs
		if of = (source{}); json.Unmarshal(filled, &of) != nil {
			return of, false
		}
		of.refs = refs
	}
	isTemplate := func(text string) bool { return strings.Contains(text, "{{") }
	of.Helm.ValueFiles = slices.DeleteFunc(slices.Clone(of.Helm.ValueFiles), isTemplate)
	return of, !isTemplate(of.Path)
}

// shown returns a path without links as the user names it.
func (s *scan) shown(target string) string {
	below, err := filepath.Rel(s.real[s.root], target)
	if err != nil {
		return filepath.ToSlash(target)
	}
	return filepath.ToSlash(filepath.Join(s.root, below))
}
