package kustomization

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/pattern"
	"github.com/goldenarch/goldenarch/internal/regular"
)

// Find returns the first wanted object among those that the kustomization of a directory
// lists, directly or through other directories. It returns nil if there is no such object.
// It builds and fetches nothing, because the directory may not be trusted. It ignores
// files that it cannot read. It returns an error if there are too many files for a
// repository.
func Find(dir string, wanted func(*yaml.RNode) bool) (*yaml.RNode, error) {
	files := newDisk()
	f := finder{build: build{FileSystem: files, notes: files, given: dir}, wanted: wanted, visited: map[string]bool{}}
	dir = filepath.Clean(dir)
	if _, _, err := f.visit(dir); err != nil {
		return nil, nil //nolint:nilerr // the directory cannot be read
	}
	found := f.directory(dir, 0)
	if why := cmp.Or(f.stopped, files.refused); found == nil && why != nil {
		return nil, fmt.Errorf("look through the kustomization in %s: %w", dir, why)
	}
	return found, nil
}

type finder struct {
	build

	wanted  func(*yaml.RNode) bool
	visited map[string]bool // files and directories, without links
	entries int
	stopped error
}

const (
	// maxEntries is how many files and directories Find reads.
	maxEntries = 10_000
	// maxSteps is how long a chain of references between directories may be.
	maxSteps = 100
)

var (
	errEntries = fmt.Errorf("it refers to more than %d files and directories", maxEntries)
	errSteps   = fmt.Errorf("directories refer to each other in more than %d steps", maxSteps)
	errVisited = errors.New("it was visited before")
)

// visit returns a file or directory without links, if Find has not visited it before.
func (f *finder) visit(path string) (filesys.ConfirmedDir, string, error) {
	if f.entries++; f.entries > maxEntries {
		f.stopped = errEntries
	}
	if f.stopped != nil {
		return "", "", f.stopped
	}
	dir, file, err := f.FileSystem.CleanedAbs(path)
	if err != nil {
		return "", "", err
	}
	target := dir.Join(file)
	if f.visited[target] {
		return "", "", errVisited
	}
	f.visited[target] = true
	return dir, file, nil
}

func (f *finder) directory(dir string, steps int) *yaml.RNode {
	if steps > maxSteps {
		f.stopped = errSteps
		return nil
	}
	k, ok := f.load(dir)
	if !ok {
		return nil
	}
	k.FixKustomization() // bases are resources
	for _, entry := range slices.Concat(k.Transformers, k.Generators, k.Validators) {
		if !isInline(entry) {
			continue
		}
		if found := f.first(manifest.Parse(filepath.Join(dir, "kustomization.yaml"), []byte(entry))); found != nil {
			return found
		}
	}
	for _, entry := range slices.Concat(k.Transformers, k.Generators, k.Validators, k.Resources, k.Components) {
		if found := f.path(dir, entry, steps); found != nil {
			return found
		}
	}
	return nil
}

// path searches a file or a directory. kustomize refuses a file that is not below its
// directory, with links resolved or not (api loader/loadrestrictions.go).
func (f *finder) path(dir, entry string, steps int) *yaml.RNode {
	if isInline(entry) || isRemote(entry) || filepath.IsAbs(entry) {
		return nil
	}
	path := filepath.Join(dir, entry)
	below, file, err := f.visit(path)
	if err != nil {
		return nil
	}
	if file == "" {
		return f.directory(path, steps+1)
	}
	if !f.below(dir, below) {
		return nil
	}
	data, err := f.FileSystem.ReadFile(path)
	if err != nil {
		return nil
	}
	return f.first(manifest.Parse(filepath.ToSlash(path), data))
}

// below reports whether the directory of a file is another directory or below it. It
// resolves the links of both.
func (b *build) below(dir string, of filesys.ConfirmedDir) bool {
	root, err := filesys.ConfirmDir(b.FileSystem, dir)
	return err == nil && of.HasPrefix(root)
}

func (f *finder) first(items []*yaml.RNode, err error) *yaml.RNode {
	if at := slices.IndexFunc(items, f.wanted); err == nil && at >= 0 {
		return items[at]
	}
	return nil
}

// In reports whether a path is a directory that has a kustomization.
func In(path string) bool {
	return slices.ContainsFunc(konfig.RecognizedKustomizationFileNames(), func(name string) bool {
		info, err := os.Stat(filepath.Join(path, name))
		return err == nil && !info.IsDir()
	})
}

// CleanedAbs implements [filesys.FileSystem]. kustomize calls it before it reads a file. A
// kustomization may be a link to a file with another name.
func (b *build) CleanedAbs(path string) (filesys.ConfirmedDir, string, error) {
	if dir, file, is := b.inVirtual(path); is {
		return dir, file, nil
	}
	dir, file, err := b.FileSystem.CleanedAbs(path)
	if err == nil && file != "" && slices.Contains(konfig.RecognizedKustomizationFileNames(), filepath.Base(path)) {
		b.places[dir.Join(file)] = filepath.Dir(path)
	}
	return dir, file, err
}

// ReadFile implements [filesys.FileSystem]. It changes each kustomization as the method
// seen does, before kustomize gets it.
func (b *build) ReadFile(path string) ([]byte, error) {
	if text, is := b.virtual[path]; is {
		b.notes.bytesRead.Add(int64(len(text)))
		return text, nil
	}
	data, err := b.portionOf(path)
	if err != nil {
		return nil, err
	}
	dir, is := b.places[path]
	if is {
		if err = b.notes.again(path); err == nil {
			data, err = b.seen(dir, data)
		}
	} else {
		err = b.refusePlugin(path, data)
	}
	if err != nil && b.refused == nil {
		b.refused = err
	}
	return data, err
}

// decode reads a kustomization as kustomize does, which accepts field names in any case.
// It reports false for a kustomization that kustomize refuses.
func decode(data []byte) (types.Kustomization, bool) {
	var k types.Kustomization
	err := k.Unmarshal(data)
	return k, err == nil
}

// fields returns the fields of a kustomization that are set, by their correct names.
func fields(k types.Kustomization) (map[string]any, error) {
	data, err := json.Marshal(k)
	if err != nil {
		return nil, fmt.Errorf("encode the kustomization: %w", err)
	}
	var out map[string]any
	if err := json.Unmarshal(data, &out); err != nil {
		return nil, fmt.Errorf("encode the kustomization: %w", err)
	}
	return out, nil
}

// load reads the kustomization of a directory. It reports false unless there is exactly
// one.
func (b *build) load(dir string) (types.Kustomization, bool) {
	var out types.Kustomization
	found := 0
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		path := filepath.Join(dir, name)
		if at, file, err := b.FileSystem.CleanedAbs(path); err != nil || file == "" || !b.below(dir, at) {
			continue // kustomize refuses a link that leads elsewhere
		}
		data, err := b.FileSystem.ReadFile(path)
		if err != nil {
			continue
		}
		k, ok := decode(data)
		if !ok {
			return k, false
		}
		out = k
		found++
	}
	return out, found == 1
}

// References is what a kustomization refers to. Nothing is built to find it.
type References struct {
	// Data is the text of its file.
	Data []byte
	// Broken says that kustomize cannot read it, or that the directory has two, and Why says
	// what is wrong with it.
	Broken bool
	Why    string
	// Local are the files and directories that it names and objects come from, absolute and
	// without links.
	Local []string
	// Remote is the first entry that kustomize would fetch, or "".
	Remote string
	// Component says that it is a component, which is a part of other kustomizations.
	Component bool
	// Charts says that it inflates Helm charts.
	Charts bool
	// Generators are the files of its generators, absolute and without links.
	Generators []string
}

// ReferencesOf reads the kustomization of a directory.
func ReferencesOf(dir string) References {
	broken := func(why string) References { return References{Broken: true, Why: why} }
	dir, err := filepath.Abs(dir)
	if err != nil {
		return broken(err.Error())
	}
	file := kustomizationFile(dir)
	if file == "" {
		return broken("the directory has two kustomizations, or its kustomization is a link to nowhere")
	}
	data, err := regular.Read(file)
	if err != nil {
		return broken(err.Error())
	}
	out := References{Data: data}
	var k types.Kustomization
	if err := k.Unmarshal(data); err != nil {
		out.Broken, out.Why = true, err.Error()
		return out
	}
	out.Component = k.Kind == types.ComponentKind
	out.Charts = len(k.HelmCharts) > 0 || len(k.HelmChartInflationGenerator) > 0
	if set, err := fields(k); err == nil {
		out.Remote = remoteEntry(set)
	}
	out.Local = located(filepath.Dir(file), entriesOf(k).sources)
	out.Generators = located(filepath.Dir(file), k.Generators)
	return out
}

// located returns the files and directories of entries. An entry that names none is left
// out.
func located(dir string, entries []string) []string {
	var out []string
	for _, entry := range entries {
		if entry == "" || isInline(entry) || isRemote(entry) {
			continue
		}
		if path, err := filepath.EvalSymlinks(filepath.Join(dir, entry)); err == nil {
			out = append(out, path)
		}
	}
	return out
}

// entries are what a kustomization names.
type entries struct {
	// sources are the files and directories that objects, or parts of them, come from.
	sources []string
	// others are files with no object of the build. An edit of one changes what the
	// kustomization builds.
	others []string
}

// entriesOf is the only list of the fields of a kustomization that name files.
func entriesOf(k types.Kustomization) entries {
	var out entries
	//nolint:staticcheck // older kustomizations have bases
	out.sources = slices.Concat(k.Resources, k.Bases, k.Components, k.Generators, k.Transformers, k.Validators)
	for _, patch := range slices.Concat(k.Patches, k.PatchesJson6902) { //nolint:staticcheck // and such patches
		out.sources = append(out.sources, patch.Path)
	}
	for _, patch := range k.PatchesStrategicMerge { //nolint:staticcheck // as above
		out.sources = append(out.sources, string(patch))
	}
	for _, replacement := range k.Replacements {
		out.sources = append(out.sources, replacement.Path)
	}
	out.others = append(slices.Concat(k.Crds, k.Configurations), k.OpenAPI["path"])
	for _, file := range generatedFrom(k) {
		out.others = append(out.others, file.path)
	}
	for _, chart := range k.HelmCharts {
		out.others = append(append(out.others, chart.AdditionalValuesFiles...), chart.ValuesFile)
	}
	for _, chart := range k.HelmChartInflationGenerator {
		out.others = append(out.others, chart.Values)
	}
	return out
}

// generatedFrom returns the files from which a kustomization generates ConfigMaps and
// Secrets, as it names them.
func generatedFrom(k types.Kustomization) []source {
	var out []source
	for _, generator := range slices.Concat(k.ConfigMapGenerator, secretsAsMaps(k.SecretGenerator)) {
		for _, file := range slices.Concat(generator.FileSources, generator.EnvSources, []string{generator.EnvSource}) {
			key, path, has := strings.Cut(file, "=")
			if !has {
				key, path = filepath.Base(file), file
			}
			out = append(out, source{path: path, key: key})
		}
	}
	return out
}

const (
	localConfig = "config.kubernetes.io/local-config"
	// wasLocal represents the local-config annotation inside kustomize, which drops local
	// configuration at the end of a build (kustomize target/kusttarget.go). A transformer
	// sees local configuration, so goldenarch must see it, too: node facts and locks are
	// local configuration.
	wasLocal = "internal.goldenarch.dev/local-config"
)

// keepLocalName is the name of keepLocal. It never appears in the output.
const keepLocalName = "goldenarch-local-config"

// keepLocal is the transformer that replaces goldenarch as the last one in the
// kustomization. A value of "false" has no effect, and all other values have the same. A
// JSON patch that moves the annotation would do the same, and encode each object twice.
const keepLocal = `apiVersion: builtin
kind: ReplacementTransformer
metadata: {name: ` + keepLocalName + `}
replacements:
- sourceValue: "true"
  targets:
  - select: {annotationSelector: "config.kubernetes.io/local-config,config.kubernetes.io/local-config!=false"}
    fieldPaths: ["metadata.annotations.[internal.goldenarch.dev/local-config]"]
    options: {create: true}
- sourceValue: "false"
  targets:
  - select: {annotationSelector: internal.goldenarch.dev/local-config}
    fieldPaths: ["metadata.annotations.[config.kubernetes.io/local-config]"]
    options: {create: true}
`

// knownPlaces are the messages in which kustomize prints content of files (kustomize api,
// v0.21.2), with their replacements.
var knownPlaces = []struct {
	at      func() *regexp.Regexp
	instead string
}{
	// internal/target/kusttarget.go: configureBuiltinPlugin
	{pattern.Of("(?s) with config: `\n.*\n`"), ""},
	// internal/builtins/PatchTransformer.go
	{pattern.Of(`(?s)\[patch: .*\]`), inline},
	{pattern.Of(`(?s)(must specify one of patch and path|patch and path can't be set at the same time)(?: in)?\n.*`), "$1"},
	// internal/builtins/PatchJson6902Transformer.go
	{pattern.Of(`(?s)(must specify a target for patch) .*`), "$1"},
	{pattern.Of(`(?s)\bdecoding \S.*: `), "decoding " + inline + ": "},
	// kv/kv.go
	{pattern.Of(`(?s)(literal sources) \[.*\]: `), "$1: "},
	{pattern.Of(`(?s)invalid literal source .*, expected key=value`), "a literal is not of the form key=value"},
	{pattern.Of(`(?s)line .* has invalid utf8 bytes : .*`), "a line is not UTF-8"},
	// filters/replacement/replacement.go
	{pattern.Of(`(?s)(options\.index -?\d+ is out of bounds) for value .*`), "$1"},
	// filters/refvar/refvar.go
	{pattern.Of(`(?s)(invalid map key): .*`), "$1"},
	// internal/target/kusttarget.go: a generator as Go prints it, with addresses
	{pattern.Of(`(?s)generator &\{.*\}: `), "a generator: "},
	// resmap/reswrangler.go: an id as Go prints it
	{pattern.Of(`id resid\.ResId\{Gvk:resid\.Gvk\{[^}]*Kind:"([^"]*)"[^}]*\}, Name:"([^"]*)", Namespace:"[^"]*"\}`), `$1 "$2"`},
	// the YAML and JSON readers
	{pattern.Of(`(?s)unknown anchor '.*' referenced`), "an alias has no anchor"},
	{pattern.Of(`(?s)cannot unmarshal (!!\w+) .*? into`), "cannot unmarshal $1 into"},
	{pattern.Of(`(?s)(strconv\.\w+): parsing ".*": `), "$1: "},
}
