package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/report"
	"github.com/goldenarch/goldenarch/internal/workspace"
)

// fixOptions are the flags of fix.
type fixOptions struct {
	inputOptions
	writeOptions

	patch, keepGoing bool
}

func newFix(streams Streams) *cobra.Command {
	f := &fixOptions{inputOptions: inputOf(streams)}
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
a patch to this overlay. In a run over all of them, what they all need goes into the
shared file, and patches have the rest: the gate, and what a cluster disables.

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
	f.flags.addQueries(cmd)
	f.addInput(cmd)
	f.flags.settings.addOwn(cmd, workloads)
	f.addCluster(cmd)
	f.addLive(cmd)
	f.addFleet(cmd)
	f.writeOptions.add(cmd)
	cmd.Flags().BoolVar(&f.patch, "patch", false, "in a kustomization, write the decisions into a patch of this overlay")
	cmd.Flags().BoolVar(&f.keepGoing, "keep-going", false,
		"in a directory of several clusters, write those that have no error (default: write none if one has an error)")
	return cmd
}

func (f *fixOptions) run(ctx context.Context, paths []string) error {
	paths = f.CRPaths.PathsOr(paths)
	if slices.Contains(paths, manifest.Stdin) {
		return workspace.Misuse{Err: errors.New("fix writes into files, and standard input (-) is not a file: use 'goldenarch render -'")}
	}
	function, err := f.function()
	if err != nil {
		return err
	}
	fix := workspace.Fixer{Options: f.Options, Patch: f.patch, KeepGoing: f.keepGoing}
	fixed, found, err := fix.Run(ctx, paths, function)
	if err != nil {
		return err
	}
	if fixed == nil {
		return f.streams.report(found)
	}
	if fixed.Root != "" {
		f.streams.printer.Message("%s in %s", finding.Count(fixed.Clusters, "cluster"), fixed.Root)
	}
	if len(fixed.Failed) > 0 {
		f.streams.printer.Message("not changed, because they have errors: %s", strings.Join(fixed.Failed, ", "))
	}
	if err := f.finish(ctx, f.streams, fixed.Paths, fixed.Changes, found); err != nil || f.diff || f.check {
		return err
	}
	f.sayCheck(ctx, paths, function)
	f.flags.sayImages(f.streams)
	return nil
}

// sayCheck says what check finds in paths that have just been written. Only check fails because of it, so that it says nothing
// where it cannot run.
func (o *inputOptions) sayCheck(ctx context.Context, paths []string, function engine.Function) {
	function.Machines = engine.MachinesCheck
	check := workspace.Checker{Options: o.Options, Machines: true, FailOn: finding.Error, Expected: -1}
	if shown, err := check.Run(ctx, paths, function); err == nil && shown.Any() {
		shown.FailOn = finding.Error
		message := "check now says: " + report.Sentence(shown)
		if ids := errorsIn(shown.Findings); len(ids) > 0 {
			message += " Errors: " + strings.Join(ids, ", ") + "."
		}
		o.streams.printer.Message("%s", message)
	}
}

// errorsIn returns the ids of the errors among findings, each once and sorted.
func errorsIn(list finding.List) []string {
	var out []string
	for _, f := range list.Stories() {
		if f.Severity == finding.Error {
			out = append(out, string(f.ID))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
