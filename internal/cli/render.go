package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/crpath"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/flux"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/olm/catalog"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/sanitize"
	"github.com/goldenarch/goldenarch/internal/transition"
)

// render is the verb's flags and streams.
type render struct {
	streams  Streams
	flags    configFlags
	config   string
	strict   bool
	literal  bool
	findings string   // the file of --findings-file
	nodes    []string // files with Nodes, for their facts only
	live     string   // file with the live CR
	imports  bool     // read from that file how imports go
	crPaths  crPaths  // places of CRs inside files
	fleet    string   // file with the Fleet
	// byDirectory says that each directory with a CR is a cluster, as with a Fleet.
	byDirectory bool
	reader      manifest.Reader // of the paths
	warned      finding.List    // of the kustomizations read
	unlisted    []kustomization.Unlisted
	built       kustomization.Built // the kustomization read that lists goldenarch
	files       []string            // the paths that are files
	reported    string              // the findings so far
	builds      []kustomization.Built
	kept        keptPatches
	// generator runs a generator of a kustomization; nil runs none. generated has the findings
	// of those that have run, by their keys.
	generator func(step kustomization.Step, replaced *string) ([]byte, error)
	generated map[string]finding.List
	// build builds a kustomization; nil builds it as it is.
	build func(dir string) (kustomization.Built, error)
	// configured is the configuration of --config, once it is read.
	configured *yaml.RNode
	// untrusted says whether the input may be a stranger's.
	untrusted untrusted
	as        asFlag
	catalogs  []catalog.Catalog
	bundles   []bundle // the paths that are bundles of the Operator Lifecycle Manager
}

func newRender(streams Streams) *cobra.Command {
	r := &render{streams: streams}
	cmd := &cobra.Command{
		Use:   "render [PATH...]",
		Short: "Write the corrected manifests to standard output",
		Long: `Read YAML or JSON files, directories (recursively) or standard input (-). Correct
the HyperConverged CRs, and write all manifests for the cluster to standard output.
Without a PATH, render reads the current directory.

If a directory has a kustomization, render builds it as 'kustomize build' does. If
the kustomization lists goldenarch as its last transformer, that GoldenImages is the
configuration. render fails on other functions, plugins and remote bases: it runs
and fetches nothing.

render reads but does not write objects of goldenarch.dev, items with the annotation
config.kubernetes.io/local-config, and dumps of Nodes (with status, uid or
resourceVersion). It writes a Node that Git manages for its labels or taints.`,
		Example: `  goldenarch render overlays/prod --workload-architectures amd64,arm64
  helm template chart | goldenarch render - --config golden-images.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error { return r.alsoInFile(r.run(cmd.Context(), args)) },
	}
	r.flags.add(cmd)
	r.flags.addOffline(cmd)
	r.flags.addImages(cmd)
	r.addNodes(cmd)
	r.addLive(cmd)
	r.addCRPath(cmd)
	r.flags.registry.addRecord(cmd)
	cmd.Flags().StringVar(&r.config, "config", "", "file with the GoldenImages configuration")
	cmd.Flags().BoolVar(&r.strict, "strict", false, "fail on a templated file, and on a release newer than the newest verified one (default: warn)")
	r.addFindingsFile(cmd)
	cmd.Flags().BoolVar(&r.literal, "no-flux-substitution", false,
		"annotate objects that contain ${...}, so that Flux's spec.postBuild does not change them")
	return cmd
}

func (r *render) run(ctx context.Context, paths []string) error {
	function, err := r.flags.function()
	if err != nil {
		return err
	}
	function.Strict = r.strict
	bar := newProgress(r.streams.printer)
	function.Open = withProgress(bar)
	r.runGenerators(ctx, function)
	items, found := r.read(paths)
	if found.Failed() {
		return cmp.Or(r.report(found.Sorted()), errSilent)
	}
	steps, err := r.steps()
	if err != nil {
		return err
	}
	if err := r.giveFacts(&function, r.firstPath(paths), items); err != nil {
		return err
	}
	given, steps, _, more := r.fromFleet(&function, paths, items, steps)
	if found = append(found, more...); found.Failed() {
		return cmp.Or(r.report(found.Sorted()), errSilent)
	}
	rendered, more := function.Render(ctx, given, steps)
	bar.clear()
	if items, err = r.built.Finish(rendered.Items, items, rendered.Added); err != nil {
		return err
	}
	applied := rendered.Exceptions.Apply(found)
	found = append(applied.List, more...).Sorted()
	if err := r.report(found); err != nil {
		return err
	}
	if err := r.flags.registry.end(); err != nil {
		return err
	}
	if found.Failed() {
		return errSilent
	}
	for by, n := range rendered.Ignored {
		applied.Ignored[by] += n
	}
	if ignored := finding.IgnoredText(applied.Ignored); ignored != "" {
		r.streams.printer.Message("%s", ignored)
	}
	if object.None(items) {
		return errNoManifests
	}
	if r.literal {
		if err := flux.Literal(items); err != nil {
			return err
		}
	}
	return r.reader.Texts.Write(r.streams.printer.Product(), items)
}

// errNoManifests is the error of a run without a product. Argo CD treats an empty
// output, and an empty List, as "no manifests", and deletes everything if it prunes.
var errNoManifests = errors.New("there is nothing to render: the input has no manifests for the cluster")

// readAll reads the paths.
func (r *render) readAll(paths []string) ([]*yaml.RNode, finding.List) {
	r.reader.Needed = r.needed
	paths = r.placesOfFleet(paths)
	held, found := r.readHeld()
	var items []*yaml.RNode
	for _, path := range paths {
		read, err := r.readPath(path)
		if errors.Is(err, errGenerator) {
			continue // its findings say why
		}
		if err != nil {
			text := strings.ReplaceAll(err.Error(), kustomization.ToRender, "| "+r.verb()+" -")
			found = append(found, r.unfitPatch(path, finding.Finding{ID: finding.Unreadable, Severity: finding.Error, Text: text}))
			continue
		}
		items = append(items, read.Items...)
		for _, file := range read.Templated {
			found = append(found, r.templated(file))
		}
		for _, dir := range read.Charts {
			found = append(found, r.chart(dir, path))
		}
	}
	for _, list := range r.generated {
		if list.Failed() {
			found = append(found, list...)
		}
	}
	return append(items, held...), append(append(found, r.warned...), r.reportUnlisted(paths)...)
}

// giveFacts passes to the function the files of --nodes and --live, and what the verb knows
// about its input: the items of a path.
func (r *render) giveFacts(function *pipeline.Function, path string, items []*yaml.RNode) (err error) {
	if function.Nodes, err = r.givenNodes(); err != nil {
		return err
	}
	if function.Live, err = r.givenLive(); err != nil {
		return err
	}
	r.prepare(function, path, items)
	return nil
}

// prepare passes to the function what the verb knows about its input: the items of a path.
func (r *render) prepare(function *pipeline.Function, path string, items []*yaml.RNode) {
	if function.Variables == nil {
		function.Variables = r.variables(path, items)
	}
	function.Reader = &r.reader
	function.Named = func(item *yaml.RNode, kind, name string) []*yaml.RNode { return r.reader.Texts.Named(item, kind, name) }
	function.Files = r.files
	function.Bundle = len(r.bundles) > 0
	function.Catalogs = r.catalogs
	function.PackageOf = func(file string) string {
		b, _ := bundleOf(filepath.FromSlash(file), r.bundles)
		return b.name
	}
}

// needed reports whether the verb must parse an item.
func (r *render) needed(item *yaml.RNode) bool {
	return pipeline.Needed(item) || r.literal && flux.HasVariable(item)
}

// read reads the paths; "-" is standard input. It reports what it cannot read, and
// still reads the rest.
func (r *render) read(paths []string) ([]*yaml.RNode, finding.List) {
	collectEagerly()
	return r.readAll(r.crPaths.pathsOr(paths))
}

// firstPath returns the first of the paths, which stands for the input.
func (r *render) firstPath(paths []string) string {
	return slices.Concat(r.crPaths.files(paths), []string{"."})[0]
}

// variables returns a function that reports whether Flux fills in variables of a path. It looks
// through the repository when it is first called. Flux leaves what the flag protects from it.
func (r *render) variables(path string, items []*yaml.RNode) func() bool {
	if r.as.routes == nil {
		r.as.lookIn(path, &r.untrusted)
	}
	return func() bool { return !r.literal && r.as.hasVariables(path, items, &r.untrusted) }
}

func (r *render) readPath(path string) (manifest.Read, error) {
	switch {
	case path == manifest.Stdin:
		items, err := r.reader.Stream("stdin", r.streams.In)
		return manifest.Read{Items: items}, err
	case kustomization.In(path):
		built, err := r.buildDir(path)
		r.builds = append(r.builds, built)
		r.reader.Texts.Add(built.Texts)
		r.warned, r.unlisted = append(r.warned, built.Found...), append(r.unlisted, built.Unlisted...)
		if len(built.Steps) > 0 {
			if len(r.built.Steps) > 0 {
				return manifest.Read{Items: built.Items}, fmt.Errorf("%s and %s %w", r.built.Path, path, errTwoKustomizations)
			}
			r.built = built
		}
		return manifest.Read{Items: built.Items}, err
	}
	if b, is := bundleIn(path); is {
		return r.readBundle(b)
	}
	if files, is := catalogIn(path); is {
		return manifest.Read{}, r.readCatalog(path, files)
	}
	r.files = append(r.files, path)
	return r.reader.Paths([]string{path})
}

func (r *render) buildDir(dir string) (kustomization.Built, error) {
	if r.build != nil {
		return r.build(dir)
	}
	return r.builtFrom(kustomization.Request{Dir: dir})
}

// builtFrom builds a kustomization, with its generators.
func (r *render) builtFrom(request kustomization.Request) (kustomization.Built, error) {
	if r.generator != nil {
		var replaced string // the generator in place of which the file of --config runs
		request.Generate = func(step kustomization.Step) ([]byte, error) { return r.generator(step, &replaced) }
	}
	return r.streams.built(request)
}

var errGenerator = errors.New("the generator found errors")

// runGenerators has the verb run the generators of the kustomizations that it reads. It runs
// none of a stranger, whose configuration may be another one than that of the policy. The
// file of --config runs in place of the first generator of its kind, and the others of that
// kind emit nothing.
func (r *render) runGenerators(ctx context.Context, function pipeline.Function) {
	r.generator = nil
	if r.untrusted.on {
		return
	}
	r.generator = func(step kustomization.Step, replaced *string) ([]byte, error) {
		config, err := r.configOfFlag()
		if err != nil {
			return nil, err
		}
		replaces := config != nil && step.Configures(config)
		switch {
		case !replaces:
			if config, err = step.Config(); err != nil {
				return nil, err
			}
		case *replaced != "" && *replaced != step.Key:
			return nil, nil
		default:
			*replaced = step.Key
		}
		function := function
		if function.Nodes, err = r.givenNodes(); err != nil {
			return nil, err
		}
		if function.Live, err = r.givenLive(); err != nil {
			return nil, err
		}
		function.Variables = r.variables(step.Dir, nil)
		items, found := function.Generate(ctx, pipeline.Step{Config: config, Dir: step.Dir, Listed: true})
		if r.generated == nil {
			r.generated = map[string]finding.List{}
		}
		if r.generated[step.Key] = found; found.Failed() {
			return nil, errGenerator
		}
		if replaces && len(items) == 0 {
			return nil, fmt.Errorf("%s of --config replaces the generator in %s and %w", r.config, step.File, errEmitsNothing)
		}
		var out bytes.Buffer
		err = manifest.Write(&out, items)
		return out.Bytes(), err
	}
}

var errEmitsNothing = errors.New("emits nothing: a generator reads only the files of its spec.inputs, so name the file of the CR there")

func (r *render) templated(file string) finding.Finding {
	f := finding.Finding{
		ID: finding.Templated, Severity: finding.Warning, Object: finding.Object{File: file},
		Text: "the file is a template, so goldenarch skipped it", Do: "pass what its own program renders: PROGRAM | " + r.verb() + " -",
	}
	if chart := chartOf(file); chart != "" {
		f.Do = fmt.Sprintf("pass what helm renders: %s | %s -", sanitize.Command("helm", "template", chart), r.verb())
	}
	if r.strict {
		f.Severity, f.Text = finding.Error, "the file is a template"
	}
	return f
}

// chartOf returns the directory of the Helm chart that a file is a template of, "" for none.
func chartOf(file string) string {
	for dir := path.Dir(filepath.ToSlash(file)); ; dir = path.Dir(dir) {
		if exists(filepath.Join(filepath.FromSlash(dir), manifest.ChartFile)) {
			return dir
		}
		if dir == path.Dir(dir) {
			return ""
		}
	}
}

var errTwoKustomizations = errors.New("both list goldenarch, and kustomize runs each for its own manifests: name one of them")

// steps returns what the run does: the steps that the kustomization lists, or one step with
// the configuration among the items. The file of --config replaces the listed
// configurations of its kind.
func (r *render) steps() ([]pipeline.Step, error) {
	config, err := r.configOfFlag()
	if err != nil {
		return nil, err
	}
	if len(r.built.Steps) == 0 {
		return pipeline.Given(config), nil
	}
	var out []pipeline.Step
	var listed []kustomization.Step
	replaced := config == nil
	if !replaced && !slices.ContainsFunc(r.built.Steps, func(s kustomization.Step) bool { return s.Configures(config) }) {
		out = append(out, pipeline.Step{Config: config, Dir: r.built.Steps[0].Dir, Listed: true})
		listed = append(listed, kustomization.Step{
			Field: kustomization.Transformers, File: r.config, Text: []byte(config.MustString()), ConfiguredIn: r.config,
		})
		replaced = true
	}
	for _, step := range r.built.Steps {
		own, err := step.Config()
		if err != nil {
			return nil, err
		}
		if config != nil && step.Configures(config) {
			if replaced {
				continue
			}
			own, replaced = config, true
		}
		listed = append(listed, step)
		out = append(out, pipeline.Step{
			Config: own, Dir: step.Dir, Listed: true, Validates: step.Field == kustomization.Validators,
			Generates: step.Field == kustomization.Generators, Found: r.generated[step.Key], Emits: step.Emits(r.built.Path),
		})
	}
	r.built.Steps = listed
	return out, nil
}

// configOfFlag returns the configuration in the file of --config, nil without the flag. It
// reads the file once.
func (r *render) configOfFlag() (*yaml.RNode, error) {
	if r.config == "" || r.configured != nil {
		return r.configured, nil
	}
	items, err := manifest.ReadFile(r.config)
	if err != nil {
		return nil, err
	}
	if len(items) != 1 {
		return nil, fmt.Errorf("%s: has %d documents, expected one GoldenImages", r.config, len(items))
	}
	r.configured = items[0]
	return r.configured, nil
}

// configsOf returns the configurations of steps, nil for one that is among the items.
func configsOf(steps []pipeline.Step) []*yaml.RNode {
	var out []*yaml.RNode
	for _, step := range steps {
		out = append(out, step.Config)
	}
	return out
}

// listed returns the configurations that the kustomization lists.
func (r *render) listed() []*yaml.RNode {
	var out []*yaml.RNode
	for _, step := range r.built.Steps {
		if config, err := step.Config(); err == nil {
			out = append(out, config)
		}
	}
	return out
}

// chart reports a Helm chart, which goldenarch skips. It is an error if a path names
// only charts.
func (r *render) chart(dir, path string) finding.Finding {
	f := finding.Finding{
		ID: finding.Templated, Severity: finding.Warning, Object: finding.Object{File: filepath.ToSlash(dir)},
		Text: "the directory is a Helm chart, so goldenarch skips it: only helm can render it",
		Do:   fmt.Sprintf("pass what helm renders: %s | %s -", sanitize.Command("helm", "template", filepath.ToSlash(dir)), r.verb()),
	}
	if given := filepath.Clean(path); r.strict || given == filepath.Clean(dir) || given == filepath.Join(dir, manifest.ChartFile) {
		f.Severity, f.Text = finding.Error, "a Helm chart: only helm can render it"
	}
	return f
}

// verb returns the command that reads standard input, as a user writes it, without the "-".
// Verbs that edit files cannot write there, and lock needs the name of its file.
func (r *render) verb() string {
	if r.flags.command == nil {
		return "goldenarch render"
	}
	switch path := r.flags.command.CommandPath(); r.flags.command.Name() {
	case "fix", "customize", "init":
		return "goldenarch render"
	case "lock":
		return path + " --file golden-images.lock.yaml"
	default:
		return path
	}
}

// addLive adds the flag for the live CR.
func (r *render) addLive(cmd *cobra.Command) {
	cmd.Flags().StringVar(&r.live, "live", "",
		"file with the cluster's HyperConverged, from 'oc get hyperconvergeds.v1beta1.hco.kubevirt.io -n openshift-cnv kubevirt-hyperconverged -o yaml'; "+
			"goldenarch reads the predefined templates, nodes, schedule and release from it")
}

// givenLive reads the file of --live; nil without the flag. "-" is standard input.
func (r *render) givenLive() ([]*yaml.RNode, error) {
	if r.live == "" {
		return nil, nil
	}
	items, err := r.readFacts(r.live, func(item *yaml.RNode) bool {
		return mayHoldCR(item) || r.imports && transition.ShowsImports(object.Ref(item).Kind)
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

// addNodes adds the flag for Nodes that goldenarch uses for their facts only.
func (r *render) addNodes(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&r.nodes, "nodes", nil,
		"file with the cluster's Nodes, from 'kubectl get nodes -o yaml' (may be repeated)")
}

// givenNodes reads the files of --nodes; nil without the flag. It reads a directory
// recursively, and "-" is standard input.
func (r *render) givenNodes() ([]*yaml.RNode, error) {
	if len(r.nodes) == 0 {
		return nil, nil
	}
	items := []*yaml.RNode{}
	wrong := 0 // documents that hold no Nodes: a few of them are enough for an error
	for _, path := range r.nodes {
		read, err := r.readFacts(path, func(item *yaml.RNode) bool { return mayHoldNodes(item) || first(&wrong) })
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
func (r *render) readFacts(path string, needed func(*yaml.RNode) bool) ([]*yaml.RNode, error) {
	reader := manifest.Reader{Needed: needed, Drop: true}
	if path == manifest.Stdin {
		return reader.Stream("stdin", r.streams.In)
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

// crPaths is the flag for CRs that are a part of a file.
type crPaths []crpath.Place

// addCRPath adds the flag to a command.
func (r *render) addCRPath(cmd *cobra.Command) {
	cmd.Flags().Var(&r.crPaths, "cr-path", "place inside a file that has a CR, such as values.yaml#hyperconverged.cr, "+
		"or the spec of one, such as values.yaml#hyperconverged.spec@v1beta1 (may be repeated; without a PATH, only these files are read)")
}

// Set implements pflag.Value.
func (c *crPaths) Set(text string) error {
	place, err := crpath.Parse(text)
	if err != nil {
		return err
	}
	c.add(place)
	return nil
}

// add adds a place, unless it is there.
func (c *crPaths) add(place crpath.Place) {
	if !slices.ContainsFunc(*c, func(p crpath.Place) bool { return p.File == place.File && slices.Equal(p.Steps, place.Steps) }) {
		*c = append(*c, place)
	}
}

// String implements pflag.Value.
func (c *crPaths) String() string { return strings.Join(c.GetSlice(), ",") }

// GetSlice implements pflag.SliceValue.
func (c *crPaths) GetSlice() []string {
	var out []string
	for _, place := range *c {
		out = append(out, place.Text)
	}
	return out
}

// Append implements pflag.SliceValue.
func (c *crPaths) Append(text string) error { return c.Set(text) }

// Replace implements pflag.SliceValue.
func (c *crPaths) Replace(texts []string) error {
	*c = nil
	for _, text := range texts {
		if err := c.Set(text); err != nil {
			return err
		}
	}
	return nil
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

// placesOfFleet adds to the places of CRs those that the Fleet states for files among the paths,
// and returns the other paths.
func (r *render) placesOfFleet(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
		info, err := os.Stat(path)
		if err != nil || info.IsDir() || path == manifest.Stdin {
			return false
		}
		states, _ := r.readFleet(filepath.Dir(path)) // what is wrong with it is reported where it is used
		place, is := states.CRPathOf(path)
		if is {
			r.crPaths.add(place)
		}
		return is
	})
}

// readHeld reads the CRs of --cr-path and of the Fleet that are parts of files. The lock beside the file of one counts.
func (r *render) readHeld() ([]*yaml.RNode, finding.List) {
	var items []*yaml.RNode
	var found finding.List
	for _, place := range r.crPaths {
		item, err := r.reader.Held(place)
		if err != nil {
			found = append(found, finding.Finding{
				ID: finding.PlaceInvalid, Severity: finding.Error, Text: err.Error(),
				Do: "correct the file, or the place that --cr-path or the Fleet states: " + sanitize.Escape(place.Text),
			})
			continue
		}
		items = append(items, item)
	}
	r.files = r.crPaths.files(r.files)
	return items, found
}

// reportUnlisted warns of files beside a kustomization that configure goldenarch and that
// the run does not read: the kustomization does not list them, and neither --config nor a
// path names them.
func (r *render) reportUnlisted(paths []string) finding.List {
	var out finding.List
	for _, one := range r.unlisted {
		if slices.ContainsFunc(append([]string{r.config}, paths...), func(path string) bool { return same(path, one.File) }) {
			continue
		}
		states, _ := r.readFleet(filepath.Dir(one.File)) // reported where it is used
		if slices.ContainsFunc(states.Files(), func(file string) bool { return same(file, one.File) }) {
			continue
		}
		out = append(out, finding.Finding{
			ID: finding.ConfigUnlisted, Severity: finding.Warning, Object: finding.Object{File: filepath.ToSlash(one.File)},
			Text: fmt.Sprintf("the kustomization beside this %s does not list it, so its settings have no effect", one.Kind),
			Do:   "name it as config of the directory in the Fleet, or list it under transformers of the kustomization",
		})
	}
	return out
}

// same reports whether two paths name the same file.
func same(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}
