package cli

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/pathname"
	"github.com/goldenarch/goldenarch/internal/write"
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
func (w writeOptions) finish(ctx context.Context, streams Streams, paths []string, changes []write.Change, found finding.List) error {
	tree, err := treeOf(paths)
	if err != nil {
		return err
	}
	set, conflicts := tree.Prepare(changes)
	if len(conflicts) > 0 {
		return streams.report(append(found, conflictFindings(conflicts)...))
	}
	if w.diff || w.check {
		found = unknownFails(found)
	}
	switch {
	case len(changes) == 0:
		failed := streams.report(found)
		if failed == nil && !w.diff && !w.check && !found.Has(finding.PodUnresolved) {
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
	if err := commitStep(ctx, streams, set); err != nil {
		return err
	}
	sayWritten(streams, changes)
	return failed
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

// sayWritten names the files that were written and removed.
func sayWritten(streams Streams, changes []write.Change) {
	for _, change := range changes {
		if change.After == nil {
			streams.printer.Message("removed %s", change.Name)
			continue
		}
		streams.printer.Message("wrote %s", change.Name)
	}
}

// commitStep writes the files as the step of the run.
func commitStep(ctx context.Context, streams Streams, set write.Set) error {
	err := doStep(ctx, set.Commit)
	if err == nil {
		return nil
	}
	found, err := writeFindings(err)
	return errors.Join(err, streams.report(found))
}

// conflictFindings reports each file that cannot be written.
func conflictFindings(conflicts []*write.ConflictError) finding.List {
	var found finding.List
	for _, c := range conflicts {
		found = append(found, finding.Finding{
			ID: finding.EditFile, Severity: finding.Error, Object: finding.Object{File: pathname.FromHere(c.Name)},
			Text: "goldenarch cannot write the file: " + c.Err.Error(),
		})
	}
	return found
}

// writeFindings converts the error of a write into findings. Other errors stay errors.
func writeFindings(err error) (finding.List, error) {
	switch {
	case errors.Is(err, write.ErrNoPlace):
		return finding.List{{
			ID: finding.NoJournalPlace, Severity: finding.Error, Text: err.Error(),
			Do: "make the Git directory writable, or set XDG_STATE_HOME to a directory of yours outside the tree",
		}}, nil
	case errors.Is(err, write.ErrPending):
		return finding.List{{ID: finding.EditsInterrupted, Severity: finding.Error, Text: err.Error()}}, nil
	}
	return nil, err
}
