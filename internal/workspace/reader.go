package workspace

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/host/flux"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/kustomize/edit"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/manifest/unread"
	"github.com/goldenarch/goldenarch/internal/manifest/wrapper"
	"github.com/goldenarch/goldenarch/internal/olm"
	"github.com/goldenarch/goldenarch/internal/workspace/repo"
)

// reader reads one input with the options of a verb: its paths, or one cluster of a
// repository. It keeps what it reads beside the items.
type reader struct {
	*Options

	paths     []string          // as the user named them
	manifests manifest.Reader   // of the files
	files     []string          // the paths that are files
	builds    []kustomize.Built // the kustomizations read
	built     kustomize.Built   // the one of them that lists goldenarch
	unlisted  []kustomize.Unlisted
	warned    finding.List // of the kustomizations read
	bundles   []bundle     // the paths that are bundles of the Operator Lifecycle Manager
	kept      keptPatches  // what the reader reads although goldenarch wrote it
	// stdin keeps what was read from standard input, for another reader of the same input.
	stdin *bytes.Buffer
	// configured is the configuration of --config, once it is read.
	configured *yaml.RNode
	// request is what to build of each directory, and unpatched says that the patches of goldenarch are left out.
	request   kustomize.Request
	unpatched bool
	// shared has texts of files that the run writes for several clusters, by their names without links; nil for none.
	shared map[string][]byte
	// choose says how to name one cluster of a directory that must be built in parts; nil where
	// the verb finds the clusters.
	choose func(dir string) string
	// session keeps the files that the clusters of a run share, for the lines of findings; nil for
	// a run of one cluster.
	session *edit.Session
}

// again returns a reader that reads the same input, and keeps patches of goldenarch.
func (r *reader) again(kept keptPatches) *reader {
	out := r.newReader()
	out.unpatched, out.kept, out.stdin, out.session, out.shared = r.unpatched, kept, r.stdin, r.session, r.shared
	return out
}

// read reads the paths; "-" is standard input. It reports what it cannot read, and
// still reads the rest.
func (r *reader) read(paths []string) ([]*yaml.RNode, finding.List) {
	return r.readAll(r.CRPaths.PathsOr(paths))
}

// oneOf says how to name one cluster of a directory that must be built in parts; "" if there is none.
func (r *reader) oneOf(dir string, function engine.Function) string {
	of, err := r.lookThrough(dir, function, scan{})
	layout := of.layout
	if err != nil || len(layout.Places) == 0 {
		return "" // the error itself says enough
	}
	named := make([][]string, len(layout.Places))
	names := make([]string, len(layout.Places))
	for i, place := range layout.Places {
		if named[i] = []string{place.Path}; filepath.Clean(place.Path) == filepath.Clean(dir) {
			named[i] = withObjects(place.Files) // to name the directory is what failed
		}
		names[i] = filepath.ToSlash(strings.Join(named[i], " "))
	}
	do := "run " + r.Commands.line(r.Commands.Verb, console.CommandPaths(named[0])...)
	if len(names) > 1 {
		do += ", or the same for another one of: " + finding.FirstOf(names)
	}
	return do
}

// withObjects returns the files that have objects, or cannot be read: a file that is named, and has
// something else, is an error.
func withObjects(files []string) []string {
	has := map[string]bool{}
	reader := manifest.Reader{Lenient: true, Each: func(item *yaml.RNode) {
		file, _ := object.Place(item)
		has[file] = true
	}}
	_, failed := reader.Files(files)
	return slices.DeleteFunc(slices.Clone(files), func(file string) bool { return !has[filepath.ToSlash(file)] && failed[file] == nil })
}

// readAll reads the paths.
func (r *reader) readAll(paths []string) ([]*yaml.RNode, finding.List) {
	r.manifests.Needed, r.paths = r.needed, paths
	paths = r.placesOfFleet(paths)
	places, found := r.readCRPaths()
	var items []*yaml.RNode
	for _, path := range paths {
		read, err := r.readPath(path)
		if err != nil {
			text := strings.ReplaceAll(err.Error(), kustomize.ToRender, "| "+r.Commands.fromStdin()+" -")
			f := finding.Finding{ID: finding.Unreadable, Severity: finding.Error, Text: text}
			if errors.Is(err, manifest.ErrKustomization) && r.choose != nil {
				f.Do = r.choose(path)
			}
			found = append(found, r.unfitPatch(path, f))
			continue
		}
		items = append(items, read.Items...)
		for _, file := range read.Templated {
			found = append(found, r.templated(file))
		}
		for _, dir := range read.Charts {
			found = append(found, r.chart(dir, path))
		}
		for _, link := range read.Broken {
			found = append(found, repo.BrokenLink(link))
		}
	}
	return append(items, places...), append(append(found, r.warned...), r.reportUnlisted(paths)...)
}

func (r *reader) readPath(path string) (manifest.Read, error) {
	switch {
	case path == manifest.Stdin:
		in := r.In
		if len(r.paths) > 1 { // beside a kustomization it may be read again
			in = io.MultiReader(bytes.NewReader(r.stdin.Bytes()), io.TeeReader(in, r.stdin))
		}
		items, err := r.manifests.Stream(in)
		return manifest.Read{Items: items}, err
	case kustomize.In(path):
		built, err := r.buildDir(path)
		r.builds = append(r.builds, built)
		r.manifests.Texts.Add(built.Texts)
		r.warned, r.unlisted = append(r.warned, built.Found...), append(r.unlisted, built.Unlisted...)
		if len(built.Steps) > 0 {
			if len(r.built.Steps) > 0 {
				return manifest.Read{Items: built.Items}, fmt.Errorf("%s and %s %w", r.built.Path, path, errTwoKustomizations)
			}
			r.built = built
		}
		return manifest.Read{Items: built.Items}, err
	}
	if b, ok := bundleIn(path); ok {
		return r.readBundle(b)
	}
	r.files = append(r.files, path)
	return r.manifests.Paths([]string{path})
}

// readBundle reads the manifests of a bundle, and reports what OLM does not accept of them.
func (r *reader) readBundle(b bundle) (manifest.Read, error) {
	r.bundles = append(r.bundles, b)
	file := filepath.Join(b.dir, filepath.FromSlash(bundleFile))
	if b.outside != "" {
		r.warned = append(r.warned, olm.Outside(file, bundleManifests, b.outside))
		return manifest.Read{}, nil
	}
	r.manifests.Skip = nil // OLM counts all objects
	read, err := r.manifests.Paths(b.paths())
	if err != nil {
		return read, err
	}
	var objects []finding.Object
	for _, item := range slices.Concat(read.Before, read.Items) { // another path may name a file of it, too
		objects = append(objects, object.New(item).At)
	}
	r.warned = append(r.warned, olm.CheckBundle(file, objects)...)
	return read, nil
}

// located returns findings with the files and lines that set what they are about, where the reader
// has built it.
func (r *reader) located(found finding.List) finding.List {
	return cmp.Or(r.session, &edit.Session{}).Located(r.builds, found)
}

// readPlace reads the manifests of a place, and of those beside it. Of files, what is not a Kubernetes
// object is left out.
func (r *reader) readPlace(place repo.Place) ([]*yaml.RNode, finding.List) {
	var paths, files []string
	for _, one := range append([]repo.Place{place}, place.Beside...) {
		if one.Kind == repo.File {
			r.files = append(r.files, one.Files...)
		}
		switch {
		case one.Kind == repo.Kustomization, one.Kind == repo.Bundle:
			paths = append(paths, one.Path)
		case one.CRPath != nil:
			r.CRPaths = CRPaths{*one.CRPath}
		default:
			files = append(files, one.Files...)
		}
	}
	var items []*yaml.RNode
	var found finding.List
	if len(paths) > 0 || place.CRPath != nil {
		items, found = r.readAll(paths)
	}
	if len(files) == 0 {
		return items, found
	}
	r.manifests.Needed, r.manifests.Lenient = r.needed, true
	read, failed := r.manifests.Files(files)
	for _, file := range files {
		switch err := failed[file]; {
		case err == nil, !matters(file, place.Pods):
		case errors.Is(err, manifest.ErrTemplated):
			found = append(found, r.templated(file))
		default:
			found = append(found, repo.Unreadable(file, err))
		}
	}
	return append(items, read.Items...), found
}

// matters reports whether a file that cannot be read may have what goldenarch checks, or is
// too large to say. With pods, the run is also about pods.
func matters(file string, pods bool) bool {
	data, err := files.Read(filepath.Clean(file))
	return err != nil && !os.IsNotExist(err) || len(unread.InTemplate(data, unread.Want{Pods: pods})) > 0
}

// needed reports whether the verb must parse an item.
func (r *reader) needed(item *yaml.RNode) bool {
	return engine.Needed(item) || r.Literal && flux.HasVariable(item)
}

// buildDir builds a directory that has a kustomization.
func (r *reader) buildDir(dir string) (kustomize.Built, error) {
	request := r.request
	if r.unpatched {
		var err error
		if request, err = r.withoutPatches(dir); err != nil {
			return kustomize.Built{}, err
		}
	}
	request.Dir, request.Shared = dir, r.shared
	return r.Build(request)
}

var errTwoKustomizations = errors.New("both list goldenarch, and kustomize runs each for its own manifests: name one of them")

// steps returns what the run does with items: the steps that the kustomization or the Kptfile
// lists, or one step with the configuration among the items. The file of --config replaces the
// configurations of its kind that a kustomization lists.
func (r *reader) steps(items []*yaml.RNode) ([]engine.Step, error) {
	config, err := r.configOfFlag()
	if err != nil {
		return nil, err
	}
	if len(r.built.Steps) == 0 {
		if listed := stepsOfKpt(items); config == nil && len(listed) > 1 {
			return listed, nil
		}
		return engine.Given(config), nil
	}
	steps, replaced := r.built.Steps, false
	isReplaced := func(s kustomize.Step) bool { return config != nil && s.Configures(config) }
	if config != nil && !slices.ContainsFunc(steps, isReplaced) {
		given := kustomize.Step{File: r.Config, Text: []byte(config.MustString()), ConfiguredIn: r.Config, Dir: steps[0].Dir}
		steps = slices.Insert(slices.Clone(steps), 0, given)
	}
	var out []engine.Step
	var listed []kustomize.Step
	for _, step := range steps {
		own, err := step.Config()
		if err != nil {
			return nil, err
		}
		if isReplaced(step) {
			if replaced {
				continue
			}
			own, replaced = config, true
		}
		listed = append(listed, step)
		out = append(out, engine.Step{Config: own, Dir: step.Dir, Listed: true})
	}
	r.built.Steps = listed
	return out, nil
}

// stepsOfKpt returns a step for each configuration among the items that the Kptfile beside them lists, in the order of its pipeline.
func stepsOfKpt(items []*yaml.RNode) []engine.Step {
	configs, outermost := map[string]*yaml.RNode{}, ""
	for _, item := range items {
		file, _ := object.Place(item)
		if at := object.Ref(item); file == "" || !kinds.IsGoldenarch(at, v1alpha1.GoldenImagesKind) && !kinds.IsGoldenarch(at, v1alpha1.WorkloadArchitecturesKind) {
			continue
		}
		configs[file] = item
		if dir := path.Dir(file); outermost == "" || len(dir) < len(outermost) {
			outermost = dir
		}
	}
	if len(configs) < 2 {
		return nil
	}
	list, err := manifest.ReadFile(filepath.Join(filepath.FromSlash(outermost), manifest.PackageFile))
	if err != nil {
		return nil // without it nothing is listed
	}
	var out []engine.Step
	for _, file := range engine.ConfigPaths(list) {
		if config := configs[path.Join(outermost, file)]; config != nil {
			out = append(out, engine.Step{Config: config, Listed: true})
		}
	}
	return out
}

// configOfFlag returns the configuration in the file of --config, nil without the flag. It
// reads the file once.
func (r *reader) configOfFlag() (*yaml.RNode, error) {
	if r.configured != nil {
		return r.configured, nil
	}
	var err error
	r.configured, err = r.readConfig()
	return r.configured, err
}

// configsOf returns the configurations of steps, nil for one that is among the items.
func configsOf(steps []engine.Step) []*yaml.RNode {
	var out []*yaml.RNode
	for _, step := range steps {
		out = append(out, step.Config)
	}
	return out
}

// prepare passes to the function what the reader knows about its input: the items of a path.
func (r *reader) prepare(function *engine.Function, path string, items []*yaml.RNode) {
	if function.Variables == nil { // Flux leaves what the flag protects from it
		if r.As.routes == nil {
			r.lookIn(path)
		}
		function.Variables = func() bool { return !r.Literal && r.As.hasVariables(path, items) }
	}
	function.Paths = r.pathsOf(path)
	function.Carriers = r.carriers()
	function.Reader = &r.manifests
	function.Named = func(item *yaml.RNode, kind, name string) []*yaml.RNode {
		return r.manifests.Texts.Named(item, kind, name)
	}
	function.Files = r.files
	function.Bundle = len(r.bundles) > 0
	function.Operator = function.Bundle || isOfOperator(path)
	function.PackageOf = func(file string) string {
		b, _ := bundleOf(filepath.FromSlash(file), r.bundles)
		return b.name
	}
}

// pathsOf returns the paths of what has been read, which stands at a path, for another command: none
// of standard input, nor where --cr-path names the file. In a repository that is the directory with
// all clusters, so that what several of them lack is one finding.
func (r *reader) pathsOf(path string) []string {
	switch {
	case r.root != "":
		return []string{r.root}
	case slices.Contains(r.paths, manifest.Stdin), path == manifest.Stdin:
		return nil
	case len(r.paths) > 0:
		return slices.Clone(r.paths)
	case slices.Contains(r.Commands.words("lock"), "--cr-path"):
		return nil
	}
	return []string{path}
}

// carriers returns the policies that PolicyGenerators make of what the reader reads: of the
// directories that it builds, or else of a file. Several goroutines may call it.
func (r *reader) carriers() wrapper.Carriers {
	var mu sync.Mutex
	known, generators := map[string][]wrapper.Carrier{}, cmp.Or(r.generators, &repo.Generators{})
	of := func(path string) []wrapper.Carrier {
		mu.Lock()
		defer mu.Unlock()
		if _, ok := known[path]; !ok {
			known[path] = generators.CarriersOf(filepath.FromSlash(path))
		}
		return known[path]
	}
	return func(file string) []wrapper.Carrier {
		if len(r.builds) == 0 || slices.Contains(r.files, filepath.FromSlash(file)) {
			return of(file)
		}
		var out []wrapper.Carrier
		for _, built := range r.builds {
			out = append(out, of(built.Path)...)
		}
		return out
	}
}

// placesOfFleet adds to the places of CRs those that the Fleet states for files among the paths,
// and returns the other paths.
func (r *reader) placesOfFleet(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
		info, err := os.Stat(path)
		if err != nil || info.IsDir() || path == manifest.Stdin {
			return false
		}
		states, _ := r.readFleet(filepath.Dir(path)) // what is wrong with it is reported where it is used
		place, ok := states.CRPathOf(path)
		if ok {
			r.CRPaths.Add(place)
		}
		return ok
	})
}

// readCRPaths reads the CRs of --cr-path and of the Fleet that are parts of files. The lock beside the file of one counts.
func (r *reader) readCRPaths() ([]*yaml.RNode, finding.List) {
	var items []*yaml.RNode
	var found finding.List
	for _, place := range r.CRPaths {
		item, err := r.manifests.CRAt(place)
		if err != nil {
			found = append(found, finding.Finding{
				ID: finding.PlaceInvalid, Severity: finding.Error, Text: err.Error(),
				Do: "correct the file, or the place that --cr-path or the Fleet states: " + console.Escape(place.Text),
			})
			continue
		}
		items = append(items, item)
	}
	r.files = r.CRPaths.files(r.files)
	return items, found
}

// reportUnlisted warns of files beside a kustomization that configure goldenarch and that
// the run does not read: the kustomization does not list them, and neither --config nor a
// path names them.
func (r *reader) reportUnlisted(paths []string) finding.List {
	var out finding.List
	for _, one := range r.unlisted {
		if slices.ContainsFunc(append([]string{r.Config}, paths...), func(path string) bool { return same(path, one.File) }) {
			continue
		}
		states, _ := r.readFleet(filepath.Dir(one.File)) // reported where it is used
		if slices.ContainsFunc(states.Files(), func(file string) bool { return same(file, one.File) }) {
			continue
		}
		out = append(out, finding.Finding{
			ID: finding.ConfigUnlisted, Severity: finding.Warning, Object: finding.Object{File: filepath.ToSlash(one.File)},
			Text: fmt.Sprintf("the kustomization beside this %s does not list it, so its settings have no effect", one.Kind),
			Do:   "name it as config of the directory in the Fleet, or list it under transformers of the kustomization",
		})
	}
	return out
}

// same reports whether two paths name the same file.
func same(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}
