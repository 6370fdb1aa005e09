package kustomization

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/fn/runtime/runtimeutil"
	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/bound"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
)

// Request says what to build.
type Request struct {
	// Dir is the directory as the user named it.
	Dir string
	// Texts replace those of files. The keys are the paths of these files, absolute and
	// without links.
	Texts map[string][]byte
	// ToLock is for "goldenarch lock": a listed lock that does not exist yet is empty. A
	// lock has the usual file name, or it is LockFile; "" names none.
	ToLock   bool
	LockFile string
	// Generates says that the caller runs the generators of goldenarch: where the result has
	// some that are Missing, it builds again with what they emit. Otherwise they are an error.
	Generates bool
	// Generated has the objects that generators emit, by [Step.Key].
	Generated map[string][]byte
	// Generate runs a generator in the process of the caller. [Build] does the above with it,
	// if it is not nil.
	Generate func(Step) ([]byte, error)
	// Files are all files of the build, by their names in its only directory. No file of
	// the disk is read then.
	Files map[string][]byte
}

// Builder builds directories that have a kustomization. The error is kustomize's own,
// without the contents of files. Or it says what goldenarch does not do: fetch a remote
// base, run functions and plugins, inflate Helm charts.
type Builder interface {
	Build(ctx context.Context, request Request) (Result, error)
}

// Built is the result of the build of a directory.
type Built struct {
	// Path is the directory as the user named it.
	Path string
	// Items has the resources in kustomize's order, with local configuration. Each is
	// annotated with the file it came from.
	Items []*yaml.RNode
	// Texts has the texts of the items, as kustomize has written them.
	Texts manifest.Texts
	// Steps are the configurations that the kustomizations list, in the order in which
	// kustomize runs them. The generators come first, and have run. The items are those that
	// the next step receives.
	Steps []Step
	// Found has the warnings of kustomize.
	Found finding.List
	// Unlisted has the files in the directory that configure goldenarch and are not part
	// of the build.
	Unlisted []Unlisted

	finish finish
	build  func(Request) (Result, error)
}

// Build builds a directory that has a kustomization.
func Build(ctx context.Context, builder Builder, request Request) (Built, error) {
	return buildWith(func(r Request) (Result, error) { return builder.Build(ctx, r) }, request)
}

func buildWith(build func(Request) (Result, error), request Request) (Built, error) {
	request.Generates, request.Generated = request.Generate != nil, maps.Clone(request.Generated)
	result, err := build(request)
	for err == nil && len(result.Missing) > 0 {
		if err = request.generate(result.Missing); err == nil {
			result, err = build(request)
		}
	}
	if err != nil {
		return Built{}, err
	}
	out, err := result.built(request.Dir)
	if err != nil {
		return Built{}, fmt.Errorf("build %s: %w", request.Dir, err)
	}
	out.build = build
	return out, nil
}

// generate runs the generators that a build lacks.
func (r *Request) generate(missing []Step) error {
	for _, step := range missing {
		if _, has := r.Generated[step.Key]; has || r.Generate == nil {
			return fmt.Errorf("build %s: %s: %w", r.Dir, step.File, errGenerates)
		}
		text, err := r.Generate(step)
		if err != nil {
			return err
		}
		if r.Generated == nil {
			r.Generated = map[string][]byte{}
		}
		r.Generated[step.Key] = text
	}
	return nil
}

// build is the build of one directory. It is the file system from which kustomize reads,
// so it sees every kustomization before kustomize does.
type build struct {
	filesys.FileSystem

	notes  *disk             // where the build records its findings
	given  string            // the directory as the user named it
	root   string            // the same, absolute and without links
	places map[string]string // the directory of a kustomization, by its file without links
	steps  []Step            // what goldenarch runs after the build
	// generators are what goldenarch has run before the build, and emitted are the files with
	// what they emit. virtual has these files and their kustomizations: the disk has none.
	generators []Step
	emitted    map[string]Step
	virtual    map[string][]byte
	kept       map[string]kept   // of the directories whose last steps are not for the library
	met        map[string]bool   // those of them that the library has read
	tracked    bool              // the user wants the annotations with the origin
	origins    originsFrom       // the build that notes the origin of each object
	portioned  map[string]string // the texts of the files in a portion; nil for a build of the whole
	ofList     bool              // the build is for the entries of a list, not for the manifests
	chain      []string          // the directories of configurations around this one
	refused    error             // the error about something that goldenarch does not do

	files    map[*yaml.RNode]string // of the built configurations
	metadata []string               // the buildMetadata of the root
	order    *types.SortOptions     // the sortOptions of the root
}

func newBuild(files *disk, dir string) (*build, error) {
	b := &build{
		FileSystem: files, notes: files, given: dir, places: map[string]string{},
		files: map[*yaml.RNode]string{}, kept: map[string]kept{}, met: map[string]bool{},
		emitted: map[string]Step{}, virtual: map[string][]byte{},
	}
	root, err := filesys.ConfirmDir(b.FileSystem, dir)
	if err != nil {
		return nil, err
	}
	b.root = root.String()
	return b, b.findSteps()
}

func (b *build) run() ([]built, error) {
	if list, ok := b.inPortions(minInPortions, portionSize); ok {
		return list, nil
	}
	options := krusty.MakeDefaultOptions()
	// Sort as the command without flags does: only if the kustomization says so (kustomize
	// commands/build/reorderoutput.go).
	options.Reorder = krusty.ReorderOptionUnspecified
	known, exact := b.otherOrigins()
	if known != nil {
		b.origins = fromOther
	}
	resources, err := b.kustomize(options)
	switch {
	case err != nil || known == nil || haveAll(known, resources):
	case exact:
		maps.Copy(known, b.originsOf(fromBuild))
	default:
		b.origins, known, b.met = fromBuild, nil, map[string]bool{}
		resources, err = b.kustomize(options)
	}
	switch {
	case b.notes.refused != nil:
		return nil, b.notes.refused
	case b.notes.library.refusedOf(err):
		return nil, fmt.Errorf("the kustomization in %s, or one that it refers to, names something remote: %w", b.given, errRemote)
	case b.refused != nil:
		return nil, b.refused // kustomize may have reported it as another error
	case types.IsErrOnlyBuiltinPluginsAllowed(err):
		return nil, fmt.Errorf("%w: %w", err, errFunction)
	case err != nil:
		return nil, b.helmless(err)
	}
	return b.traced(resources, known)
}

// kustomize runs kustomize's library, and recovers from its panics: the library has nil
// pointers for some fields that a kustomization lacks.
func (b *build) kustomize(options *krusty.Options) (resources resmap.ResMap, err error) {
	defer func() {
		if crash := recover(); crash != nil {
			resources, err = nil, fmt.Errorf("%w: %v", errCrash, crash)
		}
	}()
	return krusty.MakeKustomizer(options).Run(b, b.given)
}

var errCrash = errors.New("kustomize's library crashes on this kustomization; look for an entry without one of its fields, such as a patch without target")

// ToRender is the end of the commands in the errors of this package: the verb that reads
// what kustomize builds. A verb puts its own command there.
const ToRender = "| goldenarch render -"

var errFunction = errors.New("goldenarch runs no other functions; build the directory first: " +
	"kustomize build --enable-alpha-plugins --enable-exec DIR " + ToRender)

// shown returns a path as the user would write it.
func (b *build) shown(path string) string {
	below, err := filepath.Rel(b.root, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(filepath.Join(b.given, below))
}

// isConfig reports whether an entry of a list configures goldenarch: a GoldenImages, a
// WorkloadArchitectures, or a ConfigMap that makes kustomize run goldenarch.
func isConfig(item *yaml.RNode) bool {
	return isGoldenImages(item) || isWorkloads(item) || isConfigMap(item)
}

func isGoldenImages(item *yaml.RNode) bool { return isOwnKind(item, v1alpha1.GoldenImagesKind) }

func isWorkloads(item *yaml.RNode) bool { return isOwnKind(item, v1alpha1.WorkloadArchitecturesKind) }

func isOwnKind(item *yaml.RNode, kind string) bool {
	return item.GetKind() == kind && strings.HasPrefix(item.GetApiVersion(), v1alpha1.Group+"/")
}

func isConfigMap(item *yaml.RNode) bool {
	if item.GetKind() != "ConfigMap" || item.GetApiVersion() != "v1" {
		return false
	}
	run, err := runtimeutil.GetFunctionSpec(item)
	if err != nil || run == nil {
		return false
	}
	program := path.Base(filepath.ToSlash(run.Exec.Path))
	image, _, _ := strings.Cut(run.Container.Image, "@")
	image, _, _ = strings.Cut(path.Base(image), ":")
	return program == name || image == name
}

// name is the name of the program and of the image.
const name = "goldenarch"

// originOf returns the file of a configuration, relative to the root. kustomize writes it
// in the same form in the annotations of buildMetadata.
func (b *build) originOf(dir, entry string, config *yaml.RNode) string {
	file := filepath.Join(dir, entry)
	switch built, is := b.files[config]; {
	case is:
		file = built
	case isInline(entry):
		file = b.kustomizationIn(dir)
	}
	below, err := filepath.Rel(b.root, file)
	if err != nil {
		return file
	}
	return below
}

// isInline reports whether an entry of a list is an inline object.
func isInline(entry string) bool { return strings.ContainsAny(entry, "\n{") }

// configurations returns the configurations of goldenarch in an entry of a list: inline,
// in a file, or in a directory that builds to them. For an entry with other objects, it
// returns none. It returns an error for an entry with both, and for a built-in plugin that
// would fetch something.
func (b *build) configurations(dir, entry string) ([]*yaml.RNode, error) {
	items, err := b.entry(dir, entry)
	if err != nil {
		return nil, nil //nolint:nilerr // kustomize says what is wrong
	}
	own := 0
	for _, item := range items {
		if text, err := item.String(); err == nil {
			if err := b.refusePlugin(dir, []byte(text)); err != nil {
				return nil, err
			}
			// Replacements may have created a text that no file has.
			if err := bound.Text([]byte(text)); err != nil {
				return nil, b.notes.refuse(fmt.Errorf("the kustomization in %s lists %q: %w", b.shown(dir), entry, err))
			}
		}
		if isConfig(item) {
			own++
		}
	}
	switch own {
	case 0:
		return nil, nil
	case len(items):
		return items, nil
	default:
		return nil, fmt.Errorf("the kustomization in %s: %q has a configuration of goldenarch and other objects: list them separately", b.shown(dir), entry)
	}
}

func (b *build) entry(dir, entry string) ([]*yaml.RNode, error) {
	if isInline(entry) {
		items, err := manifest.Parse(b.shown(dir), []byte(entry))
		for _, item := range items {
			withoutLines(item.YNode())
		}
		return items, err
	}
	if isRemote(entry) || filepath.IsAbs(entry) {
		return nil, nil
	}
	at, file, err := b.FileSystem.CleanedAbs(filepath.Join(dir, entry))
	if err != nil {
		return nil, err
	}
	if file == "" {
		if slices.Contains(b.chain, at.String()) {
			return nil, nil // a directory that lists itself; kustomize says so
		}
		if len(b.chain) == maxChain {
			return nil, b.notes.refuse(errChain)
		}
		return b.directory(at.String())
	}
	if !at.HasPrefix(filesys.ConfirmedDir(dir)) {
		return nil, nil // kustomize refuses it
	}
	data, err := b.FileSystem.ReadFile(at.Join(file))
	if err != nil {
		return nil, err
	}
	return manifest.Parse(b.shown(at.Join(file)), data)
}

// listing is the result of the build of a directory of configurations.
type listing struct {
	items []*yaml.RNode
	files []string // of each item
	err   error
}

// directory builds a directory of configurations separately. Every step on the way down to
// it needs the result, so directory builds it once and caches it. It returns new items
// each time, because the caller changes them.
func (b *build) directory(dir string) ([]*yaml.RNode, error) {
	l, known := b.notes.built[dir]
	if !known {
		l = b.list(dir)
		b.notes.built[dir] = l
	}
	items := make([]*yaml.RNode, len(l.items))
	for i, item := range l.items {
		items[i] = item.Copy()
		b.files[items[i]] = l.files[i]
		if err := items[i].PipeE(yaml.SetAnnotation(kioutil.PathAnnotation, b.shown(dir))); err != nil {
			return nil, err
		}
	}
	return items, l.err
}

// maxChain is how deep directories of configurations may be nested.
const maxChain = 32

var errChain = fmt.Errorf("configurations are built from configurations in more than %d steps: list them closer to where they are used", maxChain)

func (b *build) list(dir string) listing {
	inner := &build{
		FileSystem: b.FileSystem,
		notes:      b.notes,
		given:      dir,
		ofList:     true,
		places:     map[string]string{},
		files:      map[*yaml.RNode]string{},
		chain:      append(slices.Clone(b.chain), dir),
	}
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(inner, dir)
	if err != nil {
		return listing{err: err}
	}
	list, err := inner.traced(resources, nil)
	if err != nil {
		return listing{err: err}
	}
	files := make([]string, len(list))
	for i := range list {
		files[i] = list[i].file
		list[i].file = dir // the name depends on the directory that refers to it
	}
	texts, err := objects(list)
	if err != nil {
		return listing{err: err}
	}
	items, err := readAll(texts, &manifest.Texts{})
	return listing{items: items, files: files, err: err}
}

// seen returns a kustomization as kustomize must read it: without the steps that goldenarch
// runs after the build. At the root, it also asks kustomize for what goldenarch needs to know.
// It fails if the kustomization needs something that goldenarch does not do.
func (b *build) seen(dir string, data []byte) ([]byte, error) {
	k, ok := decode(data)
	if !ok {
		return data, nil // kustomize says what is wrong
	}
	b.notes.deprecated(b.shown(dir), k)
	set, err := fields(k)
	if err != nil {
		return nil, err
	}
	if entry := remoteEntry(set); entry != "" {
		return nil, fmt.Errorf("the kustomization in %s names %q: %w", b.shown(dir), entry, errRemote)
	}
	if err := b.refuseMisplaced(dir, k); err != nil {
		return nil, err
	}
	if err := b.refuseGrowth(dir); err != nil {
		return nil, b.notes.refuse(fmt.Errorf("the kustomization in %s: %w", b.shown(dir), err))
	}
	top := dir == b.root || b.ofList && dir == b.given
	kept, isLast := b.kept[dir]
	generates, err := b.generate(dir, &k)
	if err != nil {
		return nil, err
	}
	if b.origins == fromBare {
		k = bare(k)
	} else if !top && !isLast && !generates && b.portioned == nil {
		return data, nil
	}
	if isLast {
		if b.met[dir] {
			if err := b.again(dir); err != nil {
				return nil, err
			}
		}
		b.met[dir] = true
		k.Transformers, k.Validators = kept.transformers, kept.validators
	}
	if (top || isLast) && !b.ofList {
		k.Transformers = append(slices.Clone(k.Transformers), keepLocal)
	}
	if top {
		b.metadata, b.order = slices.Clone(k.BuildMetadata), k.SortOptions
		if b.tracked = slices.Contains(k.BuildMetadata, types.OriginAnnotations); !b.tracked && b.origins != fromOther {
			k.BuildMetadata = append(k.BuildMetadata, types.OriginAnnotations)
		}
	}
	if b.portioned != nil {
		if k = b.withoutEmptied(dir, k); top {
			k.SortOptions = &types.SortOptions{Order: types.FIFOSortOrder} // the portions are sorted together
		}
	}
	out, err := json.Marshal(k)
	if err != nil {
		return nil, fmt.Errorf("encode the kustomization in %s: %w", b.shown(dir), err)
	}
	return out, nil
}

var errRemote = errors.New("it is remote, and goldenarch fetches nothing; " +
	"keep a copy beside it (kustomize localize), or build it first: kustomize build DIR " + ToRender)

// helmless adds a fix to kustomize's error about a chart. kustomize names a flag that
// goldenarch does not have (kustomize builtins/HelmChartInflationGenerator.go).
func (b *build) helmless(err error) error {
	if !strings.Contains(err.Error(), "must specify --enable-helm") {
		return err
	}
	if len(b.steps) > 0 {
		return fmt.Errorf("%w, but goldenarch runs no helm; let kustomize build the directory: "+
			"kustomize build --enable-helm --enable-alpha-plugins --enable-exec %s", err, b.given)
	}
	return fmt.Errorf("%w, but goldenarch runs no helm; build the directory first: "+
		"kustomize build --enable-helm %s %s", err, b.given, ToRender)
}

// maxVars is how many bytes the vars of a build may add to the contents of one file.
// kustomize adds them in one step.
const maxVars = 16 << 20

var errVars = fmt.Errorf("the vars put more than %d MiB into what one file has: copy the value with replacements, or name it less often", maxVars>>20)

// refuseVars fails if the vars of a build add a long text to a file too often.
func (b *build) refuseVars(top *layer) error {
	all := top.all(nil)
	var vars []types.Var
	for _, l := range all {
		vars = append(vars, l.vars...)
	}
	if len(vars) == 0 {
		return nil
	}
	first := b.measured(top)
	for _, l := range all {
		for _, file := range l.files {
			data, put := b.read(file.path), 0.0
			for _, v := range vars {
				if times := bytes.Count(data, []byte("$("+v.Name+")")); times > 0 {
					put += float64(times) * first(pathOf(v.FieldRef.FieldPath))
				}
			}
			if put > maxVars {
				return errVars
			}
		}
	}
	return nil
}

// all returns a layer and all its sources, each once.
func (l *layer) all(before []*layer) []*layer {
	if l == nil || slices.Contains(before, l) {
		return before
	}
	before = append(before, l)
	for _, inner := range slices.Concat(l.bases, l.components) {
		before = inner.all(before)
	}
	return before
}
