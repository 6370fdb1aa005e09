package cli

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/repo"
	"github.com/goldenarch/goldenarch/internal/sanitize"
)

// buildWithoutPatch builds a kustomization without the patches of goldenarch.
func (r *render) buildWithoutPatch(dir string) (kustomization.Built, error) {
	request, err := kustomization.WithoutPatch(dir)
	if err != nil {
		return kustomization.Built{}, err
	}
	return r.streams.built(request)
}

// unfitPatch returns the finding about a path that cannot be read. It names the patches of
// goldenarch if the build is right without them.
func (r *render) unfitPatch(path string, unreadable finding.Finding) finding.Finding {
	if !kustomization.In(path) || !kustomization.HasPatch(path) {
		return unreadable
	}
	if _, err := r.buildWithoutPatch(path); err != nil {
		return unreadable
	}
	unreadable.ID, unreadable.Object = finding.PatchUnfit, finding.Object{File: filepath.ToSlash(path)}
	unreadable.Text = "the patch of goldenarch does not fit what the base has now: " + unreadable.Text
	unreadable.Do = "run goldenarch fix " + sanitize.Escape(path) + ", which writes it again"
	return unreadable
}

// hasPatch reports whether a build that was read has patches of goldenarch.
func (r *render) hasPatch() bool {
	return slices.ContainsFunc(r.builds, func(b kustomization.Built) bool { return kustomization.HasPatch(b.Path) })
}

// patchFindings reports the patches of goldenarch that fix would write in another way. The
// decisions are those of fix on what read gives without the patches. It builds nothing
// where there is no patch.
func (r *render) patchFindings(
	ctx context.Context, function pipeline.Function, read func(one *render) ([]*yaml.RNode, []pipeline.Step, finding.List),
) finding.List {
	if !r.hasPatch() {
		return nil
	}
	one := r.alone(repo.Place{})
	one.crPaths = r.crPaths
	one.build = func(dir string) (kustomization.Built, error) {
		if kustomization.HasPatch(dir) {
			return r.buildWithoutPatch(dir)
		}
		return r.buildDir(dir)
	}
	items, steps, failed := read(&one)
	if failed.Failed() {
		return nil // the check reports it
	}
	one.prepare(&function)
	if _, failed := function.Fix(ctx, items, steps); failed.Failed() {
		return nil // as above
	}
	var found finding.List
	for _, built := range one.builds {
		i := slices.IndexFunc(r.builds, func(b kustomization.Built) bool { return b.Path == built.Path })
		if i < 0 || !kustomization.HasPatch(built.Path) {
			continue
		}
		found = append(found, stalePatches(built, r.builds[i])...)
	}
	return found
}

// stalePatches compares the patches of a directory with the decisions about what it builds
// without them.
func stalePatches(built, committed kustomization.Built) finding.List {
	files, err := built.StalePatches()
	if err != nil {
		return placeFindings(built, err)
	}
	hidden, err := built.HiddenIn(committed)
	if err != nil {
		return placeFindings(built, err)
	}
	do := "run goldenarch fix " + sanitize.Escape(built.Path)
	var found finding.List
	for _, h := range hidden {
		at := object.Ref(h.Item)
		found = append(found, finding.Finding{
			ID: finding.PatchHides, Severity: finding.Error, Object: at, Field: h.Field,
			Text: "the patch of goldenarch in " + sanitize.Escape(built.Path) + " hides what the base has here", Do: do,
		})
	}
	if len(files) > 0 && len(found) == 0 {
		found = append(found, finding.Finding{
			ID: finding.PatchStale, Severity: finding.Warning, Object: finding.Object{File: filepath.ToSlash(filepath.Join(built.Path, files[0]))},
			Text: "goldenarch fix would now write another patch: " + strings.Join(files, ", ") + " would change. " +
				"Until then the overlay may miss a decision, or hide what the base gets", Do: do,
		})
	}
	return found
}

// unread returns the finding about an input that cannot be used.
func unread(err error) finding.List {
	return finding.List{{ID: finding.Unreadable, Severity: finding.Error, Text: err.Error()}}
}
