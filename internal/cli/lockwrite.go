package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/write"
)

// references returns the references to query, and those to drop.
func (l *lockVerb) references(
	images pipeline.Images, locked lock.Lock, only []imageref.Reference, found finding.List,
) (asked, dropped []imageref.Reference, err error) {
	all := locked.References()
	switch {
	case len(only) > 0:
		asked = only
	case len(images.CRs)+len(images.Pods) > 0:
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
	unknown := slices.ContainsFunc(found, func(f finding.Finding) bool { return f.ID == finding.NoImageStream })
	switch {
	case len(images.CRs)+len(images.Pods) == 0:
		return nil, nil, errors.New("--prune needs the HyperConverged CRs, or the pods: without them nothing is referred to")
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
func (l *lockVerb) differences(answers []registry.Image, dropped []imageref.Reference, inputs ...pipeline.Images) func(lock.Lock) lockChanges {
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

// show prints the differences between the lock and the registries.
func (l *lockVerb) show(name string, changes lockChanges) error {
	if changes.none() {
		return nil
	}
	if _, err := fmt.Fprint(l.streams.printer.Text(), changes); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	l.streams.printer.Message("%s differs from the registries: refresh it with '%s'", name, refreshes(changes.images))
	return errDiffers
}

// refreshes returns the command that makes the changes. goldenarch lock queries the
// entry of a digest again only if --only names it.
func refreshes(changes []lock.Change) string {
	command := []string{"goldenarch lock"}
	for _, c := range changes {
		ref, err := imageref.Parse(c.Reference())
		if err == nil && ref.Pinned() && c.Locked != nil && c.Answer != nil {
			command = append(command, "--only", c.Reference())
		}
	}
	return strings.Join(command, " ")
}

// lockWrite is a lock to write, with its changes.
type lockWrite struct {
	openedLock

	differs func(lock.Lock) lockChanges
}

// write writes the changes into the files, all or none. If another process has changed a
// file since it was read, write applies the answers to the current contents.
func (l *lockVerb) write(ctx context.Context, locks []lockWrite) error {
	locks = slices.DeleteFunc(locks, func(one lockWrite) bool { return one.differs(one.file.Lock()).none() })
	if len(locks) == 0 {
		return nil
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
				return nil, errors.Join(err, l.report(found))
			}
			one.file = again
		}
		changes[i] = one.differs(one.file.Lock())
		return one.file.With(changes[i].images, changes[i].operators...)
	}
	if err := doStep(ctx, func() error { return l.tree.Update(names, edit) }); err != nil {
		if found, err := writeFindings(err); err == nil {
			return l.report(found)
		}
		if c, is := errors.AsType[*write.ConflictError](err); is {
			return fmt.Errorf("write the lock %s: %w", c.Name, c.Err)
		}
		return fmt.Errorf("write the lock: %w", err)
	}
	for i, name := range names {
		if !changes[i].none() {
			l.streams.printer.Message("wrote %s", name)
			l.streams.printer.Findings(changes[i])
		}
	}
	return nil
}

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
