package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/write"
)

// write prints the diff, and then writes the files.
func (i *initVerb) write(ctx context.Context, w wiring, changes []write.Change, found finding.List) error {
	tree, err := treeOf([]string{w.dir})
	if err != nil {
		return err
	}
	if w.argocd != "" {
		if err := tree.OutputDir(w.argocd); err != nil {
			return fmt.Errorf("flag --argocd: %w", err)
		}
	}
	set, conflicts := tree.Prepare(changes)
	if len(conflicts) > 0 {
		return i.tell(append(found, conflictFindings(conflicts)...))
	}
	_ = i.tell(found)
	if !i.check || i.diff {
		if err := writeDiff(i.streams.printer, tree.Root(), changes); err != nil {
			return err
		}
	}
	switch {
	case len(changes) > 0 && (i.diff || i.check):
		return errDiffers
	case len(changes) > 0:
		if err := doStep(ctx, set.Commit); err != nil {
			found, err := writeFindings(err)
			return errors.Join(err, i.tell(found))
		}
	}
	for _, change := range changes {
		i.streams.printer.Message("wrote %s", change.Name)
	}
	if len(changes) == 0 {
		i.streams.printer.Message("there is nothing to write")
	}
	if !i.diff && !i.check {
		i.streams.printer.Message("next, run: %s", strings.Join(w.next(), " && "))
	}
	return nil
}
