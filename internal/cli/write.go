package cli

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/workspace"
)

// writeOptions are the flags of verbs that write into files.
type writeOptions struct {
	diff, check bool
}

// add adds the flags.
func (w *writeOptions) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&w.diff, "diff", false, "change no file: print a unified diff, and exit with status 3 if there is one")
	cmd.Flags().BoolVar(&w.check, "check", false, "change no file: exit with status 3 if one would change")
}

// finish writes the files, or shows what it would write.
func (w writeOptions) finish(ctx context.Context, streams Streams, paths []string, changes []files.Change, found finding.List) error {
	tree, err := workspace.TreeOf(paths)
	if err != nil {
		return err
	}
	set, conflicts := tree.Prepare(changes)
	if len(conflicts) > 0 {
		return streams.report(append(found, workspace.ConflictFindings(conflicts)...))
	}
	if w.diff || w.check {
		found = unknownFails(found)
	}
	switch {
	case len(changes) == 0:
		failed := streams.report(found)
		if failed == nil && !found.Has(finding.PodUnresolved) {
			streams.printer.Message("no file needs a change")
		}
		return failed
	case w.diff:
		if err := writeDiff(streams.printer, tree.Root(), changes); err != nil {
			return err
		}
		fallthrough
	case w.check:
		return cmp.Or(streams.report(found), errDiffers)
	}
	failed := streams.report(found)
	return cmp.Or(commitStep(ctx, streams, set, changes), failed)
}

// unknownFails makes the pods errors of which nothing proves what their images have, as they are in a
// check: whether a file needs a change is not known.
func unknownFails(found finding.List) finding.List {
	out := slices.Clone(found)
	for i, f := range out {
		if f.ID == finding.PodUnresolved {
			out[i].Severity = cmp.Or(f.Unchanged.Severity, f.Severity)
		}
	}
	return out
}

// commitStep writes the files as the step of the run, and names those that it wrote and removed.
func commitStep(ctx context.Context, streams Streams, set files.ChangeSet, changes []files.Change) error {
	var written files.Written
	err := streams.step.run(ctx, func() error {
		var err error
		written, err = set.Commit(ctx)
		return err
	})
	if err != nil {
		return err
	}
	for _, change := range changes {
		if change.After == nil {
			streams.printer.Message("removed %s", change.Name)
			continue
		}
		streams.printer.Message("wrote %s", change.Name)
	}
	sayBeside(streams, written)
	return nil
}

// sayBeside says what a commit found beside the files that it wrote.
func sayBeside(streams Streams, written files.Written) {
	if len(written.Uncommitted) > 0 {
		streams.printer.Message("Git does not have what these files had before, so going back with Git takes that, too: %s",
			strings.Join(written.Uncommitted, ", "))
	}
	for _, file := range written.Removed {
		streams.printer.Message("removed %s, a temporary file of a run that was killed", files.FromHere(file))
	}
}
