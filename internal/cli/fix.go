package cli

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/write"
)

// fix is the verb's flags and streams.
type fix struct {
	render
	diff, check, patch, abort bool
	// place returns the files that hold the edits of what was built; nil is builtEdits.
	place func(paths []string, built kustomization.Built) ([]manifest.FileEdit, finding.List)
	// shared are the files that must change and that other overlays build, too.
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
the patch that sets the field. If other overlays share that file, nothing is
edited: --patch adds a patch to this overlay instead.

In a directory that holds several clusters, fix finds them and writes into the files
of each: see docs/fleet.md.

After an error no file is changed. A run that was interrupted is finished by the
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
	cmd.Flags().BoolVar(&f.abort, "abort", false, "undo a run that was interrupted, and do nothing else (default: finish it)")
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
		if more.Failed() {
			break
		}
		if kept = f.undecidedPatches(decided); kept == nil {
			break
		}
	}
	found = append(found, more...)
	if err := f.flags.registry.end(); err != nil {
		return errors.Join(err, f.tell(found))
	}
	if found.Failed() {
		return f.tell(found)
	}
	changes, more := f.changes(paths, before, fixed)
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
	for _, built := range f.builds {
		place := f.place
		if place == nil {
			place = f.builtEdits
		}
		more, found := place(paths, built)
		if found.Failed() {
			return nil, found
		}
		edits = append(edits, more...)
	}
	var out []write.Change
	for _, edit := range edits {
		out = append(out, write.Change{Name: edit.Name, Before: edit.Before, After: edit.After})
	}
	return out, nil
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
		_ = f.tell(found)
		return errDiffers
	}
	_ = f.tell(found)
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
	return nil
}
