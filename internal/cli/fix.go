package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/pipeline"
)

// fixOptions are the flags of fix.
type fixOptions struct {
	inputOptions
	writeOptions

	patch, keepGoing bool
}

func newFix(streams Streams) *cobra.Command {
	f := &fixOptions{inputOptions: inputOptions{streams: streams}}
	cmd := &cobra.Command{
		Use:   "fix [PATH...]",
		Short: "Write the decisions of render into the files",
		Long: `Read YAML or JSON files and directories (recursively) as 'goldenarch render' does,
and write its decisions into the files. Only the lines that must change do:
comments, indentation, quotes and line ends stay. Without a PATH the current
directory is fixed.

In a directory that has a kustomization, the file is edited that holds the CR or
the patch that sets the field. If other overlays share that file, it is edited only
if the run covers all of them and decides the same for each. Otherwise --patch adds
a patch to this overlay.

In a directory that holds several clusters, fix finds them and writes into the files
of each: see docs/fleet.md.

After an error no file is changed. In a repository of several clusters, --keep-going
writes the clusters that have no error; the status is still 1. With --diff or --check
no file is changed either, and the status is 3 if one would be. The way back is Git.`,
		Example: `  goldenarch fix hyperconverged.yaml --workload-architectures amd64,arm64
  goldenarch fix --diff . --config golden-images.yaml
  goldenarch fix overlays/prod --patch`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), args) },
	}
	f.flags.registry.add(cmd)
	f.flags.addOffline(cmd)
	f.flags.addImages(cmd)
	f.addInput(cmd)
	f.flags.settings.addOwn(cmd, workloads)
	f.addCluster(cmd)
	f.addLive(cmd)
	addFleet(cmd, &f.fleet)
	f.writeOptions.add(cmd)
	cmd.Flags().BoolVar(&f.patch, "patch", false, "in a kustomization, write the decisions into a patch of this overlay")
	cmd.Flags().BoolVar(&f.keepGoing, "keep-going", false,
		"in a directory of several clusters, write those that have no error (default: write none if one has an error)")
	return cmd
}

func (f *fixOptions) run(ctx context.Context, paths []string) error {
	paths = f.crPaths.pathsOr(paths)
	if slices.Contains(paths, manifest.Stdin) {
		return misuse{errors.New("fix writes into files, and standard input (-) is not a file: use 'goldenarch render -'")}
	}
	function, err := f.function()
	if err != nil {
		return err
	}
	root, is, err := f.statesFleet(paths)
	if err != nil {
		return err
	}
	if is {
		return f.repository(ctx, root, function)
	}
	in := f.newReader()
	in.request = (*inputReader).withoutPatches
	in.runGenerators(ctx, function)
	items, found := in.read(paths)
	if root, is := isRepository(in, paths, items, found); is {
		return f.repository(ctx, root, function)
	}
	if found.Failed() {
		return in.report(found)
	}
	return f.input(ctx, paths, function, in, func(again *inputReader) ([]*yaml.RNode, finding.List) {
		if again == in {
			return items, found
		}
		return again.read(paths)
	})
}

// input decides about paths that are one input, and writes the files.
func (f *fixOptions) input(
	ctx context.Context, paths []string, function pipeline.Function, in *inputReader, read func(*inputReader) ([]*yaml.RNode, finding.List),
) error {
	prepare := func(in *inputReader, function *pipeline.Function) (preparedInput, finding.List, error) {
		items, found := read(in)
		if found.Failed() {
			return preparedInput{}, found, nil
		}
		input, more, err := in.preparePaths(function, paths, items)
		return input, append(found, more...), err
	}
	decided, err := in.decideWithoutPatches(ctx, function, prepare)
	if err != nil {
		return err
	}
	if decided.read.Failed() {
		return decided.in.report(decided.read)
	}
	found := slices.Concat(decided.read, nothingIsError(decided.found, unreadIsAll(decided)))
	return f.write(ctx, decided.in, paths, decided.before, decided.after, found)
}

// nothingIsError returns findings in which an input without a CR is an error: who runs fix
// wants something fixed, and a wrong path must not look like a success. Neither must a CR that
// goldenarch does not read, if there is nothing else to decide on.
func nothingIsError(found finding.List, unreadIsAll bool) finding.List {
	out := slices.Clone(found)
	for i, f := range out {
		if f.Severity == finding.Warning && (f.ID == finding.NoCR || f.ID == finding.CRUnread && unreadIsAll) {
			out[i].Severity = finding.Error
		}
	}
	return out
}

// unreadIsAll reports whether the input has no CR that goldenarch reads, in a run that is not
// about pods.
func unreadIsAll(d fixDecision) bool {
	return !slices.ContainsFunc(object.All(d.input.items), kinds.IsCR) && !slices.ContainsFunc(configsOf(d.input.steps), d.function.AboutPods)
}

// write writes the changes of the items into the files, unless a finding is an error.
func (f *fixOptions) write(ctx context.Context, in *inputReader, paths []string, before, after []*yaml.RNode, found finding.List) error {
	if found = in.located(found); found.Failed() {
		return f.streams.report(found)
	}
	edit := editor{in: in, patch: f.patch, verb: "fix"}
	changes, more := edit.changes(paths, before, after)
	if found = append(found, more...); found.Failed() {
		return f.streams.report(found)
	}
	return f.finish(ctx, f.streams, f.crPaths.files(paths), changes, found)
}

// repository writes the decisions about the clusters of a repository into its files. An
// error in one cluster leaves all files as they are, or those of that cluster with
// --keep-going.
func (f *fixOptions) repository(ctx context.Context, root string, function pipeline.Function) error {
	states, layout, before, err := f.layout(root, function)
	if err != nil {
		return err
	}
	fixer := clusterFixer{inputOptions: &f.inputOptions, patch: f.patch, keepGoing: f.keepGoing, verb: "fix"}
	all, found, err := fixer.fix(ctx, root, function, states, layout, before)
	if err != nil {
		return err
	}
	f.streams.printer.Message("%s in %s", finding.Count(all.count(), "cluster"), root)
	if failed := all.failed(); len(failed) > 0 {
		f.streams.printer.Message("not changed, because they have errors: %s", strings.Join(failed, ", "))
	}
	return f.finish(ctx, f.streams, []string{root}, all.changes(), found)
}
