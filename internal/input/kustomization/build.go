package kustomization

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/yaml"

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
	kept       map[string]kept // of the directories whose last steps are not for the library
	met        map[string]bool // those of them that the library has read
	tracked    bool            // the user wants the annotations with the origin
	ofList     bool            // the build is for the entries of a list, not for the manifests
	chain      []string        // the directories of configurations around this one
	refused    error           // the error about something that goldenarch does not do

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
	options := krusty.MakeDefaultOptions()
	// Sort as the command without flags does: only if the kustomization says so (kustomize
	// commands/build/reorderoutput.go).
	options.Reorder = krusty.ReorderOptionUnspecified
	resources, err := b.kustomize(options)
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
	return b.traced(resources)
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
