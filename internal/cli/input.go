package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/crpath"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/fleet"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/pathname"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/repo"
	"github.com/goldenarch/goldenarch/internal/transition"
)

// options say what a run reads, and how. They are the same for all clusters of a run, except for what belongs to one place.
type options struct {
	config  string // file with the configuration
	strict  bool
	literal bool     // protect what Flux would substitute
	nodes   []string // files with Nodes, for their facts only
	live    string   // file with the live CR
	facts   string   // file with the facts about the cluster of virtual machines
	imports bool     // read from that of the live CR how imports go
	crPaths crPaths  // places of CRs inside files
	fleet   string   // file with the Fleet
	// statesArchitectures says that the user states the architectures of workload nodes for the run.
	statesArchitectures bool
	// untrusted says whether the input may be a stranger's.
	untrusted untrusted
	as        asFlag
	// root is the directory that the run looks through for clusters; "" where it does not.
	root string
	// generators are the PolicyGenerators of the repository, for all inputs of a run.
	generators *repo.Generators

	environment
}

// environment is what a run has of the program around it.
type environment struct {
	in io.Reader // standard input
	// build builds a kustomization.
	build func(kustomization.Request) (kustomization.Built, error)
	// routes is used in place of [repo.RoutesIn], unless it is nil. Tests have one that looks
	// through this repository once.
	routes   func(root string, from manifest.IgnoreFrom) (repo.Routes, error)
	commands commands
}

// routesIn returns what applies the directories of a repository.
func (e environment) routesIn(root string, from manifest.IgnoreFrom) (repo.Routes, error) {
	if e.routes == nil {
		return repo.RoutesIn(root, from)
	}
	return e.routes(root, from)
}

// ofPlace returns the options to read one place of a repository.
func (o *options) ofPlace() *options {
	out := *o
	out.crPaths, out.fleet = nil, ""
	return &out
}

// newReader returns a reader for the paths of a verb.
func (o *options) newReader() *inputReader {
	return &inputReader{options: o, manifests: manifest.Reader{IgnoreFrom: o.untrusted.ignoreFrom()}, stdin: &bytes.Buffer{}}
}

// placeReader returns a reader for one place of a repository.
func (o *options) placeReader() *inputReader { return o.ofPlace().newReader() }

// giveFacts gives a function how strictly the run reads, and the facts of the nodes and of the live CR.
func (o *options) giveFacts(function *pipeline.Function) error {
	var err error
	function.Strict, o.generators = o.strict, &repo.Generators{}
	if function.Nodes, err = o.givenNodes(); err == nil {
		function.Live, err = o.givenLive()
	}
	return err
}

// readConfig reads the configuration in the file of --config; nil without the flag.
func (o *options) readConfig() (*yaml.RNode, error) {
	if o.config == "" {
		return nil, nil
	}
	items, err := manifest.ReadFile(o.config)
	if err != nil {
		return nil, fmt.Errorf("--config: %w", err)
	}
	if len(items) != 1 {
		return nil, fmt.Errorf("%s: has %d documents, expected one GoldenImages", o.config, len(items))
	}
	return items[0], nil
}

// givenLive reads the file of --live; nil without the flag. "-" is standard input.
func (o *options) givenLive() ([]*yaml.RNode, error) {
	if o.live == "" {
		return nil, nil
	}
	items, err := o.readFacts(o.live, func(item *yaml.RNode) bool {
		return mayHoldCR(item) || o.imports && transition.ShowsImports(object.Ref(item).Kind)
	})
	if err != nil {
		return nil, fmt.Errorf("--live: %w", err)
	}
	if items == nil {
		items = []*yaml.RNode{}
	}
	return items, nil
}

// mayHoldCR reports whether an item is a HyperConverged or a list.
func mayHoldCR(item *yaml.RNode) bool {
	at := object.Ref(item)
	_, isList := object.ElementKind(at.Kind)
	return isList || hyperconverged.Is(at.APIVersion, at.Kind)
}

// givenNodes reads the files of --nodes; nil without the flag. It reads a directory
// recursively, and "-" is standard input.
func (o *options) givenNodes() ([]*yaml.RNode, error) {
	if len(o.nodes) == 0 {
		return nil, nil
	}
	items := []*yaml.RNode{}
	wrong := 0 // documents that hold no Nodes: a few of them are enough for an error
	for _, path := range o.nodes {
		read, err := o.readFacts(path, func(item *yaml.RNode) bool { return mayHoldNodes(item) || first(&wrong) })
		if err != nil {
			return nil, fmt.Errorf("--nodes: %w", err)
		}
		items = append(items, read...)
	}
	return items, nil
}

// mayHoldNodes reports whether an item is a Node or a list.
func mayHoldNodes(item *yaml.RNode) bool {
	at := object.Ref(item)
	_, isList := object.ElementKind(at.Kind)
	return isList || kinds.IsNode(at)
}

// first counts a call, and reports whether it is one of the first.
func first(calls *int) bool {
	*calls++
	return *calls <= 10
}

// givenFacts reads the file of --facts; nil without the flag. It may be a ConfigMap that
// publishes the facts, with them as a text.
func (o *options) givenFacts() ([]*yaml.RNode, error) {
	if o.facts == "" {
		return nil, nil
	}
	items, err := o.readFacts(o.facts, func(*yaml.RNode) bool { return true })
	if err != nil {
		return nil, fmt.Errorf("--facts: %w", err)
	}
	return withPublished(items), nil
}

// readFacts reads those items of a path that the run needs, because a dump of a cluster
// can have many other documents.
func (o *options) readFacts(path string, needed func(*yaml.RNode) bool) ([]*yaml.RNode, error) {
	reader := manifest.Reader{Needed: needed, Drop: true}
	if path == manifest.Stdin {
		return reader.Stream(o.in)
	}
	read, err := reader.Paths([]string{path})
	if err != nil {
		return nil, err
	}
	if len(read.Templated) > 0 {
		return nil, fmt.Errorf("%s: %w", read.Templated[0], manifest.ErrTemplated)
	}
	if len(read.Charts) > 0 {
		return nil, fmt.Errorf("%s: it is a Helm chart, and only helm can render it", read.Charts[0])
	}
	return read.Items, nil
}

// fleetOf returns the file of the Fleet for a directory, "" if there is none, and the file to
// read it from: that of the policy, if the input is untrusted. Without the flag, it is in the
// directory or above it, in the same Git repository.
func (o *options) fleetOf(root string) (file, from string) {
	if o.fleet != "" {
		return o.trusted(o.fleet)
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
func (o *options) trusted(file string) (shown, from string) {
	if !o.untrusted.on || !o.untrusted.holds(file) {
		return file, file
	}
	if from = o.untrusted.inPolicy(file); from == "" {
		return "", ""
	}
	return file, from
}

// readFleet reads the Fleet for a directory, nil if there is none.
func (o *options) readFleet(root string) (*fleet.Fleet, finding.List) {
	file, from := o.fleetOf(root)
	if file == "" {
		return nil, nil
	}
	return fleet.ReadFor(from, filepath.Dir(file))
}

// statesFleet reports whether the user has a Fleet for the path, and returns the path.
func (o *options) statesFleet(paths []string) (string, bool, error) {
	root, is := oneDirectory(paths)
	switch {
	case o.fleet != "" && len(o.crPaths) > 0:
		return "", false, misuse{err: errors.New("--fleet is for the clusters of a directory, and --cr-path for the CR of one: leave out one of them")}
	case len(o.crPaths) > 0:
		return "", false, nil
	case o.fleet != "" && !is:
		return "", false, misuse{err: errors.New("--fleet is for one directory: name the directory of the repository, or of one cluster")}
	case o.fleet != "":
		return root, true, nil
	}
	file, _ := o.fleetOf(root)
	return root, is && file != "", nil
}

// withFilesOfFleet returns paths, and the files of the CRs that the Fleet states, and no flag.
func (o *options) withFilesOfFleet(paths []string) []string {
	out := slices.Clone(paths)
	for _, place := range o.crPaths {
		if !slices.Contains(o.commands.words("fix"), place.Text) && !slices.Contains(out, place.File) {
			out = append(out, place.File)
		}
	}
	return out
}

// firstPath returns the first of the paths, which stands for the input.
func (o *options) firstPath(paths []string) string {
	return slices.Concat(o.crPaths.files(paths), []string{"."})[0]
}

// chartOf returns the directory of the Helm chart that a file is a template of, "" for none.
func chartOf(file string) string {
	dir := filepath.Dir(filepath.FromSlash(file))
	whole, err := filepath.Abs(dir)
	for err == nil {
		if pathname.Exists(filepath.Join(dir, manifest.ChartFile)) {
			return filepath.ToSlash(dir)
		}
		if whole == filepath.Dir(whole) {
			break
		}
		dir, whole = filepath.Join(dir, ".."), filepath.Dir(whole)
	}
	return ""
}

func (o *options) templated(file string) finding.Finding {
	f := finding.Finding{
		ID: finding.Templated, Severity: finding.Warning, Object: finding.Object{File: file},
		Text: "the file is a template, so goldenarch skipped it", Do: "pass what its own program renders: PROGRAM | " + o.commands.fromStdin() + " -",
	}
	if chart := chartOf(file); chart != "" {
		f.Do = "pass what helm renders: " + o.helmCommand(chart, repo.ChartUse{})
	}
	if o.strict {
		f.Severity, f.Text = finding.Error, "the file is a template"
	}
	return f
}

// chart reports a Helm chart, which goldenarch skips. It is an error if a path names
// only charts.
func (o *options) chart(dir, path string) finding.Finding {
	f := finding.Finding{
		ID: finding.Templated, Severity: finding.Warning, Object: finding.Object{File: filepath.ToSlash(dir)},
		Text: "the directory is a Helm chart, so goldenarch skips it: only helm can render it",
		Do:   "pass what helm renders: " + o.helmCommand(filepath.ToSlash(dir), repo.ChartUse{}),
	}
	if given := filepath.Clean(path); o.strict || given == filepath.Clean(dir) || given == filepath.Join(dir, manifest.ChartFile) {
		f.Severity, f.Text = finding.Error, "a Helm chart: only helm can render it"
	}
	return f
}

// crPaths are the places of CRs that are a part of a file.
type crPaths []crpath.Place

// add adds a place, unless it is there.
func (c *crPaths) add(place crpath.Place) {
	if c.at(place) == nil {
		*c = append(*c, place)
	}
}

// at returns the place that has the steps of another one in the same file; nil if there is none.
func (c *crPaths) at(place crpath.Place) *crpath.Place {
	for i, p := range *c {
		if slices.Equal(p.Steps, place.Steps) && (p.File == place.File || same(p.File, place.File)) {
			return &(*c)[i]
		}
	}
	return nil
}

// files returns paths and the files of the places.
func (c *crPaths) files(paths []string) []string {
	out := slices.Clone(paths)
	for _, place := range *c {
		if !slices.Contains(out, place.File) {
			out = append(out, place.File)
		}
	}
	return out
}

// pathsOr returns the paths. Without any they are the current directory, or with --cr-path
// none.
func (c *crPaths) pathsOr(paths []string) []string {
	if len(paths) == 0 && len(*c) == 0 {
		return []string{"."}
	}
	return paths
}

// misuse is an error in how goldenarch was called.
type misuse struct{ err error }

// Error returns the text of the error.
func (m misuse) Error() string { return m.err.Error() }

// Unwrap returns the error.
func (m misuse) Unwrap() error { return m.err }
