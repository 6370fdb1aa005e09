package workspace

import (
	"errors"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/kustomize/edit"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/workspace/repo"
)

// editor finds the files that hold what a run decides about an input.
type editor struct {
	*clusterFixer

	in *reader
	// place returns the files that hold the edits of what was built.
	place func(e *editor, built kustomize.Built) ([]files.Change, finding.List)
	// shared are the files that must change and that others build, whom the run does not cover.
	shared []*edit.SharedError
}

// changes returns the files that must change.
func (e *editor) changes(before, after []*yaml.RNode) ([]files.Change, finding.List) {
	if found := newObjects(before, after); found.Failed() {
		return nil, found
	}
	edits, err := e.in.manifests.Texts.Edits(after)
	if err != nil {
		return nil, unsafeFindings(err)
	}
	if e.covering == nil && len(e.in.builds) > 1 {
		return e.changesOfBuilds(edits)
	}
	for _, built := range e.in.builds {
		more, found := e.place(e, built)
		if found.Failed() {
			return nil, found
		}
		edits = append(edits, more...)
	}
	return edits, nil
}

// changesOfBuilds returns the files that must change for several directories that were
// built, beside those of plain files.
func (e *editor) changesOfBuilds(plain []files.Change) ([]files.Change, finding.List) {
	tree, err := TreeOf(e.paths)
	if err != nil {
		return nil, finding.List{{ID: finding.EditFile, Severity: finding.Error, Text: err.Error()}}
	}
	var dirs []string
	for _, built := range e.in.builds {
		dirs = append(dirs, built.Path)
	}
	e.consumers, e.covering = consumersIn(tree, dirs)
	all := clusterFixes{{edits: plain}}
	var found finding.List
	fixOf := func(built kustomize.Built) clusterFix {
		e.shared = nil
		edits, more := e.place(e, built)
		one := clusterFix{edits: edits, found: more, shared: e.shared}
		one.Path = built.Path
		return one
	}
	for _, built := range e.in.builds {
		one := fixOf(built)
		all, found = append(all, one), append(found, one.found...)
	}
	all.share(e.covering, func(i int, texts map[string][]byte) clusterFix {
		if i == 0 {
			return all[i] // plain files, which nobody builds once more
		}
		e.shares = texts
		return fixOf(e.in.builds[i-1])
	})
	all.settle(e.covering, false)
	found = append(found, all.sharedFindings(func(names []string) string { return e.Commands.patch(e.Commands.Verb, names...) },
		func(i int) error {
			built := e.in.builds[i-1]
			_, err := edit.Patches(built, e.in.kept[built.Path]...)
			return err
		})...)
	return all.changes(), found
}

// builtEdits returns the files for the edits of the build result.
func (e *editor) builtEdits(built kustomize.Built) ([]files.Change, finding.List) {
	var edits []files.Change
	var err error
	patches := e.Patch || edit.HasPatch(built.Path)
	if patches {
		edits, err = edit.Patches(built, e.in.kept[built.Path]...)
		edits = built.Shown(edits)
	} else {
		edits, err = e.ownEdits(built)
	}
	if shared, ok := errors.AsType[*edit.SharedError](err); ok && e.covering != nil {
		e.shared = append(e.shared, shared)
		return nil, nil // reported once, for all overlays
	}
	if err == nil {
		return edits, nil
	}
	found := placeFindings(built, err, e.Commands.patch(e.Commands.Verb, built.Path))
	var failed error
	if !patches {
		_, failed = edit.Patches(built)
	}
	for i := range found {
		switch {
		case e.Patch && found[i].ID == finding.EditNoPlace:
			found[i].Do = "make the edit by hand: something that kustomize runs after the patches, such as patchesJson6902 or a transformer, sets the field"
		case failed != nil && (found[i].ID == finding.EditNoPlace || found[i].ID == finding.EditShared || found[i].ID == finding.EditUnknown):
			found[i].Do = "make the edit by hand, because a patch of this overlay does not help either: " + failed.Error()
		}
	}
	return nil, found
}

// ownEdits returns the files of a kustomization, as they are, that hold the edits of what
// was built. A file that other directories of the run build, too, is edited if it has to be:
// the caller compares what the run decides for each.
func (e *editor) ownEdits(built kustomize.Built) ([]files.Change, error) {
	if e.consumers == nil {
		tree, err := TreeOf(e.paths)
		if err != nil {
			return nil, err
		}
		e.consumers = edit.ConsumersIn(tree.Root(), repo.Applied)
	}
	of := e.consumers
	if e.shares != nil {
		of = e.covering
	}
	edits, err := edit.InPlace(built, of)
	if _, ok := errors.AsType[*edit.SharedError](err); ok && e.covering != nil && e.shares == nil {
		edits, err = edit.InPlace(built, e.covering)
	}
	return built.Shown(edit.Taking(built, edits, e.shares)), err
}

// placeFindings reports why no file can hold the edits of the build result. patch is the
// command that gives the overlay a patch.
func placeFindings(built kustomize.Built, err error, patch string) finding.List {
	shared := &edit.SharedError{}
	f := finding.Finding{ID: finding.EditNoPlace, Severity: finding.Error, Object: finding.Object{File: built.Path}, Text: err.Error()}
	switch unsafe := (&manifest.UnsafeError{}); {
	case errors.As(err, &shared):
		if f.ID = finding.EditShared; len(shared.By) == 0 {
			f.ID = finding.EditUnknown
		}
		f.Do = "run " + patch + " to add a patch to this overlay alone"
	case errors.As(err, &unsafe):
		return withShownFiles(unsafeFindings(err), built.Path)
	case errors.Is(err, edit.ErrInlineForm):
		f.Do = "write the patch as a literal block or into a file, or run " + patch
	case errors.Is(err, edit.ErrNoPlace):
		f.Do = "run " + patch + ", or make the edit by hand"
	}
	return finding.List{f}
}

// withShownFiles returns findings with their files as the user would write them, from the
// directory that was built.
func withShownFiles(found finding.List, dir string) finding.List {
	root, err := files.Real(dir)
	if err != nil {
		return found
	}
	for i, f := range found {
		if below, err := filepath.Rel(root, filepath.FromSlash(f.Object.File)); err == nil && filepath.IsAbs(f.Object.File) {
			found[i].Object.File = filepath.ToSlash(filepath.Join(dir, below))
		}
	}
	return found
}

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
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		errs = several.Unwrap()
	}
	var found finding.List
	for _, err := range errs {
		unsafe := &manifest.UnsafeError{}
		if !errors.As(err, &unsafe) {
			found = append(found, finding.Finding{ID: finding.EditUnsafe, Severity: finding.Error, Text: err.Error()})
			continue
		}
		at := object.Ref(unsafe.Item)
		at.File = unsafe.File
		found = append(found, finding.Finding{
			ID: finding.EditUnsafe, Severity: finding.Error, Object: at, Line: unsafe.Reason.Line,
			Text: "goldenarch cannot edit the file safely: " + unsafe.Reason.Problem, Do: unsafe.Reason.Fix,
		})
	}
	return found
}

// TreeOf returns the tree that a run with these paths may write in.
func TreeOf(paths []string) (files.Tree, error) {
	return files.FindTree(slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return path == manifest.Stdin }))
}

// ConflictFindings reports each file that cannot be written.
func ConflictFindings(conflicts []*files.ConflictError) finding.List {
	var found finding.List
	for _, c := range conflicts {
		found = append(found, finding.Finding{
			ID: finding.EditFile, Severity: finding.Error, Object: finding.Object{File: files.FromHere(c.Name)},
			Text: "goldenarch cannot write the file: " + c.Err.Error(),
		})
	}
	return found
}
