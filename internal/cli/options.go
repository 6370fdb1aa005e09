package cli

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/crpath"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/fleet"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/repo"
	"github.com/goldenarch/goldenarch/internal/transition"
)

// inputOptions are the flags and streams of a verb that say what it reads. They are the same for
// all clusters of a run, except for what belongs to one place.
type inputOptions struct {
	streams Streams
	flags   configFlags
	config  string // file with the configuration
	strict  bool
	literal bool     // protect what Flux would substitute
	nodes   []string // files with Nodes, for their facts only
	live    string   // file with the live CR
	facts   string   // file with the facts about the cluster of virtual machines
	imports bool     // read from that file how imports go
	crPaths crPaths  // places of CRs inside files
	fleet   string   // file with the Fleet
	// byDirectory says that each directory with a CR is a cluster, as with a Fleet.
	byDirectory bool
	// whole says that the run has read the directory as one input, and aboutPods that this is about pods.
	whole, aboutPods bool
	// generators are the PolicyGenerators of the repository, for all inputs of a run.
	generators *repo.Generators
	// machinesStated says that flags state the cluster of virtual machines, where there is nothing else.
	machinesStated bool
	// machinesBesideCR says that virtual machines in no cluster are looked at, too.
	machinesBesideCR bool
	// root is the directory that the run looks through for clusters; "" where it does not.
	root string
	// untrusted says whether the input may be a stranger's.
	untrusted untrusted
	as        asFlag
}

// ofPlace returns the options to read one place of a repository.
func (o *inputOptions) ofPlace() *inputOptions {
	out := *o
	out.crPaths, out.fleet, out.byDirectory = nil, "", false
	return &out
}

// newReader returns a reader for the paths of a verb.
func (o *inputOptions) newReader() *inputReader {
	return &inputReader{inputOptions: o, manifests: manifest.Reader{IgnoreFrom: o.untrusted.ignoreFrom()}, stdin: &bytes.Buffer{}}
}

// placeReader returns a reader for one place of a repository.
func (o *inputOptions) placeReader() *inputReader { return o.ofPlace().newReader() }

// function returns the function of a run, with the facts of --nodes and --live.
func (o *inputOptions) function() (pipeline.Function, error) {
	function, err := o.flags.function()
	if err != nil {
		return function, err
	}
	function.Strict, o.generators = o.strict, &repo.Generators{}
	if function.Nodes, err = o.givenNodes(); err != nil {
		return function, err
	}
	function.Live, err = o.givenLive()
	return function, err
}

// addInput adds the flags for the configuration and its fields, for what the run reads beside its paths,
// for CRs that are a part of a file, and for how strictly the input is read.
func (o *inputOptions) addInput(cmd *cobra.Command) {
	o.flags.addSettings(cmd)
	o.flags.settings.addOwn(cmd, inputs)
	cmd.Flags().StringVar(&o.config, "config", "", "file with the GoldenImages configuration")
	cmd.Flags().Var(&o.crPaths, "cr-path", "place inside a file that has a CR, such as values.yaml#hyperconverged.cr, "+
		"or the spec of one, such as values.yaml#hyperconverged.spec@v1beta1 (may be repeated; without a PATH, only these files are read)")
	o.addStrict(cmd)
}

// addStrict adds the flag for how strictly the input is read.
func (o *inputOptions) addStrict(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.strict, "strict", false,
		"fail on a templated file, on a release newer than the newest verified one, and in check on a field that may be unknown (default: warn)")
}

// readConfig reads the configuration in the file of --config; nil without the flag.
func (o *inputOptions) readConfig() (*yaml.RNode, error) {
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

// addLive adds the flag for the live CR.
func (o *inputOptions) addLive(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.live, "live", "",
		"file with the cluster's HyperConverged, from 'oc get hyperconvergeds.v1beta1.hco.kubevirt.io -n openshift-cnv kubevirt-hyperconverged -o yaml'; "+
			"goldenarch reads the predefined templates, nodes, schedule and release from it")
}

// givenLive reads the file of --live; nil without the flag. "-" is standard input.
func (o *inputOptions) givenLive() ([]*yaml.RNode, error) {
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

// addCluster adds the flags that state the cluster: its release, the architectures of its nodes, and
// Nodes that goldenarch uses for their facts only.
func (o *inputOptions) addCluster(cmd *cobra.Command) {
	o.flags.settings.addOwn(cmd, release, workloadArchitectures, controlPlaneArchitectures)
	cmd.Flags().StringArrayVar(&o.nodes, "nodes", nil,
		"file with the cluster's Nodes, from 'kubectl get nodes -o yaml' (may be repeated)")
}

// givenNodes reads the files of --nodes; nil without the flag. It reads a directory
// recursively, and "-" is standard input.
func (o *inputOptions) givenNodes() ([]*yaml.RNode, error) {
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

// readFacts reads those items of a path that the run needs, because a dump of a cluster
// can have many other documents.
func (o *inputOptions) readFacts(path string, needed func(*yaml.RNode) bool) ([]*yaml.RNode, error) {
	reader := manifest.Reader{Needed: needed, Drop: true}
	if path == manifest.Stdin {
		return reader.Stream(o.streams.In)
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
func (o *inputOptions) fleetOf(root string) (file, from string) {
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
func (o *inputOptions) trusted(file string) (shown, from string) {
	if !o.untrusted.on || !o.untrusted.holds(file) {
		return file, file
	}
	if from = o.untrusted.inPolicy(file); from == "" {
		return "", ""
	}
	return file, from
}

// readFleet reads the Fleet for a directory, nil if there is none.
func (o *inputOptions) readFleet(root string) (*fleet.Fleet, finding.List) {
	file, from := o.fleetOf(root)
	if file == "" {
		return nil, nil
	}
	return fleet.ReadFor(from, filepath.Dir(file))
}

// statesFleet reports whether the user has a Fleet for the path, and returns the path.
func (o *inputOptions) statesFleet(paths []string) (string, bool, error) {
	root, is := oneDirectory(paths)
	switch {
	case o.fleet != "" && len(o.crPaths) > 0:
		return "", false, misuse{errors.New("--fleet is for the clusters of a directory, and --cr-path for the CR of one: leave out one of them")}
	case len(o.crPaths) > 0:
		return "", false, nil
	case o.fleet != "" && !is:
		return "", false, misuse{errors.New("--fleet is for one directory: name the directory of the repository, or of one cluster")}
	case o.fleet != "":
		return root, true, nil
	}
	file, _ := o.fleetOf(root)
	return root, is && file != "", nil
}

// verb returns the command that reads standard input, as a user writes it, without the "-".
// Verbs that edit files cannot write there, and lock needs the name of its file.
func (o *inputOptions) verb() string {
	if o.flags.command == nil {
		return "goldenarch render"
	}
	switch path := o.flags.command.CommandPath(); o.flags.command.Name() {
	case "fix", "customize", "init":
		return "goldenarch render"
	case "lock":
		return path + " --file " + lockFile
	default:
		return path
	}
}

// fixCommand returns the command that writes what a check of paths misses; "" if there is no
// file to write.
func (o *inputOptions) fixCommand(paths ...string) string {
	if slices.Contains(paths, manifest.Stdin) {
		return ""
	}
	var words []string
	for _, path := range o.crPaths.pathsOr(paths) {
		words = append(words, console.CommandPath(filepath.ToSlash(path)))
	}
	return o.flags.commandLine("fix", words...)
}

// withFilesOfFleet returns paths, and the files of the CRs that the Fleet states, and no flag.
func (o *inputOptions) withFilesOfFleet(paths []string) []string {
	out := slices.Clone(paths)
	for _, place := range o.crPaths {
		if !slices.Contains(o.flags.given["fix"], place.Text) && !slices.Contains(out, place.File) {
			out = append(out, place.File)
		}
	}
	return out
}

// firstPath returns the first of the paths, which stands for the input.
func (o *inputOptions) firstPath(paths []string) string {
	return slices.Concat(o.crPaths.files(paths), []string{"."})[0]
}

// crPaths is the flag for CRs that are a part of a file.
type crPaths []crpath.Place

// chartOf returns the directory of the Helm chart that a file is a template of, "" for none.
func chartOf(file string) string {
	dir := filepath.Dir(filepath.FromSlash(file))
	whole, err := filepath.Abs(dir)
	for err == nil {
		if files.Exists(filepath.Join(dir, manifest.ChartFile)) {
			return filepath.ToSlash(dir)
		}
		if whole == filepath.Dir(whole) {
			break
		}
		dir, whole = filepath.Join(dir, ".."), filepath.Dir(whole)
	}
	return ""
}

func (o *inputOptions) templated(file string) finding.Finding {
	f := finding.Finding{
		ID: finding.Templated, Severity: finding.Warning, Object: finding.Object{File: file},
		Text: "the file is a template, so goldenarch skipped it", Do: "pass what its own program renders: PROGRAM | " + o.verb() + " -",
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
func (o *inputOptions) chart(dir, path string) finding.Finding {
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

// Set implements pflag.Value.
func (c *crPaths) Set(text string) error {
	place, err := crpath.Parse(text)
	if err != nil {
		return err
	}
	if other := c.at(place); other != nil && other.Version != place.Version {
		return fmt.Errorf("%q: %q names the same place with another version: leave out one of them", text, other)
	}
	c.add(place)
	return nil
}

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

// String implements pflag.Value.
func (c *crPaths) String() string { return strings.Join(c.GetSlice(), ",") }

// GetSlice implements cobra.SliceValue.
func (c *crPaths) GetSlice() []string {
	var out []string
	for _, place := range *c {
		out = append(out, place.Text)
	}
	return out
}

// Type implements pflag.Value.
func (*crPaths) Type() string { return "place" }

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
