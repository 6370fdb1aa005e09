package cli

import (
	"context"
	"strings"

	"github.com/goldenarch/goldenarch/internal/fileset"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// write prints the diff, and then writes the files.
func (i *initVerb) write(ctx context.Context, w wiring, changes []fileset.Change, found finding.List) error {
	tree, err := treeOf([]string{w.dir}, changes)
	if err != nil {
		return err
	}
	set, err := fileset.Prepare(tree, changes)
	if err != nil {
		return i.tell(append(found, finding.Finding{ID: finding.EditFile, Severity: finding.Error, Text: err.Error()}))
	}
	_ = i.tell(found)
	if !i.check || i.diff {
		if err := writeDiff(i.streams.printer, tree, changes); err != nil {
			return err
		}
	}
	switch {
	case len(changes) > 0 && (i.diff || i.check):
		return errDiffers
	case len(changes) > 0:
		if err := doStep(ctx, set.Write); err != nil {
			return err
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
