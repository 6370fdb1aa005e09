package cli

import (
	"errors"
	"path/filepath"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
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
	if f.patch || kustomization.HasPatch(built.Path) {
		edits, err = built.PatchEdits(f.kept[built.Path]...)
		edits = built.Shown(edits)
	} else {
		edits, err = editsOf(paths, built)
	}
	if shared, is := errors.AsType[*kustomization.SharedError](err); is {
		f.shared = append(f.shared, shared)
	}
	if err != nil {
		found := placeFindings(built, err)
		for i := range found {
			if f.patch && found[i].ID == finding.EditNoPlace {
				found[i].Do = "make the edit by hand: something that kustomize runs after the patches, such as patchesJson6902 or a transformer, sets the field"
			}
		}
		return nil, found
	}
	return edits, nil
}

// editsOf returns the files of a kustomization, as they are, that hold the edits of what
// was built.
func editsOf(paths []string, built kustomization.Built) ([]manifest.FileEdit, error) {
	tree, err := treeOf(paths)
	if err != nil {
		return nil, err
	}
	edits, err := built.Edits(tree.Root())
	return built.Shown(edits), err
}

// placeFindings reports why no file can hold the edits of the build result.
func placeFindings(built kustomization.Built, err error) finding.List {
	shared := &kustomization.SharedError{}
	f := finding.Finding{ID: finding.EditNoPlace, Severity: finding.Error, Object: finding.Object{File: built.Path}, Text: err.Error()}
	switch unsafe := (&manifest.UnsafeError{}); {
	case errors.As(err, &shared):
		f.ID, f.Do = finding.EditShared, "run "+sanitize.Command("goldenarch", "fix", "--patch", built.Path)+" to add a patch to this overlay alone"
	case errors.As(err, &unsafe):
		return withShownFiles(unsafeFindings(err), built.Path)
	case errors.Is(err, kustomization.ErrInlineForm):
		f.Do = "write the patch as a literal block or into a file, or run " + sanitize.Command("goldenarch", "fix", "--patch", built.Path)
	case errors.Is(err, kustomization.ErrNoPlace):
		f.Do = "run " + sanitize.Command("goldenarch", "fix", "--patch", built.Path) + ", or make the edit by hand"
	}
	return finding.List{f}
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
