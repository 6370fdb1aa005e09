package kustomize

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/fn/runtime/runtimeutil"
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
	data, err := json.Marshal(k)
	set := map[string]any{}
	if err == nil {
		err = json.Unmarshal(data, &set)
	}
	return err != nil || slices.ContainsFunc(slices.Collect(maps.Keys(set)), counts)
}

// last finds the steps that end the build: those after which kustomize changes nothing. The
// library builds without them, and goldenarch then runs them in their order, with the same
// result as inside kustomize.
//
// It puts those at the end of a directory before those that are known. It reports whether what
// is built before the directory is still unchanged when these steps run.
func (b *build) last(dir string) (bool, error) {
	k, _, ok := b.load(dir)
	if _, known := b.kept[dir]; known || !ok {
		return false, nil // kustomize says what is wrong
	}
	kept := inKustomizeOrder(k.Transformers)
	var steps []Step
	for len(kept) > 0 {
		more, err := b.stepsIn(dir, kept[len(kept)-1])
		if err != nil {
			return false, err
		}
		if len(more) == 0 {
			break
		}
		steps, kept = append(more, steps...), kept[:len(kept)-1]
	}
	if err := b.refuseTwice(dir, steps); err != nil {
		return false, err
	}
	b.steps = append(steps, b.steps...)
	b.kept[dir] = kept
	if len(kept) > 0 || has(k, func(field string) bool { return !slices.Contains(constant, field) }) {
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
	place, file, err := b.disk.CleanedAbs(filepath.Join(dir, entry))
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

// stepsIn returns the configurations of goldenarch in an entry of a list: inline, in a file, or in
// a directory that builds to them. For an entry with other objects, it returns none. It returns an
// error for an entry with both.
func (b *build) stepsIn(dir, entry string) ([]Step, error) {
	texts, err := b.textsOf(dir, entry)
	if err != nil {
		return nil, nil //nolint:nilerr // kustomize says what is wrong
	}
	var out []Step
	others := false
	for _, text := range texts {
		items, err := manifest.Parse(text.File, text.Text)
		if err != nil {
			return nil, nil //nolint:nilerr // kustomize says what is wrong
		}
		for i, item := range items {
			if isConfig(item) {
				text.Index = i
				out = append(out, text)
			} else {
				others = true
			}
		}
	}
	if others && len(out) > 0 {
		return nil, fmt.Errorf("the kustomization in %s: %q has a configuration of goldenarch and other objects: list them separately", b.shown(dir), entry)
	}
	return out, nil
}

// textsOf returns the texts of an entry of a list, as steps.
func (b *build) textsOf(dir, entry string) ([]Step, error) {
	if IsInline(entry) {
		return []Step{{File: b.shown(dir), Text: []byte(entry), Dir: dir, ConfiguredIn: b.belowRoot(kustomizationIn(dir))}}, nil
	}
	at, isDir := b.placeOf(dir, entry)
	switch {
	case isDir:
		objects, err := b.apart(at)
		out := make([]Step, len(objects))
		for i, o := range objects {
			out[i] = Step{File: b.shown(at), Text: o.Text, Dir: dir, ConfiguredIn: b.belowRoot(o.File)}
		}
		return out, err
	case at == "" || !filesys.ConfirmedDir(filepath.Dir(at)).HasPrefix(filesys.ConfirmedDir(dir)):
		return nil, nil // kustomize refuses it
	default:
		data, err := b.disk.ReadFile(at)
		return []Step{{File: b.shown(at), Text: data, Lines: true, Dir: dir, ConfiguredIn: b.belowRoot(filepath.Join(dir, entry))}}, err
	}
}

// belowRoot returns a file as seen from the root.
func (b *build) belowRoot(file string) string {
	if below, err := filepath.Rel(b.root, file); err == nil {
		return below
	}
	return file
}

// apart builds a directory of configurations by itself.
func (b *build) apart(dir string) ([]Object, error) {
	inner := &build{disk: b.disk, given: dir, root: dir, places: map[string]string{}}
	resources, err := inner.kustomize(krusty.ReorderOptionNone)
	if err != nil {
		return nil, err
	}
	out, err := inner.objects(resources)
	for _, o := range out {
		// Replacements may have created a text that no file has.
		if wrong := yamlnode.CheckText(o.Text); wrong != nil {
			return nil, b.refuse(fmt.Errorf("the kustomization in %s builds configurations: %w", b.shown(dir), wrong))
		}
	}
	return out, err
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

// misplacedStep is the error about the first configuration of goldenarch that kustomize was to run
// itself: where other steps of the build follow it, or where only kustomize runs functions, or not
// even that does. It is nil if there is none.
func (b *build) misplacedStep() error {
	for _, k := range b.listed {
		for _, list := range []struct {
			field   string
			entries []string
		}{{generators, k.Generators}, {transformers, k.Transformers}, {validators, k.Validators}} {
			for _, entry := range list.entries {
				if steps, err := b.stepsIn(k.dir, entry); err != nil || len(steps) > 0 {
					return cmp.Or(err, b.misplaced(k.dir, list.field, entry))
				}
			}
		}
	}
	return nil
}

// misplaced says which entry is in a place where goldenarch does not run it, and where it works.
func (b *build) misplaced(dir, field, entry string) error {
	name := fmt.Sprintf("the entry %q", entry)
	if IsInline(entry) {
		name = "an inline configuration"
	}
	where := b.shown(kustomizationIn(dir))
	why, do := errNotLast, fmt.Sprintf("list it last under transformers of %s", b.shown(kustomizationIn(b.root)))
	switch field {
	case validators:
		why = errValidates
	case generators:
		// With this layout every host has the same output: the files of spec.inputs are resources where the
		// generator is listed, and goldenarch is a transformer. Their names are values of a file.
		inputs := fmt.Sprintf("list the files of its spec.inputs under resources of %s, remove spec.inputs, ", where)
		if dir != b.root { // kustomize takes no file from outside of the directory
			inputs += fmt.Sprintf("move the configuration to %s, ", b.shown(b.root))
		}
		return fmt.Errorf("%s lists goldenarch under generators (%s), and %w; %sand %s", where, name, errGenerates, inputs, do)
	}
	return fmt.Errorf("%s lists goldenarch under %s (%s), %w; %s instead", where, field, name, why, do)
}

var (
	errNotLast   = errors.New("and the build continues after it: goldenarch runs after the build")
	errValidates = errors.New("where kustomize runs no function, whatever it does (kustomize#5036)")
	errGenerates = errors.New("goldenarch runs no generators itself")
)
