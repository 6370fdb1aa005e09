package workspace

import (
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/kustomize/edit"
)

// keptPatches has the files with patches of goldenarch that a run keeps, by the directory
// as the user named it: those for objects that the run does not decide on.
type keptPatches map[string][]string

// withoutPatches requests a build of a directory without the patches of goldenarch, except those
// that the run keeps: it decides again on what the patches change.
func (r *reader) withoutPatches(dir string) (kustomize.Request, error) {
	if !edit.HasPatch(dir) {
		return kustomize.Request{Dir: dir}, nil
	}
	return edit.WithoutPatch(dir, r.kept[dir]...)
}

// fixDecision is what fix decides about an input, and what it has read for that.
type fixDecision struct {
	input

	// before are the items as they are without the patches, and after as they should be.
	before, after []*yaml.RNode
	// Read are the findings about the input. After an error among them nothing is decided.
	read finding.List
	// Found are those of the decision.
	found finding.List
}

// decideWithoutPatches decides about an input as fix does: on what it is without the patches of
// goldenarch, except those that the run keeps, because it does not decide on their objects.
// Which these are, only a run on the input shows. So it may read the input again, and decide again.
func (r *reader) decideWithoutPatches(ctx context.Context, function engine.Function, t target) (fixDecision, error) {
	for in := r; ; {
		var out fixDecision
		var err error
		if out.input, out.read, err = in.readTarget(function, t); err != nil || out.read.Failed() {
			return out, err
		}
		out.before = slices.Clone(out.items)
		var decided engine.Decided
		out.after, decided, out.found = out.function.Fix(ctx, out.items, out.steps)
		// Only the run shows which objects it does not decide on. One that failed may do so because of what a kept patch
		// changes.
		kept := in.withKept(decided)
		if maps.EqualFunc(kept, in.kept, slices.Equal) {
			return out, nil
		}
		in = r.again(kept)
	}
}

// withKept adds the patches outside of a scope to those that the run keeps.
func (r *reader) withKept(scope edit.Scope) keptPatches {
	out := keptPatches{}
	maps.Copy(out, r.kept)
	for _, built := range r.builds {
		files := slices.Sorted(slices.Values(slices.Concat(edit.PatchesOutside(built, scope), r.kept[built.Path])))
		if files = slices.Compact(files); len(files) > 0 {
			out[built.Path] = files
		}
	}
	return out
}

// unfitPatch returns the finding about a path that cannot be read. It names the patches of
// goldenarch if the build is right without them.
func (r *reader) unfitPatch(path string, unreadable finding.Finding) finding.Finding {
	if !kustomize.In(path) || !edit.HasPatch(path) {
		return unreadable
	}
	if kept := r.kept[path]; len(kept) > 0 {
		unreadable.ID, unreadable.Object = finding.PatchUnfit, finding.Object{File: filepath.ToSlash(filepath.Join(path, kept[0]))}
		unreadable.Text = "this run does not decide on the objects of " + strings.Join(kept, ", ") +
			", so it keeps these patches of goldenarch, and one does not fit what the base has now: " + unreadable.Text
		unreadable.Do = "run goldenarch fix " + console.Escape(path) + " with the configuration or the flags that wrote it (for pods --workloads Affinity)"
		return unreadable
	}
	request, err := r.withoutPatches(path)
	if err == nil {
		_, err = r.Build(request)
	}
	if err != nil {
		return unreadable
	}
	unreadable.ID, unreadable.Object = finding.PatchUnfit, finding.Object{File: filepath.ToSlash(path)}
	unreadable.Text = "the patch of goldenarch does not fit what the base has now: " + unreadable.Text
	unreadable.Do = "run " + cmp.Or(r.Commands.fix(r.paths...), r.Commands.fix(path)) + ", which writes it again"
	return unreadable
}

// hasPatch reports whether a build that was read has patches of goldenarch.
func (r *reader) hasPatch() bool {
	return slices.ContainsFunc(r.builds, func(b kustomize.Built) bool { return edit.HasPatch(b.Path) })
}

// patchFindings reports the patches of goldenarch that fix would write in another way. The
// decisions are those of fix on what the target is without the patches. It builds nothing
// where there is no patch.
func (r *reader) patchFindings(ctx context.Context, function engine.Function, t target) finding.List {
	if !r.hasPatch() {
		return nil
	}
	own := *r.Options // reading may add places of CRs
	base := own.newReader()
	base.unpatched, base.stdin = true, r.stdin
	decided, err := base.decideWithoutPatches(ctx, function, t)
	if err != nil || decided.read.Failed() || decided.found.Failed() {
		return nil // the check reports it
	}
	var found finding.List
	for _, built := range decided.builds {
		i := slices.IndexFunc(r.builds, func(b kustomize.Built) bool { return b.Path == built.Path })
		if i < 0 || !edit.HasPatch(built.Path) {
			continue
		}
		do := "run " + cmp.Or(function.FixCommand, r.Commands.fix(built.Path))
		found = append(found, r.stalePatches(built, r.builds[i], do)...)
	}
	return found
}

// stalePatches compares what a directory builds with its patches to the decisions about what it builds
// without them. do is what writes the patches again.
func (r *reader) stalePatches(built, committed kustomize.Built, do string) finding.List {
	stale, err := edit.Stale(built, committed)
	if err != nil {
		return placeFindings(built, err, r.Commands.patch("fix", built.Path))
	}
	if len(stale) == 0 {
		return nil
	}
	objects := make([]string, len(stale))
	for i, item := range stale {
		objects[i] = item.GetKind() + " " + item.GetName()
	}
	return finding.List{{
		ID: finding.PatchStale, Severity: finding.Warning, Object: finding.Object{File: filepath.ToSlash(built.Path)},
		Text: "the patches of goldenarch no longer give what it decides about " + console.Escape(finding.FirstOf(objects)) +
			". The overlay may miss a decision, or hide what the base gets", Do: do,
	}}
}
