package kustomize

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/goldenarch/goldenarch/internal/files"
)

// build is the build of one directory. It is the file system from which kustomize reads,
// so it sees every kustomization before kustomize does.
type build struct {
	*disk

	given  string            // the directory as the user named it
	root   string            // the same, absolute and without links
	places map[string]string // the directory of a kustomization, by its file without links
	steps  []Step            // what goldenarch runs after the build
	// kept are the transformers that the library runs, of the directories whose last ones may be
	// steps and that the library has not read yet.
	kept   map[string][]string
	listed []listed // the kustomizations as the library has read them

	metadata []string           // the buildMetadata of the root
	order    *types.SortOptions // the sortOptions of the root
}

// listed is a kustomization in a directory.
type listed struct {
	types.Kustomization

	dir string
}

// newBuild returns the build of a directory, with the steps that end it.
func newBuild(files *disk, dir string) (*build, error) {
	b := &build{disk: files, given: dir, places: map[string]string{}, kept: map[string][]string{}}
	root, err := filesys.ConfirmDir(files, dir)
	if err != nil {
		return nil, err
	}
	b.root = root.String()
	_, err = b.last(b.root)
	return b, err
}

// run builds the directory.
func (b *build) run() (Result, error) {
	// Sort as the command without flags does: only if the kustomization says so (kustomize
	// commands/build/reorderoutput.go).
	resources, err := b.kustomize(krusty.ReorderOptionUnspecified)
	switch {
	case b.refusal() != nil:
		return Result{}, b.refusal()
	case b.library.refusedOf(err):
		return Result{}, fmt.Errorf("the kustomization in %s, or one that it refers to, names something remote: %w", b.given, errRemote)
	case err != nil && strings.Contains(err.Error(), "unable to load external plugin"): // of a component it is a text only
		return Result{}, cmp.Or(b.misplacedStep(), fmt.Errorf("%w: %w", err, errFunction))
	case err != nil:
		return Result{}, b.helmless(err)
	}
	list, err := b.objects(resources)
	return Result{Objects: list, Steps: b.steps, Metadata: b.metadata, Order: b.order}, err
}

// kustomize runs kustomize's library, and recovers from its panics: the library has nil
// pointers for some fields that a kustomization lacks.
func (b *build) kustomize(order krusty.ReorderOption) (resources resmap.ResMap, err error) {
	options := krusty.MakeDefaultOptions()
	options.Reorder = order
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

// shown returns a path as the user would write it.
func (b *build) shown(path string) string {
	return filepath.ToSlash(files.Named(b.given, b.root, path))
}

// CleanedAbs implements [filesys.FileSystem]. kustomize calls it before it reads a file. A
// kustomization may be a link to a file with another name.
func (b *build) CleanedAbs(path string) (filesys.ConfirmedDir, string, error) {
	dir, file, err := b.disk.CleanedAbs(path)
	if err == nil && file != "" && slices.Contains(konfig.RecognizedKustomizationFileNames(), filepath.Base(path)) {
		b.places[dir.Join(file)] = filepath.Dir(path)
	}
	return dir, file, err
}

// ReadFile implements [filesys.FileSystem]. It changes each kustomization as the method
// seen does, before kustomize gets it.
func (b *build) ReadFile(path string) ([]byte, error) {
	data, err := b.disk.ReadFile(path)
	if err != nil {
		return nil, err
	}
	dir, ok := b.places[path]
	if !ok {
		return data, nil
	}
	if err = b.again(path); err == nil {
		data, err = b.seen(dir, data)
	}
	if err != nil {
		return nil, b.refuse(err)
	}
	return data, nil
}

// decode reads a kustomization as kustomize does, which accepts field names in any case.
// It reports false for a kustomization that kustomize refuses.
func decode(data []byte) (types.Kustomization, bool) {
	var k types.Kustomization
	err := k.Unmarshal(data)
	return k, err == nil
}

// load reads the kustomization of a directory, and returns its file. It reports false unless there
// is exactly one.
func (b *build) load(dir string) (types.Kustomization, string, bool) {
	var data []byte
	in := ""
	root, err := filesys.ConfirmDir(b.disk, dir)
	if err != nil {
		return types.Kustomization{}, "", false
	}
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		path := filepath.Join(dir, name)
		if b.isMissing(path) {
			continue
		}
		at, file, err := b.disk.CleanedAbs(path)
		if err != nil || file == "" || !at.HasPrefix(root) {
			continue // kustomize refuses a link that leads elsewhere
		}
		read, err := b.disk.ReadFile(at.Join(file))
		if err != nil {
			continue
		}
		if in != "" {
			return types.Kustomization{}, "", false
		}
		data, in = read, path
	}
	k, ok := decode(data)
	return k, in, ok && in != ""
}

// kustomizationIn returns the file of the kustomization in a directory, or the directory if
// it has none.
func kustomizationIn(dir string) string {
	return cmp.Or(FileIn(dir), dir)
}

// seen returns a kustomization as kustomize must read it: without the steps that goldenarch
// runs after the build. It fails if the kustomization names something remote.
func (b *build) seen(dir string, data []byte) ([]byte, error) {
	k, ok := decode(data)
	if !ok || k.CheckEmpty() != nil {
		return data, nil //nolint:nilerr // kustomize says what is wrong
	}
	if entry := remoteEntry(dir, k); entry != "" {
		return nil, fmt.Errorf("the kustomization in %s names %q: %w", b.shown(dir), entry, errRemote)
	}
	kept, ok := b.kept[dir]
	if !ok {
		b.listed = append(b.listed, listed{k, dir})
		return data, nil
	}
	// A directory that the build takes again keeps its steps, so that kustomize refuses them: they
	// cannot be the last ones in both places.
	delete(b.kept, dir)
	k.Transformers = kept
	b.listed = append(b.listed, listed{k, dir})
	if dir == b.root {
		b.metadata, b.order = slices.Clone(k.BuildMetadata), k.SortOptions
		k.Transformers = append(slices.Clone(kept), keepLocalTransformer)
	}
	if k.MetaData == nil {
		k.MetaData = &types.ObjectMeta{} // it changes nothing, and kustomize refuses a kustomization without any field
	}
	out, err := json.Marshal(k)
	if err != nil {
		return nil, fmt.Errorf("encode the kustomization in %s: %w", b.shown(dir), err)
	}
	return out, nil
}

var errRemote = errors.New("it is remote, and goldenarch fetches nothing; " +
	"keep a copy beside it (kustomize localize), or build it first: kustomize build DIR " + ToRender)

const (
	localConfig = "config.kubernetes.io/local-config"
	// wasLocal represents the local-config annotation inside kustomize, which drops local
	// configuration at the end of a build (kustomize target/kusttarget.go). A transformer
	// sees local configuration, so goldenarch must see it, too: node facts and locks are
	// local configuration.
	wasLocal = "internal.goldenarch.dev/local-config"
)

// keepLocalName is the name of keepLocalTransformer. It never appears in the output.
const keepLocalName = "goldenarch-local-config"

// keepLocalTransformer is the transformer that replaces goldenarch as the last one in the
// kustomization. A value of "false" has no effect, and all other values have the same. A JSON patch
// would write each of these objects as JSON and read it again, which takes a third of a small build.
const keepLocalTransformer = `apiVersion: builtin
kind: ValueAddTransformer
metadata: {name: ` + keepLocalName + `}
value: "false"
targets:
- selector: {annotationSelector: "config.kubernetes.io/local-config,config.kubernetes.io/local-config!=false"}
  fieldPath: metadata/annotations/internal.goldenarch.dev\/local-config
- selector: {annotationSelector: "internal.goldenarch.dev/local-config"}
  fieldPath: metadata/annotations/config.kubernetes.io\/local-config
`
