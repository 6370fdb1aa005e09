package cli

import (
	"errors"
	"path/filepath"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/repo"
	"github.com/goldenarch/goldenarch/internal/sanitize"
)

// buildToFix builds a kustomization. goldenarch decides again on what an earlier run
// wrote into a patch, based on what the patch changes.
func (f *fix) buildToFix(dir string) (kustomization.Built, error) {
	if !kustomization.HasPatch(dir) {
		return f.builtFrom(kustomization.Request{Dir: dir})
	}
	return f.buildWithoutPatch(dir)
}

// builtEdits returns the files for the edits of the build result.
func (f *fix) builtEdits(paths []string, built kustomization.Built) ([]manifest.FileEdit, finding.List) {
	var edits []manifest.FileEdit
	var err error
	patches := f.patch || kustomization.HasPatch(built.Path)
	if patches {
		edits, err = built.PatchEdits(f.kept[built.Path]...)
		edits = built.Shown(edits)
	} else {
		edits, err = f.ownEdits(paths, built)
	}
	if shared, is := errors.AsType[*kustomization.SharedError](err); is && f.covering != nil {
		f.shared = append(f.shared, shared)
		return nil, nil // reported once, for all overlays
	}
	if err == nil {
		return edits, nil
	}
	found := placeFindings(built, err)
	var failed error
	if !patches {
		_, failed = built.PatchEdits()
	}
	for i := range found {
		switch {
		case f.patch && found[i].ID == finding.EditNoPlace:
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
func (f *fix) ownEdits(paths []string, built kustomization.Built) ([]manifest.FileEdit, error) {
	if f.consumers == nil {
		tree, err := treeOf(paths)
		if err != nil {
			return nil, err
		}
		f.consumers = kustomization.ConsumersIn(tree.Root(), repo.Applied)
	}
	edits, err := built.Edits(f.consumers)
	if _, is := errors.AsType[*kustomization.SharedError](err); is && f.covering != nil {
		edits, err = built.Edits(f.covering)
	}
	return built.Shown(edits), err
}

// placeFindings reports why no file can hold the edits of the build result.
func placeFindings(built kustomization.Built, err error) finding.List {
	shared := &kustomization.SharedError{}
	patch := sanitize.Command("goldenarch", "fix", "--patch", built.Path)
	f := finding.Finding{ID: finding.EditNoPlace, Severity: finding.Error, Object: finding.Object{File: built.Path}, Text: err.Error()}
	switch unsafe := (&manifest.UnsafeError{}); {
	case errors.As(err, &shared):
		f.ID, f.Do = sharedID(shared), "run "+patch+" to add a patch to this overlay alone"
	case errors.As(err, &unsafe):
		return withShownFiles(unsafeFindings(err), built.Path)
	case errors.Is(err, kustomization.ErrInlineForm):
		f.Do = "write the patch as a literal block or into a file, or run " + patch
	case errors.Is(err, kustomization.ErrNoPlace):
		f.Do = "run " + patch + ", or make the edit by hand"
	}
	return finding.List{f}
}

// sharedID returns the id of a finding about a file that others build, or may build.
func sharedID(shared *kustomization.SharedError) finding.ID {
	if len(shared.By) == 0 {
		return finding.EditUnknown
	}
	return finding.EditShared
}

// withShownFiles returns findings with their files as the user would write them, from the
// directory that was built.
func withShownFiles(found finding.List, dir string) finding.List {
	root, err := absoluteDir(dir)
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
