package cli

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/flux"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/olm/catalog"
	"github.com/goldenarch/goldenarch/internal/pipeline"
)

// render is the verb's flags and streams.
type render struct {
	streams  Streams
	flags    configFlags
	config   string
	strict   bool
	literal  bool
	findings string          // the file of --findings-file
	nodes    []string        // files with Nodes, for their facts only
	live     string          // file with the live CR
	crPaths  crPaths         // places of CRs inside files
	fleet    string          // file with the Fleet
	reader   manifest.Reader // of the paths
	warned   finding.List    // of the kustomizations read
	unlisted []kustomization.Unlisted
	built    kustomization.Built // the kustomization read that lists goldenarch
	files    []string            // the paths that are files
	reported string              // the findings so far
	builds   []kustomization.Built
	kept     keptPatches
	// generator runs a generator of a kustomization; nil runs none. generated has the findings
	// of those that have run, by their keys.
	generator func(kustomization.Step) ([]byte, error)
	generated map[string]finding.List
	// build builds a kustomization; nil builds it as it is.
	build func(dir string) (kustomization.Built, error)
	// configured is the configuration of --config, once it is read.
	configured *yaml.RNode
	// untrusted says whether the input may be a stranger's.
	untrusted untrusted
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
	if err := r.giveFacts(&function); err != nil {
		return err
	}
	rendered, more := function.Render(ctx, items, steps)
	bar.clear()
	if items, err = r.built.Finish(rendered.Items, items, rendered.Added); err != nil {
		return err
	}
	found = append(found, more...).Sorted()
	if err := r.report(found); err != nil {
		return err
	}
	if err := r.flags.registry.end(); err != nil {
		return err
	}
	if found.Failed() {
		return errSilent
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
// about its input.
func (r *render) giveFacts(function *pipeline.Function) (err error) {
	if function.Nodes, err = r.givenNodes(); err != nil {
		return err
	}
	if function.Live, err = r.givenLive(); err != nil {
		return err
	}
	r.prepare(function)
	return nil
}

// prepare passes to the function what the verb knows about its input.
func (r *render) prepare(function *pipeline.Function) {
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
