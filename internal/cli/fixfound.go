package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/fileset"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
)

// newObjects reports objects without a file, and files whose object would be removed.
func newObjects(before, after []*yaml.RNode) finding.List {
	had := map[*yaml.RNode]bool{}
	for _, item := range before {
		had[item] = true
	}
	if len(before) == len(after) && !slices.ContainsFunc(after, func(item *yaml.RNode) bool { return !had[item] }) {
		return nil
	}
	return finding.List{{
		ID: finding.EditNewObjects, Severity: finding.Error, Field: "spec.expand.mode",
		Text: "goldenarch emits objects, or removes those of an earlier run, and fix edits only objects that are in files: no file was changed",
		Do:   "use goldenarch render, kustomize or kpt to write these objects",
	}}
}

// unsafeFindings reports each file that cannot be edited.
func unsafeFindings(err error) finding.List {
	errs := []error{err}
	if several, is := err.(interface{ Unwrap() []error }); is {
		errs = several.Unwrap()
	}
	var found finding.List
	for _, err := range errs {
		unsafe := &manifest.UnsafeError{}
		if !errors.As(err, &unsafe) {
			found = append(found, finding.Finding{ID: finding.EditUnsafe, Severity: finding.Error, Text: err.Error()})
			continue
		}
		at := finding.Object{
			File:       unsafe.File,
			Kind:       unsafe.Item.GetKind(),
			Name:       unsafe.Item.GetName(),
			Namespace:  unsafe.Item.GetNamespace(),
			APIVersion: unsafe.Item.GetApiVersion(),
		}
		found = append(found, finding.Finding{
			ID: finding.EditUnsafe, Severity: finding.Error, Object: at, Line: unsafe.Reason.Line,
			Text: "goldenarch cannot edit the file safely: " + unsafe.Reason.Problem, Do: unsafe.Reason.Fix,
		})
	}
	return found
}

// finishEarlier finishes a run that was interrupted, in the trees of the paths.
func (f *fix) finishEarlier(ctx context.Context, paths []string) (finding.List, error) {
	var found finding.List
	for _, tree := range treesAround(paths) {
		if !fileset.Interrupted(tree) {
			if !f.diff && !f.check {
				fileset.RemoveLock(tree)
			}
			continue
		}
		note := finding.Finding{ID: finding.EditsInterrupted, Severity: finding.Error, Object: finding.Object{File: fileset.JournalOf(tree)}}
		if f.diff || f.check {
			note.Text, note.Do = "an earlier goldenarch fix was interrupted, so the files are half of what it decided", "run goldenarch fix, which finishes it"
			found = append(found, note)
			continue
		}
		var left []string
		err := doStep(ctx, func() error {
			var err error
			_, left, err = fileset.Recover(tree)
			return err
		})
		if err != nil {
			return found, err
		}
		note.Severity, note.Text = finding.Warning, "an earlier goldenarch fix was interrupted, and is finished now"
		if len(left) > 0 {
			note.Text += "; these files were changed since and stay as they are: " + strings.Join(left, ", ")
		}
		found = append(found, note)
	}
	return found, nil
}
