package workspace

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/customize"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/input/kustomization/edit"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/repo"
)

// Customize changes the CR of paths as a user asks for. A run that failed has nothing to write: its result is nil.
func (o *Options) Customize(ctx context.Context, paths []string, function pipeline.Function, request customize.Request) (*Fixed, finding.List, error) {
	in := o.newReader()
	items, found := in.read(paths)
	if root, ok := isRepository(in, paths, items, found); ok {
		clusters, several, err := o.clusters(root, function)
		if err != nil || several.Failed() {
			return nil, several, err
		}
		if len(clusters) == 1 {
			in = o.placeReader()
			paths = []string{clusters[0].Path}
			items, found = in.readPlace(clusters[0])
		}
	}
	if found.Failed() {
		return nil, in.located(found), nil
	}
	input, more, err := in.preparePaths(&function, paths, items)
	if found = append(found, more...); err != nil || found.Failed() {
		return nil, in.located(found), err
	}
	found = in.located(append(found, function.Customize(ctx, input.items, input.steps, request)...))
	if found.Failed() {
		return nil, found, nil
	}
	edit := editor{in: in, verb: "fix", place: customizedEdits}
	changes, more := edit.changes(paths, input.items, input.items)
	if found = append(found, more...); found.Failed() {
		return nil, found, nil
	}
	return &Fixed{Changes: changes, Paths: in.CRPaths.files(paths)}, found, nil
}

// customizedEdits returns the files that hold a customization of what was built. The patch
// that goldenarch writes is for its own decisions, which each run of fix replaces.
func customizedEdits(e *editor, paths []string, built kustomization.Built) ([]manifest.FileEdit, finding.List) {
	edits, err := e.ownEdits(paths, built)
	if err == nil {
		return edits, nil
	}
	found := placeFindings(built, err, e.patchCommand(built.Path))
	for i, f := range found {
		if f.ID == finding.EditShared || f.ID == finding.EditUnknown || f.ID == finding.EditNoPlace {
			found[i].Do = "customize the directory of the file, for all who build it, or add a patch to this overlay by hand"
			if shared, ok := errors.AsType[*edit.SharedError](err); ok {
				found[i].Do = fmt.Sprintf("name %s to customize the CR of all of them, or add a patch to this overlay by hand", console.Escape(path.Dir(shared.File)))
			}
		}
	}
	return nil, found
}

// clusters returns the clusters of a directory. Several are an error: customize edits one CR.
func (o *Options) clusters(root string, function pipeline.Function) ([]repo.Place, finding.List, error) {
	_, layout, found, err := o.layout(root, function, scan{})
	if err != nil || found.Failed() || len(layout.Places) < 2 {
		return layout.Places, found, err
	}
	var names []string
	for _, place := range layout.Places {
		names = append(names, filepath.ToSlash(place.Path))
	}
	f := finding.Finding{
		ID: finding.CustomizeWhichCR, Severity: finding.Error,
		Text: fmt.Sprintf("the directory has %d clusters, and customize edits the CR of one: %s", len(names), strings.Join(names, ", ")),
		Do:   "name one of them",
	}
	if len(layout.Shared) > 0 {
		f.Do += ", or the base that they share: " + strings.Join(layout.Shared, ", ")
	}
	return layout.Places, append(found, f), nil
}
