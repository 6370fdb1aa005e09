package cli

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/output"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/write"
)

// fix is the verb's flags and streams.
type fix struct {
	render
	diff, check, patch, abort, keepGoing, undoes bool
	// place returns the files that hold the edits of what was built; nil is builtEdits.
	place func(paths []string, built kustomization.Built) ([]manifest.FileEdit, finding.List)
	// consumers says who builds a file beside what is fixed, and covering who does beside all
	// that the run decides on. nil covering is a run that decides on one input.
	consumers, covering *kustomization.Consumers
	// shared are the files that must change and that others build, whom the run does not cover.
	shared []*kustomization.SharedError
}

func newFix(streams Streams) *cobra.Command {
	f := &fix{render: render{streams: streams}}
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

With --undo it takes out of the files what earlier runs wrote, and decides nothing.

After an error no file is changed. In a repository of several clusters, --keep-going
writes the clusters that have no error; the status is still 1. A run that was interrupted is finished by the
next one, or undone by --abort. With --diff or --check no file is changed either, and the status is 3 if
one would be.`,
		Example: `  goldenarch fix hyperconverged.yaml --workload-architectures amd64,arm64
  goldenarch fix --diff . --config golden-images.yaml
  goldenarch fix overlays/prod --patch`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), args) },
	}
	f.flags.add(cmd)
	f.flags.leaveIdle("mode")
	f.flags.addOffline(cmd)
	f.addNodes(cmd)
	f.addLive(cmd)
	f.addCRPath(cmd)
	f.flags.registry.addRecord(cmd)
	cmd.Flags().StringVar(&f.config, "config", "", "file with the GoldenImages configuration")
	cmd.Flags().BoolVar(&f.strict, "strict", false, "fail on a templated file, and on a release newer than the newest verified one (default: warn)")
	addFleet(cmd, &f.fleet)
	cmd.Flags().BoolVar(&f.diff, "diff", false, "change no file: print a unified diff, and exit with status 3 if there is one")
	cmd.Flags().BoolVar(&f.check, "check", false, "change no file: exit with status 3 if one would change")
	cmd.Flags().BoolVar(&f.patch, "patch", false, "in a kustomization, write the decisions into a patch of this overlay")
	cmd.Flags().BoolVar(&f.keepGoing, "keep-going", false,
		"in a directory of several clusters, write those that have no error (default: write none if one has an error)")
	cmd.Flags().BoolVar(&f.abort, "abort", false, "undo a run that was interrupted, and do nothing else (default: finish it)")
	cmd.Flags().BoolVar(&f.undoes, "undo", false, "take out of the files what earlier runs of fix wrote")
	cmd.MarkFlagsMutuallyExclusive("abort", "undo")
	cmd.MarkFlagsMutuallyExclusive("patch", "undo")
	cmd.MarkFlagsMutuallyExclusive("abort", "diff")
	cmd.MarkFlagsMutuallyExclusive("abort", "check")
	return cmd
}

func (f *fix) run(ctx context.Context, paths []string) error {
	paths = f.crPaths.pathsOr(paths)
	if slices.Contains(paths, manifest.Stdin) {
		return misuse{errors.New("fix writes into files, and standard input (-) is not a file: use 'goldenarch render -'")}
	}
	function, err := f.flags.function()
	if err != nil {
		return err
	}
	function.Strict = f.strict
	if f.abort {
		return f.undo(ctx, f.crPaths.files(paths))
	}
	found, err := f.finishEarlier(ctx, f.crPaths.files(paths))
	if err != nil || found.Failed() {
		return errors.Join(err, f.tell(found))
	}
	f.build = f.buildToFix
	root, is, err := f.statesFleet(paths)
	if err != nil {
		return err
	}
	if is {
		return f.repository(ctx, root, function, found)
	}
	f.runGenerators(ctx, function)
	clean := f.render
	items, more := f.read(paths)
	if root, is := f.isRepository(paths, items, more); is {
		return f.repository(ctx, root, function, found)
	}
	return f.fixPaths(ctx, paths, function, clean, items, append(found, more...))
}

// fixPaths decides about paths that are one input. clean is what the verb knew before it
// read them: it reads them again where patches must stay that only a run shows.
func (f *fix) fixPaths(ctx context.Context, paths []string, function pipeline.Function, clean render, items []*yaml.RNode, found finding.List) error {
	if found.Failed() {
		return f.tell(found)
	}
	var more finding.List
	steps, err := f.steps()
	if err != nil {
		return err
	}
	if err := f.giveFacts(&function); err != nil {
		return err
	}
	if f.undoes {
		return f.write(ctx, paths, items, items, append(found, output.Undo(items)...))
	}
	kept := f.patchesToKeep(function, items, steps)
	var before, fixed []*yaml.RNode
	for {
		if len(kept) > 0 {
			f.render, f.kept = clean, kept
			if items, more = f.read(paths); more.Failed() {
				return f.tell(more)
			}
			if steps, err = f.steps(); err != nil {
				return err
			}
			f.prepare(&function)
		}
		before = slices.Clone(items)
		var decided pipeline.Decided
		fixed, decided, more = function.Fix(ctx, items, steps)
		// A run that failed may do so because of what a kept patch changes.
		if kept = f.undecidedPatches(decided); kept == nil {
			break
		}
	}
	found = append(found, more...)
	if err := f.flags.registry.end(); err != nil {
		return errors.Join(err, f.tell(found))
	}
	return f.write(ctx, paths, before, fixed, found)
}

// write writes the changes of the items into the files, unless a finding is an error.
func (f *fix) write(ctx context.Context, paths []string, before, after []*yaml.RNode, found finding.List) error {
	if found.Failed() {
		return f.tell(found)
	}
	changes, more := f.changes(paths, before, after)
	if found = append(found, more...); found.Failed() {
		return f.tell(found)
	}
	return f.finish(ctx, f.crPaths.files(paths), changes, found)
}

// `tell` prints the findings, and returns the error of a run that failed.
func (f *fix) tell(found finding.List) error {
	f.streams.printer.Findings(found.Sorted())
	if found.Failed() {
		return errSilent
	}
	return nil
}

// changes returns the files that must change.
func (f *fix) changes(paths []string, before, after []*yaml.RNode) ([]write.Change, finding.List) {
	if found := newObjects(before, after); found.Failed() {
		return nil, found
	}
	edits, err := f.reader.Texts.Edits(after)
	if err != nil {
		return nil, unsafeFindings(err)
	}
	if f.covering == nil && len(f.builds) > 1 {
		return f.changesOfBuilds(paths, asChanges(edits))
	}
	for _, built := range f.builds {
		more, found := f.placed(paths, built)
		if found.Failed() {
			return nil, found
		}
		edits = append(edits, more...)
	}
	return asChanges(edits), nil
}

// placed returns the files that hold the edits of what was built.
func (f *fix) placed(paths []string, built kustomization.Built) ([]manifest.FileEdit, finding.List) {
	if f.place != nil {
		return f.place(paths, built)
	}
	return f.builtEdits(paths, built)
}

func asChanges(edits []manifest.FileEdit) []write.Change {
	var out []write.Change
	for _, edit := range edits {
		change := write.Change{Name: edit.Name, Before: edit.Before, After: edit.After}
		for _, e := range edit.Edits {
			change.Edits = append(change.Edits, write.Edit(e))
		}
		out = append(out, change)
	}
	return out
}

// finish writes the files, or shows what it would write.
func (f *fix) finish(ctx context.Context, paths []string, changes []write.Change, found finding.List) error {
	tree, err := treeOf(paths)
	if err != nil {
		return err
	}
	set, conflicts := tree.Prepare(changes)
	if len(conflicts) > 0 {
		return f.tell(append(found, conflictFindings(conflicts)...))
	}
	switch {
	case len(changes) == 0:
		return f.tell(found)
	case f.diff:
		if err := writeDiff(f.streams.printer, tree.Root(), changes); err != nil {
			return err
		}
		fallthrough
	case f.check:
		return cmp.Or(f.tell(found), errDiffers)
	}
	failed := f.tell(found)
	if err := doStep(ctx, set.Commit); err != nil {
		found, err := writeFindings(err)
		return errors.Join(err, f.tell(found))
	}
	for _, change := range changes {
		if change.After == nil {
			f.streams.printer.Message("removed %s", change.Name)
			continue
		}
		f.streams.printer.Message("wrote %s", change.Name)
	}
	return failed
}
