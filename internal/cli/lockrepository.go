package cli

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/fleet"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/parallel"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/repo"
)

// clusterImages are the images of one cluster of a repository that are for one lock: steps
// of a kustomization may each have their own.
type clusterImages struct {
	fleet.Cluster

	function pipeline.Function
	images   pipeline.Images
	found    finding.List
	bundles  []bundle
	reported bool   // another part of the cluster reports the findings
	lock     string // the file, "" if there is nothing to lock
	err      error
}

// repository locks the images of the clusters of a repository. Several clusters may share
// a lock. If goldenarch cannot resolve one image, it writes no lock.
func (l *lockVerb) repository(
	ctx context.Context, root string, function pipeline.Function, only []imageref.Reference, bar *progress, earlier finding.List,
) error {
	states, layout, found, err := l.layout(root, function)
	if err != nil {
		return err
	}
	function.Open = (&fleet.SharedImages{Next: function.Open}).Open
	var locks []*sharedLock
	if !found.Failed() {
		var more finding.List
		locks, more = l.locksOf(ctx, layout, states, function)
		found = slices.Concat(earlier, found, l.untrusted.raised(layout.Found), l.untrusted.raised(l.skipped(layout)), l.untrusted.ignoredFiles(root), more)
	}
	if len(locks) == 0 && !found.Failed() {
		nothing := noCluster(layout, "locks")
		nothing.Severity = finding.Error
		found = append(found, nothing)
	}
	if !found.Failed() {
		found = append(found, unusedBy(locks, only)...)
	}
	if !found.Failed() {
		found = append(found, l.query(ctx, locks, only)...)
	}
	bar.clear()
	failed := l.report(append(found, l.flags.idleGiven()...))
	if err := errors.Join(l.flags.registry.end(), failed); err != nil {
		return err
	}
	return l.finishLocks(ctx, locks)
}

// locksOf returns the locks of the clusters, in the order of their files.
func (l *lockVerb) locksOf(ctx context.Context, layout repo.Layout, states *fleet.Fleet, function pipeline.Function) ([]*sharedLock, finding.List) {
	var out []*sharedLock
	var found finding.List
	all := states.At(layout.Places)
	parts := fleet.Run(all, func(c fleet.Cluster) []clusterImages { return l.imagesIn(ctx, c, states, function).byLock(l.file) })
	for _, one := range slices.Concat(parts...) {
		if one.err == nil && one.lock == "" && !one.found.Failed() {
			continue
		}
		if !one.reported {
			found = append(found, inCluster(one.found, one.Path)...)
		}
		if one.err != nil {
			found = append(found, lockError(one.Path, one.err))
			continue
		}
		i := slices.IndexFunc(out, func(other *sharedLock) bool { return lock.Target(other.name) == lock.Target(one.lock) })
		if i < 0 {
			opened, more, err := (&lockVerb{file: one.lock, tree: l.tree}).open(one.images)
			if err != nil {
				more = append(more, lockError("", err))
			}
			found = append(found, more...)
			i, out = len(out), append(out, &sharedLock{openedLock: opened})
		}
		out[i].clusters = append(out[i].clusters, one)
	}
	return out, found
}

// byLock returns the images of a cluster by the lock that they are for, which is the given
// file if it is not "".
func (c clusterImages) byLock(file string) []clusterImages {
	if len(c.images.CRs)+len(c.images.Pods) == 0 || c.err != nil || c.found.Failed() {
		return []clusterImages{c}
	}
	all := []pipeline.Images{c.images}
	if file == "" {
		all = c.images.ByLock()
	}
	var out []clusterImages
	for _, images := range all {
		if len(images.CRs)+len(images.Pods) == 0 {
			continue // the step has nothing to lock
		}
		one := c
		one.images, one.lock, one.reported = images, file, len(out) > 0
		if one.lock == "" {
			one.lock, one.err = lockPlace(images, c.bundles)
		}
		out = append(out, one)
	}
	return out
}

// imagesIn returns the images of a place.
func (l *lockVerb) imagesIn(ctx context.Context, place fleet.Cluster, states *fleet.Fleet, function pipeline.Function) clusterImages {
	one := &lockVerb{file: l.file, render: l.alone(place.Place)}
	one.build = func(dir string) (kustomization.Built, error) {
		return one.builtFrom(kustomization.Request{Dir: dir, ToLock: true, LockFile: l.file})
	}
	out := clusterImages{Cluster: place}
	one.runGenerators(ctx, withoutLock(function))
	items, found := one.readPlace(place.Place)
	if out.found = found; found.Failed() {
		return out
	}
	steps, err := one.steps()
	if err != nil {
		out.err = err
		return out
	}
	one.prepare(&function)
	if out.found = append(out.found, one.givePolicy(&function, place.Place, nil)...); out.found.Failed() {
		return out
	}
	counting, stated := countingFor(function, items, configsOf(steps)[0])
	adds := states.Additions(place.Entry, counting, stated, function.Live != nil)
	items, steps = withFleet(&function, adds, items, steps)
	out.function = function
	if out.found = append(out.found, adds.Found...); adds.Found.Failed() {
		return out
	}
	images, more := function.Images(items, steps)
	out.images, out.found, out.bundles = images, append(out.found, more...), one.bundles
	return out
}

// clusterQuery are the images of one cluster that a lock needs, and the answers.
type clusterQuery struct {
	clusterImages

	of      *sharedLock
	asked   []imageref.Reference
	answers []registry.Image
	found   finding.List
}

// query queries the registries for the images of the locks, several clusters at once.
func (l *lockVerb) query(ctx context.Context, locks []*sharedLock, only []imageref.Reference) finding.List {
	var queries []*clusterQuery
	for _, one := range locks {
		for i, c := range one.clusters {
			wanted := slices.DeleteFunc(slices.Clone(only), func(ref imageref.Reference) bool { return !slices.Contains(c.images.ToQuery, ref) })
			if len(only) > 0 && len(wanted) == 0 {
				continue
			}
			asked, dropped, err := l.references(c.images, one.file.Lock(), wanted, c.found)
			if err != nil {
				return finding.List{lockError(c.Path, err)}
			}
			if i == 0 {
				one.dropped = dropped
			}
			// Only what no cluster refers to leaves the lock.
			one.dropped = slices.DeleteFunc(one.dropped, func(ref imageref.Reference) bool { return !slices.Contains(dropped, ref) })
			queries = append(queries, &clusterQuery{clusterImages: c, of: one, asked: asked})
		}
	}
	parallel.Queue(len(queries), fleet.Workers(), func(i int) {
		q := queries[i]
		q.answers, q.found = q.function.Answers(ctx, q.images, q.asked)
	})
	var found finding.List
	for _, q := range queries {
		found = append(found, inCluster(q.found, q.Path)...)
		for _, answer := range q.answers {
			found = append(found, q.of.add(answer, q.Path)...)
		}
	}
	return found
}

// finishLocks writes the locks, or shows how they differ from the registries.
func (l *lockVerb) finishLocks(ctx context.Context, locks []*sharedLock) error {
	differs := error(nil)
	var writes []lockWrite
	for _, one := range locks {
		inputs := make([]pipeline.Images, len(one.clusters))
		for i, c := range one.clusters {
			inputs[i] = c.images
		}
		changes := l.differences(one.answers, one.dropped, inputs...)
		if l.check {
			if err := l.show(one.name, changes(one.file.Lock())); errors.Is(err, errDiffers) {
				differs = err
			} else if err != nil {
				return err
			}
		}
		writes = append(writes, lockWrite{one.openedLock, changes})
	}
	if !l.check {
		if err := l.write(ctx, writes); err != nil {
			return err
		}
	}
	var found finding.List
	for _, one := range locks {
		for _, c := range one.clusters {
			found = append(found, inCluster(l.reportNotRead(c.function, []string{c.Path}, c.images, one.name), c.Path)...)
		}
	}
	return cmp.Or(differs, l.report(found))
}
