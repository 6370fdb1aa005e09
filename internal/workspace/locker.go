package workspace

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/lock"
)

// Locker decides what the locks of inputs have.
type Locker struct {
	Options

	Only         []imageref.Reference // the images to lock, instead of all
	Prune, Check bool
	File         string     // the lock; "" for the one of the input
	Tree         files.Tree // that the run may write in
}

// Run decides about the locks of paths. Several clusters may share a lock. If goldenarch cannot resolve one image, it writes no lock.
func (l *Locker) Run(ctx context.Context, paths []string, function engine.Function) ([]*SharedLock, finding.List, error) {
	of, err := run{targets: []target{{named: true}}}, error(nil) // where the flags say all, nothing is read
	if !l.needsNoPath(paths) {
		of, err = l.find(paths, function, scan{})
	}
	if err != nil {
		return nil, nil, err
	}
	locks, found, err := l.locksOf(ctx, of, function)
	if err != nil || found.Failed() {
		return nil, found, err
	}
	if !of.isOne() {
		if len(locks) == 0 {
			found = append(found, noCluster(of.layout, "locks", finding.Error))
		}
		if found = append(found, unusedBy(locks, l.Only)...); found.Failed() {
			return nil, found, nil
		}
	}
	more, err := l.query(ctx, locks)
	for _, one := range locks {
		one.Changes = l.differences(one, one.file.Lock())
	}
	return locks, append(found, more...), err
}

// needsNoPath reports whether the flags say all: which images to lock, and in which file. The CRs
// may be on another machine.
func (l *Locker) needsNoPath(paths []string) bool {
	return len(l.Only) > 0 && l.File != "" && len(paths)+len(l.CRPaths) == 0 && l.Fleet == ""
}

// references returns the references to query, and those to drop.
func (l *Locker) references(
	images engine.Images, locked lock.Lock, only []imageref.Reference, found finding.List,
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
	if !l.Check && len(only) == 0 && images.Verify == v1alpha1.VerifyIndex {
		asked = slices.DeleteFunc(slices.Clone(asked), func(ref imageref.Reference) bool {
			_, known := locked.Find(ref)
			return known && ref.Pinned()
		})
	}
	if !l.Prune {
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

// LockChanges are the changes to a lock.
type LockChanges struct {
	images    []lock.Change
	operators []lock.OperatorChange
}

// None reports whether nothing changes.
func (c LockChanges) None() bool { return len(c.images)+len(c.operators) == 0 }

func (c LockChanges) String() string { return lock.Text(c.images) + lock.TextOfOperators(c.operators) }

// differences compares the answers for a lock with one. A run for some images leaves the operators alone.
func (l *Locker) differences(of *SharedLock, locked lock.Lock) LockChanges {
	out := LockChanges{images: lock.Compare(locked, of.answers, of.dropped)}
	if len(l.Only) > 0 {
		return out
	}
	inputs := make([]engine.Images, len(of.clusters))
	for i, c := range of.clusters {
		inputs[i] = c.images
	}
	isUnused := func(o v1alpha1.LockedOperator) bool {
		return l.Prune && !slices.ContainsFunc(inputs, func(images engine.Images) bool { return !images.IsUnused(o) })
	}
	out.operators = lock.CompareOperators(locked, engine.Operators(inputs, of.answers, locked), isUnused)
	return out
}

// Refreshes returns the commands that make the changes. goldenarch lock queries the
// entry of a digest again only if --only names it.
func (l *Locker) Refreshes(paths []string, changes LockChanges) string {
	var pinned []string
	for _, c := range changes.images {
		ref, err := imageref.Parse(c.Reference())
		if err == nil && ref.Pinned() && c.Locked != nil && c.Answer != nil {
			pinned = append(pinned, c.Reference())
		}
	}
	if !l.needsNoPath(paths) {
		paths = console.CommandPaths(l.CRPaths.PathsOr(paths))
	}
	all := l.Commands.line("lock", paths...)
	if len(l.Only) > 0 || len(pinned) == 0 {
		return all
	}
	var words []string
	for _, reference := range pinned {
		words = append(words, "--only", reference)
	}
	given := l.Commands.words("lock", append([]string{"prune"}, untold...)...)
	named := console.Command(slices.Concat([]string{"goldenarch", "lock"}, words, paths, given)...)
	if len(pinned) == len(changes.images) && len(changes.operators) == 0 {
		return named
	}
	return all + " && " + named
}

// Unchanged says why no lock changes.
func (l *Locker) Unchanged(locks []*SharedLock) string {
	var names []string
	stated := false
	for _, one := range locks {
		if one.text != nil {
			names = append(names, one.Name)
		}
		stated = stated || slices.ContainsFunc(one.clusters, func(c clusterImages) bool { return len(c.images.Stated) > 0 })
	}
	switch {
	case len(names) > 0:
		return "no change to " + finding.FirstOf(names)
	case stated:
		return "nothing to lock: all images are stated (--image, overrides), and a lock has only what registries answer. " +
			"To keep what --image states, write it into spec.overrides of a GoldenImages"
	}
	return "nothing to lock: no image of a registry is named"
}

// Write writes the changes into the files, all or none, and says what it wrote beside them. If another process has changed a
// file since it was read, write applies the answers to the current contents, and the findings say why it cannot.
func (l *Locker) Write(ctx context.Context, locks []*SharedLock) (beside files.Written, found finding.List, err error) {
	locks = slices.DeleteFunc(slices.Clone(locks), func(one *SharedLock) bool { return one.Changes.None() })
	if len(locks) == 0 {
		return beside, nil, nil
	}
	names := make([]string, len(locks))
	for i, one := range locks {
		names[i] = one.Name
	}
	edit := func(i int, now []byte) ([]byte, error) {
		one, file := locks[i], locks[i].file
		if !bytes.Equal(now, one.text) {
			again, more, err := readLock(one.Name, now, one.text)
			if err != nil || more.Failed() {
				found = append(found, more...)
				return nil, cmp.Or(err, errLockInvalid)
			}
			file = again
		}
		one.Changes = l.differences(one, file.Lock())
		return file.With(one.Changes.images, one.Changes.operators...)
	}
	if beside, err = l.Tree.Update(ctx, names, edit); err != nil {
		if c, ok := errors.AsType[*files.ConflictError](err); ok {
			return beside, found, fmt.Errorf("write the lock %s: %w", c.Name, c.Err)
		}
		return beside, found, fmt.Errorf("write the lock: %w", err)
	}
	return beside, nil, nil
}

// errLockInvalid is the error of a lock that another process has made invalid.
var errLockInvalid = errors.New("another process has changed it, and it is not valid now")

// readLock reads a lock that has a text now; nil is a new one. If somebody removed the lock since it
// was read, it does not create it again.
func readLock(name string, now, old []byte) (*lock.File, finding.List, error) {
	switch {
	case now != nil:
		return lock.ReadFile(name, now)
	case old != nil:
		return nil, nil, &files.ConflictError{Name: name, Err: files.ErrChanged}
	}
	return lock.NewFile(name), nil, nil
}
