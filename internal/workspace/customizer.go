package workspace

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/engine/customize"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/kustomize/edit"
)

// Customize changes the CR of paths as a user asks for. A run that failed has nothing to write: its result is nil.
func (o *Options) Customize(ctx context.Context, paths []string, function engine.Function, request customize.Request) (*Fixed, finding.List, error) {
	of, err := o.find(paths, function, scan{})
	if err != nil {
		return nil, nil, err
	}
	if len(of.targets) == 0 {
		return nil, append(slices.Concat(of.found, of.layout.Found, asWarnings(append(of.beside, of.layout.Unread...)), o.skipped(of.layout)), noCluster(of.layout, "changes", finding.Error)), nil
	}
	if found := append(of.found, severalClusters(of)...); found.Failed() {
		return nil, found, nil
	}
	t := of.targets[0]
	in, found, err := o.readerOf(t).readTarget(function, t)
	if err != nil || found.Failed() {
		return nil, in.located(found), err
	}
	found = in.located(append(found, in.function.Customize(ctx, in.items, in.steps, request)...))
	if found.Failed() {
		return nil, found, nil
	}
	paths = in.CRPaths.files(paths)
	edit := editor{clusterFixer: &clusterFixer{Fixer: &Fixer{Options: *o}, paths: paths}, in: in.reader, place: customizedEdits}
	changes, more := edit.changes(in.items, in.items)
	if found = append(found, more...); found.Failed() {
		return nil, found, nil
	}
	return &Fixed{Changes: changes, Paths: paths}, found, nil
}

// customizedEdits returns the files that hold a customization of what was built. The patch
// that goldenarch writes is for its own decisions, which each run of fix replaces.
func customizedEdits(e *editor, built kustomize.Built) ([]files.Change, finding.List) {
	edits, err := e.ownEdits(built)
	if err == nil {
		return edits, nil
	}
	found := placeFindings(built, err, e.Commands.patch(e.Commands.Verb, built.Path))
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

// severalClusters reports several clusters: customize edits one CR.
func severalClusters(of run) finding.List {
	if len(of.targets) < 2 {
		return nil
	}
	names := of.paths()
	f := finding.Finding{
		ID: finding.CustomizeWhichCR, Severity: finding.Error,
		Text: fmt.Sprintf("the directory has %d clusters, and customize edits the CR of one: %s", len(names), filepath.ToSlash(strings.Join(names, ", "))),
		Do:   "name one of them",
	}
	if len(of.layout.Shared) > 0 {
		f.Do += ", or the base that they share: " + strings.Join(of.layout.Shared, ", ")
	}
	return finding.List{f}
}
