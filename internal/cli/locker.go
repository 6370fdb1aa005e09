package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/fleet"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/sanitize"
	"github.com/goldenarch/goldenarch/internal/write"
)

// locker decides what the locks of inputs have.
type locker struct {
	options

	only         []imageref.Reference // the images to lock, instead of all
	prune, check bool
	file         string     // the lock; "" for the one of the input
	tree         write.Tree // that the run may write in
}

// lockedInput is what a run decides about locks. notRead reports the locks that render would not read, once they are written.
type lockedInput struct {
	writes  []lockWrite
	notRead func() finding.List
}

// run decides about the locks of paths.
func (l *locker) run(ctx context.Context, paths []string, function pipeline.Function) (lockedInput, finding.List, error) {
	if l.needsNoPath(paths) {
		return l.listed(ctx, function)
	}
	root, is, err := l.statesFleet(paths)
	if err != nil {
		return lockedInput{}, nil, err
	}
	if is {
		return l.repository(ctx, root, function)
	}
	function.Open = (&fleet.SharedImages{Next: function.Open}).Open // a generator queries what the lock is for
	in := l.newReader()
	in.request = toLock(l.file)
	in.runGenerators(ctx, withoutLock(function))
	items, read := in.read(paths)
	if root, is := isRepository(in, paths, items, read); is {
		return l.repository(ctx, root, function)
	}
	out, found, err := l.input(ctx, paths, function, in, items, read)
	return out, in.located(found), err
}

// input locks the images of paths that are one input.
func (l *locker) input(
	ctx context.Context, paths []string, function pipeline.Function, in *inputReader, items []*yaml.RNode, found finding.List,
) (lockedInput, finding.List, error) {
	if found.Failed() {
		return lockedInput{}, found, nil
	}
	input, more, err := in.preparePaths(&function, paths, items)
	if found = append(found, more...); err != nil || found.Failed() {
		return lockedInput{}, found, err
	}
	images, more := function.Images(input.items, input.steps)
	if found = append(found, more...); found.Failed() {
		return lockedInput{}, found, nil
	}
	parts := []pipeline.Images{images}
	if l.file == "" {
		parts = images.ByLock()
	}
	var out lockedInput
	for _, part := range parts {
		one, more, err := l.queried(ctx, function, part, in.bundles, l.onlyOf(part, len(parts)), found)
		if found = append(found, more...); err != nil {
			return lockedInput{}, found, err
		}
		one.entry = input.entry
		out.writes = append(out.writes, one)
	}
	out.notRead = func() finding.List {
		var unread finding.List
		for i, one := range out.writes {
			unread = append(unread, l.reportNotRead(function, paths, parts[i], one.name)...)
		}
		return in.located(unread)
	}
	return out, found, nil
}

// needsNoPath reports whether the flags say all: which images to lock, and in which file. The CRs
// may be on another machine.
func (l *locker) needsNoPath(paths []string) bool {
	return len(l.only) > 0 && l.file != "" && len(paths)+len(l.crPaths) == 0 && l.fleet == ""
}

// listed locks the images of --only in the file of --file, and reads no other file than those of
// flags.
func (l *locker) listed(ctx context.Context, function pipeline.Function) (lockedInput, finding.List, error) {
	steps, err := l.newReader().steps()
	if err != nil {
		return lockedInput{}, nil, err
	}
	images, found := function.Images(nil, steps)
	if found.Failed() {
		return lockedInput{}, found, nil
	}
	one, more, err := l.queried(ctx, function, images, nil, l.only, found)
	return lockedInput{writes: []lockWrite{one}, notRead: func() finding.List { return nil }}, append(found, more...), err
}

// onlyOf returns the images of --only that a lock of several is for.
func (l *locker) onlyOf(part pipeline.Images, parts int) []imageref.Reference {
	if parts == 1 {
		return l.only
	}
	return slices.DeleteFunc(slices.Clone(l.only), func(ref imageref.Reference) bool { return !slices.Contains(part.ToQuery, ref) })
}

// queried opens the lock of images, and queries the registries for them.
func (l *locker) queried(
	ctx context.Context, function pipeline.Function, images pipeline.Images, bundles []bundle, only []imageref.Reference, found finding.List,
) (lockWrite, finding.List, error) {
	name := l.file
	if name == "" {
		var err error
		if name, err = lockPlace(images, bundles); err != nil {
			return lockWrite{}, nil, err
		}
	}
	opened, more, err := openLock(l.tree, name)
	if err != nil || more.Failed() {
		return lockWrite{}, more, err
	}
	var refs, dropped []imageref.Reference
	if len(l.only) == 0 || len(only) > 0 {
		if refs, dropped, err = l.references(images, opened.file.Lock(), only, found); err != nil {
			return lockWrite{}, more, err
		}
	}
	answers, list := function.Answers(ctx, images, refs)
	return lockWrite{openedLock: opened, differs: l.differences(answers, dropped, images)}, append(more, list...), nil
}

// toLock returns what to build of a directory whose images are locked in a file, "" for the usual
// one. A lock that a kustomization lists need not exist yet.
func toLock(file string) func(*inputReader, string) (kustomization.Request, error) {
	return func(_ *inputReader, dir string) (kustomization.Request, error) {
		return kustomization.Request{Dir: dir, ToLock: true, LockFile: file}, nil
	}
}

// withoutLock returns a function that runs the generators for a lock, which has no entry for
// their images yet.
func withoutLock(function pipeline.Function) pipeline.Function {
	flags := maps.Clone(function.Options.Flags)
	flags["lock"] = string(v1alpha1.LockIgnore)
	function.Options.Flags = flags
	return function
}

// references returns the references to query, and those to drop.
func (l *locker) references(
	images pipeline.Images, locked lock.Lock, only []imageref.Reference, found finding.List,
) (asked, dropped []imageref.Reference, err error) {
	all := locked.References()
	switch {
	case len(only) > 0:
		asked = only
	case !hasNothing(images):
		asked = images.ToQuery
	default:
		asked = all
	}
	// The image of a digest never changes; what a person writes into its entry may.
	if !l.check && len(only) == 0 && images.Verify == v1alpha1.VerifyIndex {
		asked = slices.DeleteFunc(slices.Clone(asked), func(ref imageref.Reference) bool {
			_, known := locked.Find(ref)
			return known && ref.Pinned()
		})
	}
	if !l.prune {
		return asked, nil, nil
	}
	unknown := found.Has(finding.NoImageStream)
	switch {
	case hasNothing(images):
		return nil, nil, errors.New("--prune needs the HyperConverged CRs, the pods, or the machines: without them nothing is referred to")
	case unknown:
		return nil, nil, errors.New("--prune needs the ImageStreams: without them it is not known what is referred to")
	}
	dropped = slices.DeleteFunc(all, func(ref imageref.Reference) bool {
		return slices.Contains(images.ToQuery, ref) || slices.Contains(images.Stated, ref)
	})
	return asked, dropped, nil
}

// lockChanges are the changes to a lock.
type lockChanges struct {
	images    []lock.Change
	operators []lock.OperatorChange
}

func (c lockChanges) none() bool { return len(c.images)+len(c.operators) == 0 }

func (c lockChanges) String() string { return lock.Text(c.images) + lock.TextOfOperators(c.operators) }

// differences returns a function that compares the answers with a lock. A run for some images
// leaves the operators alone.
func (l *locker) differences(answers []registry.Image, dropped []imageref.Reference, inputs ...pipeline.Images) func(lock.Lock) lockChanges {
	return func(locked lock.Lock) lockChanges {
		out := lockChanges{images: lock.Compare(locked, answers, dropped)}
		if len(l.only) == 0 {
			isUnused := func(o v1alpha1.LockedOperator) bool {
				return l.prune && !slices.ContainsFunc(inputs, func(images pipeline.Images) bool { return !images.IsUnused(o) })
			}
			out.operators = lock.CompareOperators(locked, pipeline.Operators(inputs, answers, locked), isUnused)
		}
		return out
	}
}

// refreshes returns the commands that make the changes. goldenarch lock queries the
// entry of a digest again only if --only names it.
func (l *locker) refreshes(paths []string, changes lockChanges) string {
	var pinned []string
	for _, c := range changes.images {
		ref, err := imageref.Parse(c.Reference())
		if err == nil && ref.Pinned() && c.Locked != nil && c.Answer != nil {
			pinned = append(pinned, c.Reference())
		}
	}
	if !l.needsNoPath(paths) {
		paths = sanitize.Paths(l.crPaths.pathsOr(paths))
	}
	all := l.commands.line("lock", paths...)
	if len(l.only) > 0 || len(pinned) == 0 {
		return all
	}
	var words []string
	for _, reference := range pinned {
		words = append(words, "--only", reference)
	}
	given := l.commands.words("lock", append([]string{"prune"}, untold...)...)
	named := sanitize.Command(slices.Concat([]string{"goldenarch", "lock"}, words, paths, given)...)
	if len(pinned) == len(changes.images) && len(changes.operators) == 0 {
		return named
	}
	return all + " && " + named
}

// lockWrite is a lock to write, with its changes.
type lockWrite struct {
	openedLock

	differs func(lock.Lock) lockChanges
	entry   *v1alpha1.FleetCluster // of its first cluster; nil for none
}

// writtenLocks is what a run wrote.
type writtenLocks struct {
	locks  []writtenLock
	beside write.Written
	found  finding.List // why a lock that another process has changed cannot be written
}

// writtenLock is a lock that was written.
type writtenLock struct {
	lockWrite

	changes lockChanges
}

// write writes the changes into the files, all or none. If another process has changed a
// file since it was read, write applies the answers to the current contents.
func (l *locker) write(ctx context.Context, locks []lockWrite) (writtenLocks, error) {
	locks = slices.DeleteFunc(slices.Clone(locks), func(one lockWrite) bool { return one.differs(one.file.Lock()).none() })
	var out writtenLocks
	if len(locks) == 0 {
		return out, nil
	}
	names := make([]string, len(locks))
	changes := make([]lockChanges, len(locks))
	for i, one := range locks {
		names[i] = one.name
	}
	edit := func(i int, now []byte) ([]byte, error) {
		one := locks[i]
		if !bytes.Equal(now, one.text) {
			again, found, err := readLock(one.name, now, one.text)
			if err != nil || found.Failed() {
				out.found = append(out.found, found...)
				return nil, cmp.Or(err, errLockInvalid)
			}
			one.file = again
		}
		changes[i] = one.differs(one.file.Lock())
		return one.file.With(changes[i].images, changes[i].operators...)
	}
	var err error
	if out.beside, err = l.tree.Update(ctx, names, edit); err != nil {
		if c, ok := errors.AsType[*write.ConflictError](err); ok {
			return out, fmt.Errorf("write the lock %s: %w", c.Name, c.Err)
		}
		return out, fmt.Errorf("write the lock: %w", err)
	}
	for i, one := range locks {
		if !changes[i].none() {
			out.locks = append(out.locks, writtenLock{one, changes[i]})
		}
	}
	return out, nil
}

// errLockInvalid is the error of a lock that another process has made invalid.
var errLockInvalid = errors.New("another process has changed it, and it is not valid now")

// readLock reads a lock that has changed since it was read. If somebody removed the
// lock, it does not create it again.
func readLock(name string, now, old []byte) (*lock.File, finding.List, error) {
	switch {
	case now != nil:
		return lock.ReadFile(name, now)
	case old != nil:
		return nil, nil, &write.ConflictError{Name: name, Err: write.ErrChanged}
	}
	return lock.NewFile(name), nil, nil
}
