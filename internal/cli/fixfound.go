package cli

import (
	"errors"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

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
