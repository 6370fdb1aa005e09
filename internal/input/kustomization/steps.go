package kustomization

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/fieldpath"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// Field is the list of a kustomization that names a step.
type Field string

// The lists whose functions kustomize runs.
const (
	Generators   Field = "generators"
	Transformers Field = "transformers"
	Validators   Field = "validators"
)

// Step is one configuration of goldenarch that a kustomization lists. kustomize runs each
// of them by itself. A Step is plain data.
type Step struct {
	Field Field
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
	// Key names a generator within a build.
	Key string
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
	return &resource.Origin{ConfiguredIn: s.ConfiguredIn, ConfiguredBy: yaml.ResourceIdentifier{
		TypeMeta: yaml.TypeMeta{APIVersion: config.GetApiVersion(), Kind: config.GetKind()},
		NameMeta: yaml.NameMeta{Name: config.GetName(), Namespace: config.GetNamespace()},
	}}, nil
}

// Emits returns the file that the items name which a generator emits, in a directory as the
// user named it.
func (s Step) Emits(dir string) string { return filepath.ToSlash(filepath.Join(dir, s.ConfiguredIn)) }

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

// findSteps finds the steps that end the build: those after which kustomize changes
// nothing. The library builds without them, and goldenarch then runs them in their order,
// with the same result as inside kustomize.
func (b *build) findSteps() error {
	_, err := b.last(b.root)
	return err
}

// last puts the steps at the end of a directory before those that are known. It reports
// whether what is built before the directory is still unchanged when these steps run.
func (b *build) last(dir string) (bool, error) {
	k, ok := b.load(dir)
	if _, visited := b.kept[dir]; visited || !ok {
		return false, nil // kustomize says what is wrong
	}
	validating, others, err := b.listed(dir, Validators, k.Validators)
	if err != nil {
		return false, err
	}
	before := b.before(dir, k.Transformers)
	transforming, _, err := b.listed(dir, Transformers, inKustomizeOrder(k.Transformers)[before:])
	if err != nil {
		return false, err
	}
	if err := b.refuseTwice(dir, validating); err != nil {
		return false, err
	}
	if err := b.refuseTwice(dir, transforming); err != nil {
		return false, err
	}
	b.steps = slices.Concat(transforming, validating, b.steps)
	b.kept[dir] = kept{inKustomizeOrder(k.Transformers)[:before], others}
	if before > 0 || has(k, func(field string) bool { return !slices.Contains(constant, field) }) {
		return false, nil
	}
	for _, entry := range slices.Backward(k.Components) {
		if more, err := b.last(filepath.Join(dir, entry)); err != nil || !more {
			return false, err
		}
	}
	return !has(k, func(field string) bool { return slices.Contains(adding, field) }), nil
}

// kept are the transformers and validators of a directory that kustomize's library runs.
type kept struct{ transformers, validators []string }

// inKustomizeOrder returns the entries of a list in the order in which kustomize runs them:
// inline objects first (kustomize target/kusttarget.go: configureExternalTransformers).
func inKustomizeOrder(entries []string) []string {
	out := slices.DeleteFunc(slices.Clone(entries), func(entry string) bool { return !isInline(entry) })
	return append(out, slices.DeleteFunc(slices.Clone(entries), isInline)...)
}

// before returns the number of transformers before the final ones that run goldenarch.
func (b *build) before(dir string, transformers []string) int {
	list := inKustomizeOrder(transformers)
	n := len(list)
	for n > 0 {
		configs, err := b.configurations(dir, list[n-1])
		if err == nil && len(configs) == 0 {
			break
		}
		n--
	}
	return n
}

// listed returns the steps in the entries of a list, and the other entries.
func (b *build) listed(dir string, field Field, entries []string) ([]Step, []string, error) {
	var out []Step
	var others []string
	for _, entry := range inKustomizeOrder(entries) {
		steps, err := b.stepsIn(dir, field, entry)
		if err != nil {
			return nil, nil, err
		}
		if len(steps) == 0 {
			others = append(others, entry)
		}
		out = append(out, steps...)
	}
	return out, others, nil
}

// stepsIn returns the steps in an entry of a list.
func (b *build) stepsIn(dir string, field Field, entry string) ([]Step, error) {
	configs, err := b.configurations(dir, entry)
	if err != nil {
		return nil, err
	}
	out := make([]Step, len(configs))
	for i, config := range configs {
		file, _ := object.Place(config)
		out[i] = Step{Field: field, File: file, Index: i, Dir: dir, ConfiguredIn: b.originOf(dir, entry, config)}
		switch _, built := b.files[config]; {
		case built:
			text, err := config.String()
			if err != nil {
				return nil, fmt.Errorf("encode the configuration in %s: %w", file, err)
			}
			out[i].Text, out[i].Index = []byte(text), 0
		case isInline(entry):
			out[i].Text = []byte(entry)
		default:
			if out[i].Text, err = b.FileSystem.ReadFile(filepath.Join(dir, entry)); err != nil {
				return nil, err
			}
			out[i].Lines = true
		}
	}
	return out, nil
}

// refuseTwice fails if two steps of a list have the same name, as kustomize does.
func (b *build) refuseTwice(dir string, steps []Step) error {
	seen := map[string]bool{}
	for _, step := range steps {
		config, err := step.Config()
		if err != nil {
			return err
		}
		id := config.GetApiVersion() + " " + config.GetKind() + " " + config.GetNamespace() + " " + config.GetName()
		if seen[id] {
			return fmt.Errorf("the kustomization in %s lists the %s %q twice under %s: give each configuration a name of its own",
				b.shown(dir), config.GetKind(), config.GetName(), step.Field)
		}
		seen[id] = true
	}
	return nil
}

// refuseMisplaced fails if a kustomization lists goldenarch where other steps of the build
// follow it.
func (b *build) refuseMisplaced(dir string, k types.Kustomization) error {
	transformers, validators := k.Transformers, k.Validators
	if kept, is := b.kept[dir]; is {
		transformers, validators = kept.transformers, kept.validators
	}
	for _, list := range []struct {
		field   Field
		entries []string
	}{{Transformers, transformers}, {Validators, validators}} {
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

// misplaced says which entry is in a place after which kustomize still changes resources,
// and where it works.
func (b *build) misplaced(dir string, field Field, entry string) error {
	name := fmt.Sprintf("the entry %q", entry)
	if isInline(entry) {
		name = "an inline configuration"
	}
	where := b.shown(b.kustomizationIn(dir))
	if field == Generators {
		return fmt.Errorf("%s lists goldenarch under generators (%s), and %w; %s", where, name, errGenerates, b.insteadOfGenerator(dir, where))
	}
	return fmt.Errorf("%s lists goldenarch under %s (%s), and the build continues after it: %w; "+
		"list it last under transformers of %s instead", where, field, name, errNotLast, b.shown(b.kustomizationIn(b.root)))
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
		where, move, b.shown(b.kustomizationIn(b.root)))
}

// again says that the build takes a directory more than once. Its steps cannot be the last
// ones in all these places.
func (b *build) again(dir string) error {
	list := b.kept[dir]
	k, _ := b.load(dir)
	if own := inKustomizeOrder(k.Transformers)[len(list.transformers):]; len(own) > 0 {
		return b.misplaced(dir, Transformers, own[0])
	}
	own := slices.DeleteFunc(slices.Clone(k.Validators), func(entry string) bool { return slices.Contains(list.validators, entry) })
	if len(own) > 0 {
		return b.misplaced(dir, Validators, own[0])
	}
	return nil
}

var (
	errNotLast   = errors.New("goldenarch runs after the build")
	errGenerates = errors.New("this command runs no generators")
)

// kustomizationIn returns the file of the kustomization in a directory, or the directory if
// it has none.
func (b *build) kustomizationIn(dir string) string {
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		if b.Exists(filepath.Join(dir, name)) {
			return filepath.Join(dir, name)
		}
	}
	return dir
}

// step is a step of a field's path in a built object.
type step struct {
	key     string
	element bool
	name    string // of the element, "" if it has none
}

// stepsTo returns the steps to a field, and the values on the way. It stops where the
// object has no such field.
func stepsTo(n *yaml.Node, field string) ([]step, []*yaml.Node) {
	var steps []step
	values := []*yaml.Node{n}
	for _, key := range fieldpath.Steps(field) {
		next, _ := yamlnode.Child(n, key)
		if next == nil {
			break
		}
		s := step{key: key, element: n.Kind == yaml.SequenceNode}
		if s.element {
			s.name = nodeName(next)
		}
		n = next
		steps, values = append(steps, s), append(values, n)
	}
	return steps, values
}

// top returns the value that a fragment sets: of an operation, the one that it has now.
func (x fragment) top() *yaml.Node {
	if x.operation != nil {
		return yamlnode.NonNull(yamlnode.Value(x.operation, "value"))
	}
	return x.node
}

// covers reports whether a fragment can set the value at a path: an operation of a JSON
// patch sets the value at its own path. It returns the rest of the path inside of that.
func (x fragment) covers(path []step) ([]step, bool) {
	if len(x.at) > len(path) {
		return nil, false
	}
	for i, key := range x.at {
		switch s := path[i]; {
		case s.element && i == len(x.at)-1 && s.name != "":
			// The index may be "-", or be another one after later operations.
			if nodeName(x.top()) != s.name {
				return nil, false
			}
		case key != s.key:
			return nil, false
		}
	}
	return path[len(x.at):], true
}

// isBelow reports whether an operation sets a value below a path.
func (x fragment) isBelow(path []step) bool {
	if len(x.at) <= len(path) {
		return false
	}
	for i, step := range path {
		if x.at[i] != step.key {
			return false
		}
	}
	return true
}

// value returns the value that a fragment sets at a path, and its line; nil if it sets
// none.
func (x fragment) value(steps []step) (*yaml.Node, int) {
	rest, covers := x.covers(steps)
	if !covers {
		return nil, 0
	}
	n, line := x.node, x.line(x.node)
	for _, s := range rest {
		next, at := s.from(n)
		if next == nil {
			return nil, 0
		}
		n = yamlnode.Dealias(next)
		line = x.line(at)
	}
	return n, line
}

// mapping says whether holder makes the mapping of a key.
type mapping int

const (
	existing mapping = iota
	made
)

// holder returns the mapping of a fragment that has, or can have, the last key of a path,
// and that key; nil if the fragment does not set the mapping.
func (x fragment) holder(path []step, m mapping) (*yaml.Node, string) {
	rest, covers := x.covers(path)
	if !covers {
		return nil, ""
	}
	if len(rest) == 0 {
		return x.operation, "value"
	}
	top := x.top()
	last := rest[len(rest)-1]
	if top == nil || last.element {
		return nil, ""
	}
	if m == made {
		return mappingAt(top, rest[:len(rest)-1]), last.key
	}
	if n := lookup(top, rest[:len(rest)-1]); n != nil && n.Kind == yaml.MappingNode {
		return n, last.key
	}
	return nil, ""
}

// from returns the value that a step leads to, and the node with its line: the key of a
// field, or the element.
func (s step) from(n *yaml.Node) (value, at *yaml.Node) {
	if n.Kind == yaml.SequenceNode && s.element && s.name != "" {
		for _, element := range n.Content {
			if nodeName(yamlnode.Dealias(element)) == s.name {
				return element, element
			}
		}
		return nil, nil
	}
	value, line := yamlnode.Child(n, s.key)
	return value, &yaml.Node{Line: line}
}

func withKey(path []step, key string) []step {
	return append(slices.Clip(path), step{key: key})
}

func withElement(path []step, i int, name string) []step {
	return append(slices.Clip(path), step{key: strconv.Itoa(i), element: true, name: name})
}

// shownPath returns a path as findings name a field.
func shownPath(path []step) string {
	var out strings.Builder
	for i, step := range path {
		switch {
		case step.element:
			out.WriteString("[" + step.key + "]")
		case i > 0:
			out.WriteString("." + step.key)
		default:
			out.WriteString(step.key)
		}
	}
	return out.String()
}

// in returns the value at a step; nil if the node has none. It finds an element by its
// name, because patches change the order.
func (s step) in(n *yaml.Node) *yaml.Node {
	if !s.element {
		return yamlnode.NonNull(yamlnode.Value(n, s.key))
	}
	if n.Kind == yaml.SequenceNode {
		for _, element := range n.Content {
			if nodeName(element) == s.name {
				return element
			}
		}
	}
	return nil
}

// lookup returns the value at a path; nil if the node has no such path.
func lookup(n *yaml.Node, path []step) *yaml.Node {
	for _, step := range path {
		if n == nil {
			return nil
		}
		n = step.in(n)
	}
	return n
}

// mappingAt returns the mapping at a path, and makes the mappings that are missing. It
// returns nil if an element of a list is missing, or something else is there.
func mappingAt(n *yaml.Node, path []step) *yaml.Node {
	for _, step := range path {
		if step.element {
			if n = step.in(n); n == nil {
				return nil
			}
			continue
		}
		if n.Kind != yaml.MappingNode {
			return nil
		}
		n = yamlnode.Mapping(n, step.key)
	}
	if n.Kind != yaml.MappingNode {
		return nil
	}
	return n
}
