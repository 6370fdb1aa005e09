package cmd

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/finding"
	"github.com/goldenarch/goldenarch/fn"
	"github.com/goldenarch/goldenarch/lock"
	"github.com/goldenarch/goldenarch/registry"
)

// references returns the references to ask for, and those to drop.
func (l *lockVerb) references(images fn.Images, locked lock.Lock, only []registry.Reference, found finding.List) (asked, dropped []registry.Reference, err error) {
	all := locked.References()
	switch {
	case len(only) > 0:
		asked = only
	case len(images.CRs) > 0:
		asked = images.Asked
	default:
		asked = all
	}
	// What a digest names never changes.
	asked = slices.DeleteFunc(slices.Clone(asked), func(ref registry.Reference) bool {
		_, known := locked.Find(ref)
		return known && ref.Pinned() && images.Verify == v1alpha1.VerifyIndex
	})
	if !l.prune {
		return asked, nil, nil
	}
	unknown := slices.ContainsFunc(found, func(f finding.Finding) bool { return f.ID == finding.NoImageStream })
	switch {
	case len(images.CRs) == 0:
		return nil, nil, errors.New("--prune needs the HyperConverged CRs: without one nothing is referred to")
	case unknown:
		return nil, nil, errors.New("--prune needs the ImageStreams: without them it is not known what is referred to")
	}
	dropped = slices.DeleteFunc(all, func(ref registry.Reference) bool {
		return slices.Contains(images.Asked, ref) || slices.Contains(images.Stated, ref)
	})
	return asked, dropped, nil
}

// show prints how the lock differs from the registries.
func (l *lockVerb) show(name string, changes []lock.Change) error {
	if len(changes) == 0 {
		return nil
	}
	if _, err := fmt.Fprint(l.streams.Out, lock.Text(changes)); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	fmt.Fprintf(l.streams.Err, "goldenarch: %s differs from the registries: refresh it with 'goldenarch lock'\n", name)
	return errDiffers
}

// write puts the changes into the file.
func (l *lockVerb) write(ctx context.Context, name string, file *lock.File, old []byte, changes []lock.Change) error {
	if len(changes) == 0 {
		return nil
	}
	text, err := file.With(changes)
	if err != nil {
		return err
	}
	if err := doStep(ctx, func() error { return lock.Replace(name, old, text) }); err != nil {
		return err
	}
	fmt.Fprintf(l.streams.Err, "goldenarch: wrote %s\n%s", name, lock.Text(changes))
	return nil
}
