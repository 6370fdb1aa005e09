package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/parallel"
	"github.com/goldenarch/goldenarch/internal/workspace/fleet"
)

// clusterImages are the images of one cluster that are for one lock: steps of a kustomization may each have their own.
type clusterImages struct {
	target

	input

	images   engine.Images
	only     []imageref.Reference // those to query; all if --only names none
	found    finding.List
	reported bool   // another part of the cluster reports the findings
	lock     string // the file, "" if there is nothing to lock
	err      error
}

// locksOf returns the locks of the clusters of a run, in the order of their files. The error is that of a run about one input.
func (l *Locker) locksOf(ctx context.Context, of run, function engine.Function) ([]*SharedLock, finding.List, error) {
	found := of.found
	if found.Failed() {
		return nil, found, nil
	}
	parts := fleet.Run(ctx, of.targets, func(_ context.Context, t target) []clusterImages { return l.byLock(l.imagesIn(t, function)) })
	found = slices.Concat(found, l.Base.raised(of.layout.Found), l.Base.raised(asWarnings(append(of.beside, of.layout.Unread...))), l.Base.raised(l.skipped(of.layout)))
	if !of.isOne() {
		found = append(found, l.Base.ignoredFiles(of.root)...)
	}
	var out []*SharedLock
	for _, one := range slices.Concat(parts...) {
		if !one.reported && (one.lock != "" || one.err != nil || one.found.Failed()) {
			found = append(found, one.in(one.found)...)
		}
		i := slices.IndexFunc(out, func(other *SharedLock) bool { return lock.Target(other.Name) == lock.Target(one.lock) })
		if i < 0 && one.err == nil && one.lock != "" {
			var opened *SharedLock
			var more finding.List
			opened, more, one.err = openLock(l.Tree, one.lock)
			found = append(found, more...)
			i, out = len(out), append(out, opened)
		}
		switch {
		case one.err != nil && of.isOne():
			return nil, found, one.err
		case one.err != nil:
			found = append(found, lockError(one.Path, one.err))
		case one.lock != "":
			out[i].clusters = append(out[i].clusters, one)
		}
	}
	return out, found, nil
}

// byLock returns the images of a cluster by the lock that they are for. What the user names may have a lock alone.
func (l *Locker) byLock(c clusterImages) []clusterImages {
	if hasNothing(c.images) && !c.named || c.err != nil || c.found.Failed() {
		return []clusterImages{c}
	}
	all := []engine.Images{c.images}
	if l.File == "" {
		all = c.images.ByLock()
	}
	var out []clusterImages
	for _, images := range all {
		if hasNothing(images) && !c.named {
			continue // the step has nothing to lock
		}
		one := c
		one.images, one.lock, one.reported, one.only = images, l.File, len(out) > 0, l.Only
		if !c.named || len(all) > 1 {
			one.only = slices.DeleteFunc(slices.Clone(l.Only), func(ref imageref.Reference) bool { return !slices.Contains(images.ToQuery, ref) })
		}
		switch {
		case one.lock == "":
			one.lock, one.err = lockPlace(images, c.bundles)
		case hasNothing(images) && len(l.Only) == 0 && !files.Exists(one.lock):
			one.err = errNothingToLock
		}
		out = append(out, one)
	}
	return out
}

// hasNothing reports whether an input has nothing that names an image: no CR, no pods and no
// machine.
func hasNothing(images engine.Images) bool {
	return len(images.CRs)+len(images.Pods)+len(images.Machines) == 0
}

// imagesIn returns the images of a cluster.
func (l *Locker) imagesIn(t target, function engine.Function) clusterImages {
	in := l.readerOf(t)
	in.request = kustomize.Request{ToLock: true, LockFile: l.File} // a lock that a kustomization lists need not exist yet
	read := input{reader: in, function: function}
	var found finding.List
	var err error
	if l.needsNoPath(t.paths) && t.named { // the flags say all
		read.steps, err = in.steps(nil)
	} else {
		read, found, err = in.readTarget(function, t)
	}
	out := clusterImages{target: t, input: read, found: found, err: err}
	if err != nil || found.Failed() {
		out.found = in.located(found)
		return out
	}
	var more finding.List
	out.images, more = read.function.Images(read.items, read.steps)
	out.found = in.located(append(out.found, more...))
	return out
}

// query queries the registries for the images of the locks, several clusters at once. The error is that of what the user names.
func (l *Locker) query(ctx context.Context, locks []*SharedLock) (finding.List, error) {
	type query struct {
		clusterImages

		of      *SharedLock
		asked   []imageref.Reference
		answers []registry.Image
		found   finding.List
	}
	var queries []*query
	for _, one := range locks {
		for i, c := range one.clusters {
			if len(l.Only) > 0 && len(c.only) == 0 {
				continue
			}
			asked, dropped, err := l.references(c.images, one.file.Lock(), c.only, c.found)
			switch {
			case err != nil && c.named:
				return nil, err
			case err != nil:
				return finding.List{lockError(c.Path, err)}, nil
			case i == 0:
				one.dropped = dropped
			}
			// Only what no cluster refers to leaves the lock.
			one.dropped = slices.DeleteFunc(one.dropped, func(ref imageref.Reference) bool { return !slices.Contains(dropped, ref) })
			queries = append(queries, &query{clusterImages: c, of: one, asked: asked})
		}
	}
	parallel.Queue(len(queries), fleet.Waiting, func(i int) {
		q := queries[i]
		q.answers, q.found = q.images.Answers(ctx, q.asked)
	})
	var found finding.List
	for _, q := range queries {
		found = append(found, q.in(q.located(q.found))...)
		for _, answer := range q.answers {
			found = append(found, q.of.add(answer, q.Path)...)
		}
	}
	return found, nil
}

// NotRead reports the locks that render would not read, once they are written.
func (l *Locker) NotRead(locks []*SharedLock) finding.List {
	var found finding.List
	for _, one := range locks {
		for _, c := range one.clusters {
			found = append(found, c.in(l.reportNotRead(c, one.Name))...)
		}
	}
	return found
}

// LockFile is the name of a new lock.
const LockFile = lock.FileName

// SharedLock is a lock with the answers for all clusters that use it.
type SharedLock struct {
	Name    string
	Changes LockChanges // by which it gets the answers

	file     *lock.File
	text     []byte // of the file; nil if it does not exist yet
	clusters []clusterImages
	answers  []registry.Image
	dropped  []imageref.Reference
}

// openLock reads the file that contains the lock, or will contain it.
func openLock(tree files.Tree, name string) (*SharedLock, finding.List, error) {
	opened := &SharedLock{Name: name}
	if conflict := tree.Check(name); conflict != nil {
		return opened, ConflictFindings([]*files.ConflictError{conflict}), nil
	}
	var err error
	if opened.text, err = files.Read(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return opened, nil, fmt.Errorf("read the lock: %w", err)
	}
	var found finding.List
	opened.file, found, err = readLock(name, opened.text, nil)
	return opened, found, err
}

// lockPlace returns the file of the lock among the items, or otherwise the one beside
// their CR, or in their bundle. If there are several, the user must name one.
func lockPlace(images engine.Images, bundles []bundle) (string, error) {
	locks := placesOf(images.Locks, filepath.Clean)
	dirs := placesOf(images.CRs, filepath.Dir)
	if len(images.CRs) == 0 {
		dirs = placesOf(images.Pods, func(file string) string {
			if b, ok := bundleOf(file, bundles); ok {
				return b.dir
			}
			return filepath.Dir(file)
		})
	}
	if len(images.CRs)+len(images.Pods) == 0 {
		dirs = placesOf(images.Machines, filepath.Dir)
	}
	switch {
	case len(locks) == 1:
		return locks[0], nil
	case len(locks) > 1:
		return "", fmt.Errorf("there are several locks (%s): say with --file which one is meant, or lock each PATH by itself", strings.Join(locks, ", "))
	case len(dirs) == 1:
		return filepath.Join(dirs[0], LockFile), nil
	case len(dirs) > 1:
		return "",
			fmt.Errorf("there are CRs in several directories (%s): say with --file where the lock is to be, or lock each PATH by itself", strings.Join(dirs, ", "))
	case !hasNothing(images) || len(images.Locks) > 0:
		return "", Misuse{Err: errors.New("standard input has no directory: name the lock file with --file")}
	}
	return "", errNothingToLock
}

var errNothingToLock = errors.New("there is neither a HyperConverged CR nor an ArchitectureLock in the input: " +
	"nothing says what to lock (for the images of pods, use --workloads Check)")

// placesOf returns what of returns for the files of objects, sorted. If several names
// refer to one place, it returns the first.
func placesOf(list []finding.Object, of func(string) string) []string {
	var out []string
	for _, at := range list {
		if at.File != "" && at.File != manifest.StdinFile {
			out = append(out, of(filepath.FromSlash(at.File)))
		}
	}
	slices.Sort(out)
	seen := map[string]bool{}
	return slices.DeleteFunc(out, func(name string) bool {
		target := lock.Target(name)
		again := seen[target]
		seen[target] = true
		return again
	})
}

// reportNotRead reports a lock that render would not read for the same paths, so that
// it would have no effect. The contents of a directory decide what render reads of it.
// If the paths are only files, reportNotRead uses the directory of the lock, if that
// has a kustomization.
func (l *Locker) reportNotRead(c clusterImages, name string) finding.List {
	if c.named && l.needsNoPath(c.paths) || !files.Exists(name) || hasRead(c.images, name) {
		return nil
	}
	dirs := []string{c.Path}
	if c.named {
		dirs = slices.Clone(l.CRPaths.PathsOr(c.paths))
	}
	dirs = slices.DeleteFunc(dirs, func(path string) bool { return !files.IsDir(path) })
	if dir := filepath.Dir(name); len(dirs) == 0 && kustomize.In(dir) {
		dirs = []string{dir}
	}
	if len(dirs) == 0 {
		return nil
	}
	own := Options{Environment: l.Environment, Config: l.Config, CRPaths: slices.Clone(l.CRPaths)}
	in := own.newReader()
	in.request.ToLock = true
	again, found, err := in.readTarget(c.function, namedTarget(in.firstPath(dirs), dirs)) // now that the lock exists
	if err != nil || found.Failed() {
		return nil
	}
	images, found := again.function.Images(again.items, again.steps)
	if found.Failed() || hasRead(images, name) {
		return nil
	}
	f := finding.Finding{
		ID: finding.LockNotRead, Severity: finding.Warning,
		Object: finding.Object{APIVersion: v1alpha1.Group + "/v1alpha1", Kind: v1alpha1.ArchitectureLockKind, File: filepath.ToSlash(name)},
		Text:   fmt.Sprintf("the lock is outside of %s, so render and check do not read it", strings.Join(dirs, ", ")),
		Do:     "pass the lock to them too: " + console.Command(append([]string{"goldenarch", "render"}, console.CommandPaths(append(slices.Clone(dirs), name))...)...),
	}
	if slices.ContainsFunc(dirs, kustomize.In) {
		f.Text = "no kustomization lists the lock, so render and check do not read it"
		f.Do = "choose another place with --file: kustomize reads no file above or beside its own directory"
		if file, entry := kustomizationAbove(name); file != "" {
			f.Do = fmt.Sprintf("list %s under resources of %s", entry, file)
		}
	}
	return finding.List{f}
}

// hasRead reports whether a lock is among the locks that were read.
func hasRead(images engine.Images, name string) bool {
	return slices.ContainsFunc(images.Locks, func(at finding.Object) bool {
		return lock.Target(filepath.FromSlash(at.File)) == lock.Target(name)
	})
}

// kustomizationAbove returns the nearest kustomization file at or above a file, and the
// name under which it would list the file; "" if there is no such kustomization.
func kustomizationAbove(name string) (file, entry string) {
	dir := nearestDir(filepath.Dir(name), kustomize.In)
	entry, err := fleet.RelativeTo(dir, name)
	if dir == "" || err != nil {
		return "", ""
	}
	return kustomize.FileIn(dir), entry
}

// add adds an answer. Clusters that share a lock have one answer for an image.
func (s *SharedLock) add(answer registry.Image, cluster string) finding.List {
	i := slices.IndexFunc(s.answers, func(other registry.Image) bool { return other.Reference == answer.Reference })
	switch {
	case i < 0:
		s.answers = append(s.answers, answer)
	case !reflect.DeepEqual(s.answers[i], answer): // answers with errors of mirrors differ if these do
		return finding.List{{
			ID: finding.LockInvalid, Severity: finding.Error, Object: finding.Object{File: s.Name, Cluster: cluster},
			Text: fmt.Sprintf("the clusters that share the lock get different answers for image %q, for example by other mirrors", answer.Reference),
			Do:   "give each cluster a lock of its own",
		}}
	}
	return nil
}

// unusedBy reports the images of --only that no cluster refers to.
func unusedBy(locks []*SharedLock, only []imageref.Reference) finding.List {
	var found finding.List
	for _, ref := range only {
		used := slices.ContainsFunc(locks, func(one *SharedLock) bool {
			return slices.ContainsFunc(one.clusters, func(c clusterImages) bool { return slices.Contains(c.images.ToQuery, ref) })
		})
		if !used {
			found = append(found, finding.Finding{
				ID: finding.LockInvalid, Severity: finding.Error,
				Text: fmt.Sprintf("--only names image %q, which no cluster of the repository refers to", ref.String()), Do: "correct --only, or name the cluster as PATH",
			})
		}
	}
	return found
}

// lockError reports that the lock of a cluster cannot be read or found.
func lockError(cluster string, err error) finding.Finding {
	return finding.Finding{ID: finding.Unreadable, Severity: finding.Error, Object: finding.Object{Cluster: cluster}, Text: err.Error()}
}
