package lock

import (
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// content is what a lock says.
type content struct {
	images    []registry.Image
	operators []v1alpha1.LockedOperator
}

// after returns the images of the lock after the changes.
func (f *File) after(changes []Change) []registry.Image {
	var out []registry.Image
	for _, image := range f.lock.Images() {
		if !slices.ContainsFunc(changes, func(c Change) bool { return c.Reference() == image.Reference }) {
			out = append(out, image)
		}
	}
	for _, c := range changes {
		if c.Answer != nil {
			out = append(out, *c.Answer)
		}
	}
	slices.SortFunc(out, func(a, b registry.Image) int { return strings.Compare(a.Reference, b.Reference) })
	return out
}

// operatorsAfter returns the operators of the lock after the changes.
func (f *File) operatorsAfter(changes []OperatorChange) []v1alpha1.LockedOperator {
	var out []v1alpha1.LockedOperator
	for _, o := range f.lock.Operators() {
		if !slices.ContainsFunc(changes, func(c OperatorChange) bool { return keyOf(c.operator()) == keyOf(o) }) {
			out = append(out, o)
		}
	}
	for _, c := range changes {
		if c.Proven != nil {
			out = append(out, *c.Proven)
		}
	}
	slices.SortFunc(out, byPackage)
	return out
}

// matches reports whether a document is a lock with exactly this content. It checks the
// edited text before goldenarch writes it.
func (f *File) matches(document string, want content) bool {
	if f.to < len(f.text) && !strings.HasSuffix(document, "\n") {
		return false
	}
	locks, err := locksIn(plain(document))
	if err != nil || len(locks) != 1 || locks[0].path != "" {
		return false
	}
	lock, err := locks[0].decode()
	if err != nil || len(lock.Images) != len(want.images) {
		return false
	}
	l, found := New(Source{Lock: lock})
	return !found.Failed() && slices.EqualFunc(l.Images(), want.images, equal) && slices.EqualFunc(l.Operators(), want.operators, sameOperator)
}

// equal reports whether two answers are the same in every detail.
func equal(a, b registry.Image) bool {
	return a.Reference == b.Reference && a.Digest == b.Digest && a.MediaType == b.MediaType && a.Size == b.Size &&
		a.Mirror == b.Mirror && a.Bundle == b.Bundle && slices.Equal(a.Platforms, b.Platforms)
}
