package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/pathname"
	"github.com/goldenarch/goldenarch/internal/write"
)

// treeOf returns the tree that a run with these paths may write in.
func treeOf(paths []string) (write.Tree, error) {
	return write.Find(slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return path == manifest.Stdin }))
}

// interrupted reports the journals of interrupted runs in the trees of the paths. Until
// fix has finished or undone such a run, the files are half of what it decided.
func interrupted(paths []string) finding.List {
	var found finding.List
	seen := map[string]bool{}
	for _, path := range append(slices.Clone(paths), "") {
		var one []string
		if path != "" {
			one = append(one, path)
		} else if len(paths) > 0 {
			continue
		}
		tree, err := treeOf(one)
		if err != nil || seen[tree.Root()] {
			continue // reading the path reports the error
		}
		seen[tree.Root()] = true
		found = append(found, interruptedIn(tree, paths)...)
	}
	return found
}

func interruptedIn(tree write.Tree, paths []string) finding.List {
	found := oldJournals(tree, paths)
	journal, err := tree.Pending()
	switch {
	case err != nil:
		found = append(found, refusedJournal(journal, err))
	case journal != "":
		found = append(found, finding.Finding{
			ID: finding.EditsInterrupted, Severity: finding.Error, Object: finding.Object{File: journal},
			Text: "an earlier goldenarch fix was interrupted, so the files are half of what it decided",
			Do:   "run goldenarch fix, which finishes it, or goldenarch fix --abort, which undoes it",
		})
	}
	return append(found, interruptedAround(tree, paths)...)
}

// interruptedAround reports the runs that were interrupted in other trees that have the
// paths, such as the repository of a submodule.
func interruptedAround(tree write.Tree, paths []string) finding.List {
	var found finding.List
	if len(paths) == 0 {
		paths = []string{"."} // what a verb without a PATH reads
	}
	for _, other := range tree.PendingAround(slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return path == manifest.Stdin })) {
		found = append(found, finding.Finding{
			ID: finding.EditsInterrupted, Severity: finding.Error, Object: finding.Object{File: other.Journal},
			Text: "an earlier goldenarch fix was interrupted in " + pathname.FromHere(other.Root) + ", so the files are half of what it decided",
			Do:   "run goldenarch fix in that directory, which finishes it, or goldenarch fix --abort, which undoes it",
		})
	}
	return found
}

// refusedJournal reports a journal that goldenarch did not write for this user and tree.
func refusedJournal(journal string, err error) finding.Finding {
	return finding.Finding{
		ID: finding.JournalRefused, Severity: finding.Error, Object: finding.Object{File: journal}, Text: err.Error(),
		Do: "if an earlier goldenarch fix of yours was interrupted, compare the files with Git; then remove the journal",
	}
}

// oldJournals reports the files with the name that earlier versions gave their journal.
func oldJournals(tree write.Tree, paths []string) finding.List {
	var found finding.List
	for _, name := range tree.OldJournals(paths) {
		found = append(found, finding.Finding{
			ID: finding.JournalOld, Severity: finding.Warning, Object: finding.Object{File: pathname.FromHere(name)},
			Text: "the file has the name of a journal of earlier versions. goldenarch does not use it, because anybody who writes to the repository may have written it",
			Do:   "compare the files with Git, and remove it",
		})
	}
	return found
}

// finishEarlier finishes a run that was interrupted, or reports it if this run changes no
// file.
func (f *fixOptions) finishEarlier(ctx context.Context, paths []string) (finding.List, error) {
	if f.diff || f.check {
		return interrupted(paths), nil
	}
	tree, err := treeOf(paths)
	if err != nil {
		return nil, err
	}
	found := oldJournals(tree, paths)
	if around := interruptedAround(tree, paths); len(around) > 0 {
		return append(found, around...), nil
	}
	journal, err := tree.Pending()
	switch {
	case err != nil:
		return append(found, refusedJournal(journal, err)), nil
	case journal == "":
		return found, nil
	}
	done, err := recovered(ctx, tree.Recover)
	if err != nil {
		return found, err
	}
	return append(found, afterInterruption(done, "finished now", "it wrote")), nil
}

// recovered runs the recovery as the step of the run.
func recovered(ctx context.Context, do func() (write.Recovered, error)) (out write.Recovered, err error) {
	err = doStep(ctx, func() error {
		var err error
		out, err = do()
		return err
	})
	return out, err
}

// afterInterruption says what became of an interrupted run, and of each of its files.
func afterInterruption(done write.Recovered, what, wrote string) finding.Finding {
	f := finding.Finding{
		ID: finding.EditsInterrupted, Severity: finding.Warning, Object: finding.Object{File: done.Journal},
		Text: "an earlier goldenarch fix was interrupted, and is " + what + ": " + wrote + " ",
	}
	if len(done.Written) == 0 {
		f.Text += "no file"
	}
	f.Text += fromHereAll(done.Written)
	if len(done.Left) > 0 {
		f.Text += "; these files were changed since and stay as they are: " + fromHereAll(done.Left)
	}
	return f
}

func fromHereAll(names []string) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = pathname.FromHere(name)
	}
	return strings.Join(out, ", ")
}

// abortEarlier undoes a run that was interrupted.
func abortEarlier(ctx context.Context, streams Streams, paths []string) error {
	tree, err := treeOf(paths)
	if err != nil {
		return err
	}
	found := oldJournals(tree, paths)
	journal, err := tree.Pending()
	switch {
	case err != nil:
		return streams.report(append(found, refusedJournal(journal, err)))
	case journal == "":
		streams.printer.Message("no run was interrupted in %s, so there is nothing to undo", tree.Root())
		return streams.report(append(found, interruptedAround(tree, paths)...))
	}
	done, err := recovered(ctx, tree.Abort)
	if err != nil {
		return errors.Join(err, streams.report(found))
	}
	return streams.report(append(found, afterInterruption(done, "undone", "goldenarch restored")))
}
