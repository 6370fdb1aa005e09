package kustomize

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/fn/runtime/runtimeutil"
	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// The lists of a kustomization whose entries kustomize runs.
const (
	generators   = "generators"
	transformers = "transformers"
	validators   = "validators"
)

// Step is one configuration of goldenarch that a kustomization lists under transformers. kustomize
// runs each of them by itself. A Step is plain data.
type Step struct {
	// File is the file that has the configuration, as findings name it.
	File string
	// Text is the text of that file or inline entry, or what kustomize has built. Index is
	// the place of the configuration among its documents.
	Text  []byte
	Index int
	// Lines reports that the lines of Text are those of File.
	Lines bool
	// Dir is the directory of the kustomization that lists the step. kustomize runs a
	// function there.
	Dir string
	// ConfiguredIn is the file as kustomize names it in annotations: relative to the root.
	ConfiguredIn string
}

// Config returns the configuration of the step.
func (s Step) Config() (*yaml.RNode, error) {
	items, err := manifest.Parse(s.File, s.Text)
	if err != nil {
		return nil, fmt.Errorf("read the configuration: %w", err)
	}
	if s.Index >= len(items) {
		return nil, fmt.Errorf("read the configuration in %s: %w", s.File, errNoDocument)
	}
	config := items[s.Index]
	if !s.Lines {
		withoutLines(config.YNode())
	}
	return config, nil
}

// Configures reports whether a step is about the same as a configuration: about pods, or
// about golden images.
func (s Step) Configures(config *yaml.RNode) bool {
	own, err := s.Config()
	return err == nil && isWorkloads(own) == isWorkloads(config)
}

var errNoDocument = errors.New("the file has fewer documents than before")

// origin returns the step as kustomize names it in annotations.
func (s Step) origin() (*resource.Origin, error) {
	config, err := s.Config()
	if err != nil {
		return nil, err
	}
	of := object.Ref(config)
	return &resource.Origin{ConfiguredIn: s.ConfiguredIn, ConfiguredBy: yaml.ResourceIdentifier{
		TypeMeta: yaml.TypeMeta{APIVersion: of.APIVersion, Kind: of.Kind},
		NameMeta: yaml.NameMeta{Name: of.Name, Namespace: of.Namespace},
	}}, nil
}

// isConfig reports whether an entry of a list configures goldenarch: a GoldenImages, a
// WorkloadArchitectures, or a ConfigMap that makes kustomize run goldenarch.
func isConfig(item *yaml.RNode) bool {
	return isGoldenImages(item) || isWorkloads(item) || isConfigMap(item)
}

func isGoldenImages(item *yaml.RNode) bool { return isOwnKind(item, v1alpha1.GoldenImagesKind) }

func isWorkloads(item *yaml.RNode) bool { return isOwnKind(item, v1alpha1.WorkloadArchitecturesKind) }

func isOwnKind(item *yaml.RNode, kind string) bool {
	of := object.Ref(item)
	return of.Kind == kind && strings.HasPrefix(of.APIVersion, v1alpha1.Group+"/")
}

func isConfigMap(item *yaml.RNode) bool {
	if of := object.Ref(item); of.Kind != "ConfigMap" || of.APIVersion != "v1" {
		return false
	}
	expanded := yaml.NewRNode(yamlnode.Copy(item.YNode())) // kustomize expands aliases before it looks for a function
	if err := expanded.DeAnchor(); err != nil {
		return false
	}
	run, err := runtimeutil.GetFunctionSpec(expanded)
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

// constant are the fields of a kustomization that change no resource once its components
// have run (kustomize target/kusttarget.go).
var constant = []string{
	"apiVersion", "kind", "metadata", "resources", "bases", "components", "crds", "configurations", "openapi",
	"configMapGenerator", "secretGenerator", "generatorOptions", "generators", "buildMetadata", "sortOptions",
	"transformers", "validators",
}

// adding are the fields of a kustomization that add resources.
var adding = []string{"resources", "bases", "configMapGenerator", "secretGenerator", "generators", "helmCharts", "helmChartInflationGenerator"}

// has reports whether a kustomization sets a field that counts.
func has(k types.Kustomization, counts func(field string) bool) bool {
	set, err := fields(k)
	for field := range set {
		if counts(field) {
			return true
		}
	}
	return err != nil
}

// last finds the steps that end the build: those after which kustomize changes nothing. The
// library builds without them, and goldenarch then runs them in their order, with the same
// result as inside kustomize.
//
// It puts those at the end of a directory before those that are known. It reports whether what
// is built before the directory is still unchanged when these steps run.
func (b *build) last(dir string) (bool, error) {
	k, ok := b.load(dir)
	if _, visited := b.kept[dir]; visited || !ok {
		return false, nil // kustomize says what is wrong
	}
	entries := inKustomizeOrder(k.Transformers)
	final := b.final(dir, entries)
	before := len(entries) - len(final)
	var steps []Step
	for i, entry := range entries[before:] {
		more, err := b.stepsIn(dir, entry, final[i])
		if err != nil {
			return false, err
		}
		steps = append(steps, more...)
	}
	if err := b.refuseTwice(dir, steps); err != nil {
		return false, err
	}
	b.steps = append(steps, b.steps...)
	b.kept[dir] = entries[:before]
	if before > 0 || has(k, func(field string) bool { return !slices.Contains(constant, field) }) {
		return false, nil
	}
	for _, entry := range slices.Backward(k.Components) {
		at, isDir := b.placeOf(dir, entry)
		if !isDir {
			return false, nil // kustomize says what is wrong
		}
		if more, err := b.last(at); err != nil || !more {
			return false, err
		}
	}
	return !has(k, func(field string) bool { return slices.Contains(adding, field) }), nil
}

// placeOf returns the file or directory that an entry names, or "" if it does not name
// one.
func (b *build) placeOf(dir, entry string) (at string, isDir bool) {
	if entry == "" || IsInline(entry) || isRemote(dir, entry) || filepath.IsAbs(entry) {
		return "", false
	}
	place, file, err := b.FileSystem.CleanedAbs(filepath.Join(dir, entry))
	if err != nil {
		return "", false
	}
	return place.Join(file), file == ""
}

// inKustomizeOrder returns the entries of a list in the order in which kustomize runs them:
// inline objects first (kustomize target/kusttarget.go: configureExternalTransformers).
func inKustomizeOrder(entries []string) []string {
	out := slices.DeleteFunc(slices.Clone(entries), func(entry string) bool { return !IsInline(entry) })
	return append(out, slices.DeleteFunc(slices.Clone(entries), IsInline)...)
}

// configured are the configurations of goldenarch in an entry of a list, or why they are not known.
type configured struct {
	configs []*yaml.RNode
	err     error
}

// final returns what the final transformers, in kustomize's order, configure: those that run
// goldenarch.
func (b *build) final(dir string, transformers []string) []configured {
	var out []configured
	for _, entry := range slices.Backward(transformers) {
		configs, err := b.configurations(dir, entry)
		if err == nil && len(configs) == 0 {
			break
		}
		out = append(out, configured{configs, err})
	}
	slices.Reverse(out)
	return out
}

// stepsIn returns the steps in an entry of a list.
func (b *build) stepsIn(dir, entry string, of configured) ([]Step, error) {
	configs, err := of.configs, of.err
	if err != nil {
		return nil, err
	}
	out := make([]Step, len(configs))
	for i, config := range configs {
		file, _ := object.Place(config)
		out[i] = Step{File: file, Index: i, Dir: dir}
		from := filepath.Join(dir, entry)
		switch built, ok := b.files[config]; {
		case ok:
			from = built
			text, err := config.String()
			if err != nil {
				return nil, fmt.Errorf("encode the configuration in %s: %w", file, err)
			}
			out[i].Text, out[i].Index = []byte(text), 0
		case IsInline(entry):
			from = kustomizationIn(dir)
			out[i].Text = []byte(entry)
		default:
			if out[i].Text, err = b.FileSystem.ReadFile(from); err != nil {
				return nil, err
			}
			out[i].Lines = true
		}
		out[i].ConfiguredIn = from
		if below, err := filepath.Rel(b.root, from); err == nil {
			out[i].ConfiguredIn = below
		}
	}
	return out, nil
}

// configurations returns the configurations of goldenarch in an entry of a list: inline,
// in a file, or in a directory that builds to them. For an entry with other objects, it
// returns none. It returns an error for an entry with both.
func (b *build) configurations(dir, entry string) ([]*yaml.RNode, error) {
	items, err := b.entry(dir, entry)
	if err != nil {
		return nil, nil //nolint:nilerr // kustomize says what is wrong
	}
	own := 0
	for _, item := range items {
		if text, err := item.String(); err == nil {
			// Replacements may have created a text that no file has.
			if err := yamlnode.CheckText([]byte(text)); err != nil {
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
	if IsInline(entry) {
		items, err := manifest.Parse(b.shown(dir), []byte(entry))
		for _, item := range items {
			withoutLines(item.YNode())
		}
		return items, err
	}
	if isRemote(dir, entry) || filepath.IsAbs(entry) {
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
	resources, err := inner.kustomize()
	if err != nil {
		return listing{err: err}
	}
	list, err := inner.traced(resources)
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
	read, err := Result{Objects: texts}.built("")
	return listing{items: read.Items, files: files, err: err}
}

// refuseTwice fails if two steps of a list have the same name, as kustomize does.
func (b *build) refuseTwice(dir string, steps []Step) error {
	seen := map[resid.ResId]bool{}
	for _, step := range steps {
		config, err := step.Config()
		if err != nil {
			return err
		}
		id := IDOf(config)
		if seen[id] {
			return fmt.Errorf("the kustomization in %s lists the %s %q twice under transformers: give each configuration a name of its own",
				b.shown(dir), id.Kind, id.Name)
		}
		seen[id] = true
	}
	return nil
}

// refuseMisplaced fails if a kustomization lists goldenarch where other steps of the build
// follow it, or where only kustomize itself runs functions, or not even that does.
func (b *build) refuseMisplaced(dir string, k types.Kustomization) error {
	transforming := k.Transformers
	if kept, ok := b.kept[dir]; ok {
		transforming = kept
	}
	for _, list := range []struct {
		field   string
		entries []string
	}{{generators, k.Generators}, {transformers, transforming}, {validators, k.Validators}} {
		for _, entry := range list.entries {
			configs, err := b.configurations(dir, entry)
			if err != nil {
				return err
			}
			if len(configs) > 0 && b.readable(dir, list.entries) {
				return b.misplaced(dir, list.field, entry)
			}
		}
	}
	return nil
}

// readable reports whether goldenarch can read all entries of a list. If not, it cannot
// know what the entry is, and kustomize reports the error.
func (b *build) readable(dir string, entries []string) bool {
	return !slices.ContainsFunc(entries, func(entry string) bool {
		_, err := b.entry(dir, entry)
		return err != nil
	})
}

// misplaced says which entry is in a place where goldenarch does not run it, and where it works.
func (b *build) misplaced(dir, field, entry string) error {
	name := fmt.Sprintf("the entry %q", entry)
	if IsInline(entry) {
		name = "an inline configuration"
	}
	where := b.shown(kustomizationIn(dir))
	if field == generators {
		return fmt.Errorf("%s lists goldenarch under generators (%s), and %w; %s", where, name, errGenerates, b.insteadOfGenerator(dir, where))
	}
	why := errNotLast
	if field == validators {
		why = errValidates
	}
	return fmt.Errorf("%s lists goldenarch under %s (%s), %w; list it last under transformers of %s instead",
		where, field, name, why, b.shown(kustomizationIn(b.root)))
}

// insteadOfGenerator says which layout every host runs, with the same output: the files of
// spec.inputs are resources where the generator is listed, and goldenarch is a transformer.
// It does not name these files, since errors of a build show no values of files.
func (b *build) insteadOfGenerator(dir, where string) string {
	move := ""
	if dir != b.root {
		// kustomize takes no file from outside of the directory.
		move = fmt.Sprintf("move the configuration to %s, ", b.shown(b.root))
	}
	return fmt.Sprintf("list the files of its spec.inputs under resources of %s, remove spec.inputs, %sand list it last under transformers of %s",
		where, move, b.shown(kustomizationIn(b.root)))
}

// again says that the build takes a directory more than once. Its steps cannot be the last
// ones in all these places.
func (b *build) again(dir string) error {
	k, _ := b.load(dir)
	if own := inKustomizeOrder(k.Transformers)[len(b.kept[dir]):]; len(own) > 0 {
		return b.misplaced(dir, transformers, own[0])
	}
	return nil
}

var (
	errNotLast   = errors.New("and the build continues after it: goldenarch runs after the build")
	errValidates = errors.New("where kustomize runs no function, whatever it does (kustomize#5036)")
	errGenerates = errors.New("goldenarch runs no generators itself")
)
