package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/fleet"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/output"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/repo"
	"github.com/goldenarch/goldenarch/internal/report"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
)

// repository writes the decisions about the clusters of a repository into its files. An
// error in one cluster leaves all files as they are, or those of that cluster with
// --keep-going.
func (f *fix) repository(ctx context.Context, root string, function pipeline.Function, found finding.List) error {
	states, layout, more, err := f.layout(root, function)
	if err != nil {
		return err
	}
	return f.places(ctx, root, function, states, layout, found, more)
}

// places writes the decisions about the clusters of a layout. unusable are the findings of the
// Fleet: after an error among them no cluster is decided on.
func (f *fix) places(
	ctx context.Context, root string, function pipeline.Function, states *fleet.Fleet, layout repo.Layout, found, unusable finding.List,
) error {
	if err := f.forOneCluster(layout); err != nil {
		return err
	}
	tree, err := treeOf([]string{root})
	if err != nil {
		return err
	}
	found = slices.Concat(found, unusable, layout.Found, f.skipped(layout))
	function.Open = (&fleet.SharedImages{Next: function.Open}).Open
	clusters := &report.Repository{}
	var all placeFixes
	if !unusable.Failed() {
		f.consumers = kustomization.ConsumersIn(tree.Root(), repo.Applied)
		var paths []string
		for _, place := range layout.Places {
			paths = append(paths, place.Path)
		}
		f.covering = f.consumers.Covering(paths)
		all = fleet.Run(states.At(layout.Places), func(c fleet.Cluster) placeFix { return f.fixPlace(ctx, root, c, states, function, nil) })
		found = append(found, states.Unmatched(root)...)
		all.settle(f.covering, f.keepGoing)
		if f.keepGoing {
			_, conflicts := tree.Prepare(all.changes())
			all.cannotWrite(conflicts, f.covering)
		}
		found = append(found, all.sharedFindings(
			func([]string) string { return f.patchCommand(root) },
			func(i int) error {
				patched := *f
				patched.patch = true
				return firstError(patched.fixPlace(ctx, root, all[i].Cluster, states, function, nil).found)
			},
		)...)
	}
	for _, done := range all {
		if done.has {
			clusters.Clusters = append(clusters.Clusters, report.Cluster{Path: done.Path})
		}
		found = append(found, done.found...)
	}
	found = report.Check{Findings: found.Sorted(), Repository: clusters}.Shown()
	if err := f.flags.registry.end(); err != nil {
		return errors.Join(err, f.tell(found))
	}
	if found.Failed() && (!f.keepGoing || unusable.Failed()) {
		return f.tell(found)
	}
	if len(clusters.Clusters) == 0 {
		return f.tell(append(found, nothingIsError(finding.List{noCluster(layout, "changes")}, false)...))
	}
	if f.sets != nil {
		return f.sets(ctx, all.changes(), found)
	}
	f.streams.printer.Message("%s in %s", finding.Count(len(clusters.Clusters), "cluster"), root)
	if failed := all.failed(); len(failed) > 0 {
		f.streams.printer.Message("not changed, because they have errors: %s", strings.Join(failed, ", "))
	}
	return f.finish(ctx, []string{root}, all.changes(), found)
}

// fixPlace decides on one cluster. It keeps the given patches, if it knows them: where the
// run has to keep patches that only a first build shows, it calls itself with them.
func (f *fix) fixPlace(
	ctx context.Context, root string, place fleet.Cluster, states *fleet.Fleet, given pipeline.Function, kept keptPatches,
) placeFix {
	function := given
	one := &fix{patch: f.patch, sets: f.sets, render: f.forPlaceOnly(place.Place), consumers: f.consumers, covering: f.covering}
	one.kept = kept
	one.build = one.buildToFix
	one.runGenerators(ctx, function)
	items, found := one.readPlace(place.Place)
	result := func(found finding.List, has bool) placeFix {
		return placeFix{Cluster: place, found: inCluster(found, place.Path), has: has}
	}
	fail := func(err error) placeFix {
		return result(append(found, finding.Finding{ID: finding.Unreadable, Severity: finding.Error, Text: err.Error()}), true)
	}
	if found.Failed() {
		return result(found, true)
	}
	steps, err := one.steps()
	if err != nil {
		return fail(err)
	}
	if err := one.giveFacts(&function, place.Path, items); err != nil {
		return fail(err)
	}
	adds := states.Additions(place.Entry, items, configsOf(steps)[0], function.Live != nil)
	if found = append(found, adds.Found...); adds.Found.Failed() {
		return result(found, true)
	}
	if f.undoes {
		return one.undone(root, place, items, configsOf(steps), found)
	}
	before, steps := withFleet(&function, adds, items, steps)
	if kept := one.patchesToKeep(function, before, steps); len(kept) > 0 {
		return f.fixPlace(ctx, root, place, states, given, kept)
	}
	fixed, decided, more := function.Fix(ctx, slices.Clone(before), steps)
	if kept := one.undecidedPatches(decided); kept != nil { // also after an error: a kept patch may change what it is about
		return f.fixPlace(ctx, root, place, states, given, kept)
	}
	has := !slices.ContainsFunc(more, func(f finding.Finding) bool { return f.ID == finding.NoCR }) &&
		(!slices.ContainsFunc(configsOf(steps), function.AboutPods) || slices.ContainsFunc(object.All(before), mayHoldCROrPods))
	found = append(found, withoutID(more, finding.NoCR)...)
	if found.Failed() {
		return result(found, has)
	}
	changes, more := one.changes([]string{root}, before, fixed)
	out := result(append(found, more...), has)
	out.edits, out.shared = changes, one.shared
	return out
}

// undone takes out of the files of a cluster what earlier runs wrote.
func (f *fix) undone(root string, place fleet.Cluster, items, configs []*yaml.RNode, found finding.List) placeFix {
	out := placeFix{Cluster: place, found: append(found, output.Undo(items, configs)...), has: slices.ContainsFunc(object.All(items), mayHoldCROrPods)}
	if !out.found.Failed() {
		changes, more := f.changes([]string{root}, items, items)
		out.edits = changes
		out.found, out.shared = append(out.found, more...), f.shared
	}
	out.found = inCluster(out.found, place.Path)
	return out
}

// mayHoldCROrPods reports whether an object is a CR, or may have pods.
func mayHoldCROrPods(o object.Object) bool {
	return kinds.IsCR(o) || forecast.IsSSP(o.At.APIVersion, o.At.Kind) || podspec.MayHave(o.Node.YNode())
}

// inCluster names the cluster in the objects of findings.
func inCluster(found finding.List, path string) finding.List {
	for i := range found {
		if path != "." {
			found[i].Object.Cluster = path
		}
	}
	return found
}
