package workspace

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/transition"
	"github.com/goldenarch/goldenarch/internal/workspace/fleet"
	"github.com/goldenarch/goldenarch/internal/workspace/repo"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

// Options say what a run reads, and how. They are the same for all clusters of a run, except for what belongs to one place.
type Options struct {
	Config  string   // file with the configuration
	Strict  bool     // fail on what goldenarch does not know
	Literal bool     // protect what Flux would substitute
	Nodes   []string // files with Nodes, for their facts only
	Live    string   // file with the live CR
	Facts   string   // file with the facts about the cluster of virtual machines
	Imports bool     // read from that of the live CR how imports go
	CRPaths CRPaths  // places of CRs inside files
	Fleet   string   // file with the Fleet
	// StatesArchitectures says that the user states the architectures of workload nodes for the run.
	StatesArchitectures bool
	// Base is the commit that the input is a change of, and As says in which form it gets to the cluster.
	Base Base
	As   Delivery
	// root is the directory that the run looks through for clusters; "" where it does not.
	root string
	// generators are the PolicyGenerators of the repository, for all inputs of a run.
	generators *repo.Generators

	Environment
}

// Environment is what a run has of the program around it.
type Environment struct {
	In io.Reader // standard input
	// Build builds a kustomization.
	Build func(kustomize.Request) (kustomize.Built, error)
	// Routes is used in place of [repo.RoutesIn], unless it is nil. Tests have one that looks
	// through this repository once.
	Routes   func(root string, from manifest.IgnoreFrom) (repo.Routes, error)
	Commands Commands
}

// Here reads the current directory. The configurations that its kustomization lists come first.
func (o *Options) Here() ([]*yaml.RNode, finding.List) {
	in := o.newReader()
	items, found := in.read(nil)
	var listed []*yaml.RNode
	for _, step := range in.built.Steps {
		if config, err := step.Config(); err == nil {
			listed = append(listed, config)
		}
	}
	return append(listed, items...), found
}

// newReader returns a reader for the paths of a verb.
func (o *Options) newReader() *reader {
	return &reader{Options: o, manifests: manifest.Reader{IgnoreFrom: o.Base.ignoreFrom()}, stdin: &bytes.Buffer{}}
}

// GiveFacts gives a function how strictly the run reads, and the facts of the nodes and of the live CR.
func (o *Options) GiveFacts(function *engine.Function) error {
	function.Strict, o.generators = o.Strict, &repo.Generators{}
	others := 0 // documents that hold no Nodes: a few of them are enough for an error
	var err error
	if function.Nodes, err = o.readFacts("nodes", o.Nodes, func(at finding.Object) bool {
		if !kinds.IsNode(at) {
			others++
		}
		return kinds.IsNode(at) || others <= 10
	}); err == nil {
		function.Live, err = o.readFacts("live", []string{o.Live}, func(at finding.Object) bool {
			return hyperconverged.Is(at.APIVersion, at.Kind) || o.Imports && transition.ShowsImports(at.Kind)
		})
	}
	return err
}

// readConfig reads the configuration in the file of --config; nil without the flag.
func (o *Options) readConfig() (*yaml.RNode, error) {
	if o.Config == "" {
		return nil, nil
	}
	items, err := manifest.ReadFile(o.Config)
	if err != nil {
		return nil, fmt.Errorf("--config: %w", err)
	}
	if len(items) != 1 {
		return nil, fmt.Errorf("%s: has %d documents, expected one GoldenImages", o.Config, len(items))
	}
	return items[0], nil
}

// GivenFacts reads the file of --facts; nil without the flag. It may be a ConfigMap that
// publishes the facts, with them as a text.
func (o *Options) GivenFacts() ([]*yaml.RNode, error) {
	items, err := o.readFacts("facts", []string{o.Facts}, func(finding.Object) bool { return true })
	if items == nil {
		return nil, err
	}
	return withPublished(items), nil
}

// readFacts reads those objects of the files of a flag that the run needs, and lists; nil without a file. It reads a directory
// recursively, and "-" is standard input.
func (o *Options) readFacts(flag string, paths []string, needed func(finding.Object) bool) ([]*yaml.RNode, error) {
	var out []*yaml.RNode
	for _, path := range paths {
		if path == "" {
			continue
		}
		if out == nil {
			out = []*yaml.RNode{}
		}
		if err := o.eachFact(path, needed, func(item *yaml.RNode) { out = append(out, item) }); err != nil {
			return nil, fmt.Errorf("--%s: %w", flag, err)
		}
	}
	return out, nil
}

// eachFact passes on those objects of a path that the run needs, and lists, and keeps none: a dump of a cluster can have many other
// documents.
func (o *Options) eachFact(path string, needed func(finding.Object) bool, each func(*yaml.RNode)) error {
	reader := manifest.Reader{Each: each, Needed: func(item *yaml.RNode) bool {
		at := object.Ref(item)
		_, isList := object.ElementKind(at.Kind)
		return isList || needed(at)
	}}
	if path == manifest.Stdin {
		_, err := reader.Stream(o.In)
		return err
	}
	read, err := reader.Paths([]string{path})
	if err != nil {
		return err
	}
	if len(read.Templated) > 0 {
		return fmt.Errorf("%s: %w", read.Templated[0], manifest.ErrTemplated)
	}
	if len(read.Charts) > 0 {
		return fmt.Errorf("%s: it is a Helm chart, and only helm can render it", read.Charts[0])
	}
	return nil
}

// fleetOf returns the file of the Fleet for a directory, "" if there is none, and the file to
// read it from: that of the policy, if the input is untrusted. Without the flag, it is in the
// directory or above it, in the same Git repository.
func (o *Options) fleetOf(root string) (file, from string) {
	if o.Fleet != "" {
		return o.trusted(o.Fleet)
	}
	for _, dir := range directoriesAbove(root) {
		file, from = o.trusted(filepath.Join(dir, fleet.FileName))
		if from != "" && fleet.In(filepath.Dir(from)) {
			return file, from
		}
	}
	return "", ""
}

// trusted returns a file, and where to read it from: in the policy, if the input is
// untrusted. Both are "" if the policy does not have it.
func (o *Options) trusted(file string) (shown, from string) {
	if !o.Base.Untrusted || !o.Base.Holds(file) {
		return file, file
	}
	if from = o.Base.inPolicy(file); from == "" {
		return "", ""
	}
	return file, from
}

// readFleet reads the Fleet for a directory, nil if there is none.
func (o *Options) readFleet(root string) (*fleet.Fleet, finding.List) {
	file, from := o.fleetOf(root)
	if file == "" {
		return nil, nil
	}
	return fleet.ReadFor(from, filepath.Dir(file))
}

// withFilesOfFleet returns paths, and the files of the CRs that the Fleet states, and no flag.
func (o *Options) withFilesOfFleet(paths []string) []string {
	out := slices.Clone(paths)
	for _, place := range o.CRPaths {
		if !slices.Contains(o.Commands.words("fix"), place.Text) && !slices.Contains(out, place.File) {
			out = append(out, place.File)
		}
	}
	return out
}

// firstPath returns the first of the paths, which stands for the input.
func (o *Options) firstPath(paths []string) string {
	return slices.Concat(o.CRPaths.files(paths), []string{"."})[0]
}

func (o *Options) templated(file string) finding.Finding {
	f := finding.Finding{
		ID: finding.Templated, Severity: finding.Warning, Object: finding.Object{File: file},
		Text: "the file is a template, so goldenarch skipped it", Do: "pass what its own program renders: PROGRAM | " + o.Commands.fromStdin() + " -",
	}
	if chart := nearestDir(filepath.Dir(filepath.FromSlash(file)), isChart); chart != "" {
		f.Do = "pass what helm renders: " + o.helmCommand(filepath.ToSlash(chart), repo.ChartUse{})
	}
	if o.Strict {
		f.Severity, f.Text = finding.Error, "the file is a template"
	}
	return f
}

// chart reports a Helm chart, which goldenarch skips. It is an error if a path names
// only charts.
func (o *Options) chart(dir, path string) finding.Finding {
	f := finding.Finding{
		ID: finding.Templated, Severity: finding.Warning, Object: finding.Object{File: filepath.ToSlash(dir)},
		Text: "the directory is a Helm chart, so goldenarch skips it: only helm can render it",
		Do:   "pass what helm renders: " + o.helmCommand(filepath.ToSlash(dir), repo.ChartUse{}),
	}
	if given := filepath.Clean(path); o.Strict || given == filepath.Clean(dir) || given == filepath.Join(dir, manifest.ChartFile) {
		f.Severity, f.Text = finding.Error, "a Helm chart: only helm can render it"
	}
	return f
}

// CRPaths are the places of CRs that are a part of a file.
type CRPaths []fieldpath.Place

// Add adds a place, unless it is there.
func (c *CRPaths) Add(place fieldpath.Place) {
	if c.At(place) == nil {
		*c = append(*c, place)
	}
}

// At returns the place that has the steps of another one in the same file; nil if there is none.
func (c *CRPaths) At(place fieldpath.Place) *fieldpath.Place {
	for i, p := range *c {
		if slices.Equal(p.Steps, place.Steps) && (p.File == place.File || same(p.File, place.File)) {
			return &(*c)[i]
		}
	}
	return nil
}

// files returns paths and the files of the places.
func (c *CRPaths) files(paths []string) []string {
	out := slices.Clone(paths)
	for _, place := range *c {
		if !slices.Contains(out, place.File) {
			out = append(out, place.File)
		}
	}
	return out
}

// PathsOr returns the paths. Without any they are the current directory, or with --cr-path
// none.
func (c *CRPaths) PathsOr(paths []string) []string {
	if len(paths) == 0 && len(*c) == 0 {
		return []string{"."}
	}
	return paths
}

// Misuse is an error in how goldenarch was called.
type Misuse struct{ Err error }

// Error returns the text of the error.
func (m Misuse) Error() string { return m.Err.Error() }

// Unwrap returns the error.
func (m Misuse) Unwrap() error { return m.Err }
