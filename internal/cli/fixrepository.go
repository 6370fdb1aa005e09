package cli

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/fleet"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/report"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
	"github.com/goldenarch/goldenarch/internal/write"
)

// repository writes the decisions about the clusters of a repository into its files. An
// error in one cluster leaves all files as they are.
func (f *fix) repository(ctx context.Context, root string, function pipeline.Function, found finding.List) error {
	states, layout, more, err := f.layout(root, function)
	if err != nil {
		return err
	}
	if err := f.forOneCluster(layout); err != nil {
		return err
	}
	found = slices.Concat(found, more, layout.Found, f.skipped(layout))
	function.Open = (&fleet.SharedImages{Next: function.Open}).Open
	var changes []write.Change
	clusters := &report.Repository{}
	if !more.Failed() {
		all := states.At(layout.Places)
		var shared []*kustomization.SharedError
		fixed := fleet.Run(all, func(c fleet.Cluster) placeFix { return f.fixPlace(ctx, root, c, states, function, nil) })
		for i, done := range fixed {
			if done.has {
				clusters.Clusters = append(clusters.Clusters, report.Cluster{Path: all[i].Path})
			}
			found, shared = append(found, done.found...), append(shared, done.shared...)
			changes, more = joined(changes, done.changes)
			found = append(found, more...)
		}
		found = append(found, states.Unmatched(root)...)
		found = append(found, sharedFindings(root, shared)...)
	}
	found = report.Check{Findings: found.Sorted(), Repository: clusters}.Shown()
	if err := f.flags.registry.end(); err != nil {
		return errors.Join(err, f.tell(found))
	}
	if found.Failed() {
		return f.tell(found)
	}
	if len(clusters.Clusters) == 0 {
		found = append(found, noCluster(layout, "changes"))
	}
	f.streams.printer.Message("%s in %s", finding.Count(len(clusters.Clusters), "cluster"), root)
	return f.finish(ctx, []string{root}, changes, found)
}

// placeFix is what the decisions about one cluster of a repository change.
type placeFix struct {
	changes []write.Change
	found   finding.List
	shared  []*kustomization.SharedError
	has     bool // the place has a CR, or pods that the run is about
}

// fixPlace decides on one cluster. It keeps the given patches, if it knows them: where the
// run has to keep patches that only a first build shows, it calls itself with them.
func (f *fix) fixPlace(
	ctx context.Context, root string, place fleet.Cluster, states *fleet.Fleet, given pipeline.Function, kept keptPatches,
) placeFix {
	function := given
	one := &fix{patch: f.patch, render: f.alone(place.Place)}
	one.kept = kept
	one.build = one.buildToFix
	one.runGenerators(ctx, function)
	items, found := one.readPlace(place.Place)
	fail := func(err error) placeFix {
		return placeFix{found: append(found, finding.Finding{ID: finding.Unreadable, Severity: finding.Error, Text: err.Error()}), has: true}
	}
	if found.Failed() {
		return placeFix{found: inCluster(found, place.Path), has: true}
	}
	steps, err := one.steps()
	if err != nil {
		return fail(err)
	}
	if err := one.giveFacts(&function); err != nil {
		return fail(err)
	}
	adds := states.Additions(place.Entry, items, configsOf(steps)[0], function.Live != nil)
	if found = append(found, adds.Found...); adds.Found.Failed() {
		return placeFix{found: inCluster(found, place.Path), has: true}
	}
	before, steps := withFleet(&function, adds, items, steps)
	if kept := one.patchesToKeep(function, before, steps); len(kept) > 0 {
		return f.fixPlace(ctx, root, place, states, given, kept)
	}
	fixed, decided, more := function.Fix(ctx, slices.Clone(before), steps)
	if kept := one.undecidedPatches(decided); kept != nil && !more.Failed() {
		return f.fixPlace(ctx, root, place, states, given, kept)
	}
	has := !slices.ContainsFunc(more, func(f finding.Finding) bool { return f.ID == finding.NoCR }) &&
		(!slices.ContainsFunc(configsOf(steps), function.AboutPods) || slices.ContainsFunc(object.All(before), mayMatter))
	found = append(found, withoutID(more, finding.NoCR)...)
	if found.Failed() {
		return placeFix{found: inCluster(found, place.Path), has: has}
	}
	changes, more := one.changes([]string{root}, before, fixed)
	if len(one.shared) > 0 {
		more = withoutID(more, finding.EditShared) // reported once, for all overlays
	}
	return placeFix{changes: changes, found: inCluster(append(found, more...), place.Path), shared: one.shared, has: has}
}

// mayMatter reports whether an object is a CR, or may have pods.
func mayMatter(o object.Object) bool {
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

// joined adds the changes of a cluster to those of others. Two clusters that need
// different texts of one file are an error.
func joined(all, more []write.Change) ([]write.Change, finding.List) {
	var found finding.List
	for _, change := range more {
		i := slices.IndexFunc(all, func(other write.Change) bool { return other.Name == change.Name })
		switch {
		case i < 0:
			all = append(all, change)
		case !bytes.Equal(all[i].After, change.After):
			found = append(found, finding.Finding{
				ID: finding.EditShared, Severity: finding.Error, Object: finding.Object{File: change.Name},
				Text: "two clusters need different texts of this file, so goldenarch changes neither", Do: "keep the CR of each cluster in a file of its own",
			})
		}
	}
	slices.SortStableFunc(all, func(a, b write.Change) int { return strings.Compare(a.Name, b.Name) })
	return all, found
}
