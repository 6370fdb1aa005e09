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
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/repo"
)

// clusterImages are the images of one cluster of a repository.
type clusterImages struct {
	place    repo.Place
	function pipeline.Function
	images   pipeline.Images
	found    finding.List
	lock     string // the file
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
		locks, more = l.locksOf(layout, states, function)
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
	for _, one := range locks {
		if !found.Failed() {
			found = append(found, l.query(ctx, one, only)...)
		}
	}
	bar.clear()
	failed := l.report(append(found, l.flags.idleGiven()...))
	if err := errors.Join(l.flags.registry.end(), failed); err != nil {
		return err
	}
	return l.finishLocks(ctx, locks)
}

// locksOf returns the locks of the clusters, in the order of their files.
func (l *lockVerb) locksOf(layout repo.Layout, states *fleet.Fleet, function pipeline.Function) ([]*sharedLock, finding.List) {
	var out []*sharedLock
	var found finding.List
	for _, place := range layout.Places {
		one, err := l.imagesIn(place, states, function)
		if err == nil && one.lock == "" && !one.found.Failed() {
			continue
		}
		found = append(found, inCluster(one.found, place.Path)...)
		if err != nil {
			found = append(found, lockError(place.Path, err))
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

// imagesIn returns the images of a place; without a lock if it has none to lock.
func (l *lockVerb) imagesIn(place repo.Place, states *fleet.Fleet, function pipeline.Function) (clusterImages, error) {
	one := &lockVerb{file: l.file, render: l.alone(place)}
	one.build = func(dir string) (kustomization.Built, error) {
		return l.streams.built(kustomization.Request{Dir: dir, ToLock: true, LockFile: l.file})
	}
	out := clusterImages{place: place}
	items, found := one.readPlace(place)
	if out.found = found; found.Failed() {
		return out, nil
	}
	steps, err := one.steps()
	if err != nil {
		return out, err
	}
	one.prepare(&function)
	if out.found = append(out.found, one.givePolicy(&function, place, nil)...); out.found.Failed() {
		return out, nil
	}
	counting, stated := countingFor(function, items, configsOf(steps)[0])
	adds := states.Additions(states.EntryOf(place.Path), counting, stated, function.Live != nil)
	items, steps = withFleet(&function, adds, items, steps)
	out.function = function
	if out.found = append(out.found, adds.Found...); adds.Found.Failed() {
		return out, nil
	}
	images, more := function.Images(items, steps)
	out.images, out.found = images, append(out.found, more...)
	if len(images.CRs)+len(images.Pods) == 0 || out.found.Failed() {
		return out, nil
	}
	if out.lock = l.file; out.lock == "" {
		out.lock, err = lockPlace(images, one.bundles)
	}
	return out, err
}

// query queries the registries for the images of a lock.
func (l *lockVerb) query(ctx context.Context, one *sharedLock, only []imageref.Reference) finding.List {
	var found finding.List
	for i, c := range one.clusters {
		wanted := slices.DeleteFunc(slices.Clone(only), func(ref imageref.Reference) bool { return !slices.Contains(c.images.ToQuery, ref) })
		if len(only) > 0 && len(wanted) == 0 {
			continue
		}
		asked, dropped, err := l.references(c.images, one.file.Lock(), wanted, c.found)
		if err != nil {
			return append(found, lockError(c.place.Path, err))
		}
		if i == 0 {
			one.dropped = dropped
		}
		// Only what no cluster refers to leaves the lock.
		one.dropped = slices.DeleteFunc(one.dropped, func(ref imageref.Reference) bool { return !slices.Contains(dropped, ref) })
		answers, more := c.function.Answers(ctx, c.images, asked)
		found = append(found, inCluster(more, c.place.Path)...)
		for _, answer := range answers {
			found = append(found, one.add(answer, c.place.Path)...)
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
			found = append(found, inCluster(l.reportNotRead(c.function, []string{c.place.Path}, c.images, one.name), c.place.Path)...)
		}
	}
	return cmp.Or(differs, l.report(found))
}
