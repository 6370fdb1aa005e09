package lock

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// Source is an ArchitectureLock and its location.
type Source struct {
	At   finding.Object
	Lock *v1alpha1.ArchitectureLock
}

// Lock is the content of all locks of a run, by reference. The zero Lock is empty.
type Lock struct {
	entries   map[imageref.Reference]entry
	operators map[operatorKey]lockedOperator
}

type entry struct {
	image registry.Image
	at    finding.Object
	field string
}

// New merges locks. It reports an error finding for a reference that is invalid or does not
// fit its digest, for a duplicate in a lock, and for a reference on which two locks
// disagree.
func New(sources ...Source) (Lock, finding.List) {
	l := Lock{entries: map[imageref.Reference]entry{}, operators: map[operatorKey]lockedOperator{}}
	var found finding.List
	for _, source := range sources {
		own := map[imageref.Reference]bool{}
		for i, locked := range source.Lock.Images {
			e := entry{image: imageOf(locked), at: source.At, field: fmt.Sprintf("images[%d]", i)}
			ref, err := imageref.Parse(locked.Reference)
			switch {
			case err != nil:
				found = append(found, e.invalid(".reference", err.Error(), "correct the reference"))
				continue
			case ref.Pinned() && ref.Digest() != locked.Digest:
				found = append(found, e.invalid(".digest",
					fmt.Sprintf("the lock says that %q has the digest %s", locked.Reference, locked.Digest), again))
				continue
			case own[ref]:
				found = append(found, e.invalid(".reference", fmt.Sprintf("duplicate entry %q", ref), "remove one of them"))
				continue
			}
			own[ref] = true
			e.image.Reference = ref.String()
			if other, known := l.entries[ref]; known {
				if !Same(other.image, e.image) {
					found = append(found, e.disagrees(other))
				}
				other.image.Bundle = other.image.Bundle || e.image.Bundle
				l.entries[ref] = other
				continue
			}
			l.entries[ref] = e
		}
		found = append(found, l.addOperators(source)...)
	}
	return l, found
}

// again is the fix for a wrong entry.
const again = "remove the entry and run 'goldenarch lock' again"

func (e entry) invalid(field, text, do string) finding.Finding {
	return finding.Finding{
		ID: finding.LockInvalid, Severity: finding.Error, Object: e.at, Field: e.field + field, Text: text, Do: do,
	}
}

func (e entry) disagrees(other entry) finding.Finding {
	return finding.Finding{
		ID: finding.LockDisagrees, Severity: finding.Error, Object: e.at, Field: e.field,
		Text: fmt.Sprintf("two locks disagree on %q: %s has %s, but %s has %s",
			e.image.Reference, where(other.at), summary(other.image), where(e.at), summary(e.image)),
		Do: "run 'goldenarch lock' on both",
	}
}

func where(at finding.Object) string {
	if at.File == "" {
		return at.String()
	}
	return fmt.Sprintf("%s (%s)", at, at.File)
}

func summary(image registry.Image) string {
	return image.Platforms.Linux().String() + " (" + image.Digest + ")"
}

// Find returns the image that the locks have for a reference.
func (l Lock) Find(ref imageref.Reference) (registry.Image, bool) {
	e, ok := l.entries[ref]
	return e.image, ok
}

// Without returns the lock without the images that a function selects.
func (l Lock) Without(leftOut func(imageref.Reference) bool) Lock {
	out := l
	out.entries = maps.Clone(l.entries)
	maps.DeleteFunc(out.entries, func(ref imageref.Reference, _ entry) bool { return leftOut(ref) })
	return out
}

// WithOperatorsOf returns the lock with those of its operators that another lock has alike.
func (l Lock) WithOperatorsOf(other Lock) Lock {
	out := l
	out.operators = maps.Clone(l.operators)
	maps.DeleteFunc(out.operators, func(key operatorKey, o lockedOperator) bool {
		known, is := other.operators[key]
		return !is || !sameOperator(known.LockedOperator, o.LockedOperator)
	})
	return out
}

// Images returns the images of the locks, sorted by reference.
func (l Lock) Images() []registry.Image {
	out := make([]registry.Image, 0, len(l.entries))
	for e := range maps.Values(l.entries) {
		out = append(out, e.image)
	}
	slices.SortFunc(out, func(a, b registry.Image) int { return strings.Compare(a.Reference, b.Reference) })
	return out
}

// References returns the references of the entries, sorted.
func (l Lock) References() []imageref.Reference {
	return slices.SortedFunc(maps.Keys(l.entries), func(a, b imageref.Reference) int { return strings.Compare(a.String(), b.String()) })
}

// imageOf turns an entry of a lock into a registry's answer.
func imageOf(locked v1alpha1.LockedImage) registry.Image {
	image := registry.Image{
		Reference: locked.Reference, Digest: locked.Digest, MediaType: locked.MediaType, Size: locked.Size, Mirror: locked.Mirror,
		Bundle: locked.Bundle,
	}
	for _, p := range locked.Platforms {
		image.Platforms = append(image.Platforms, arch.Platform{
			OS: p.OS, Architecture: arch.Arch(p.Architecture), Variant: p.Variant, Digest: p.Digest,
		})
	}
	image.Platforms = image.Platforms.Sorted()
	return image
}

// Same reports whether two answers for a reference agree. It ignores fields that only one
// of them has, and the mirror that answered. An older lock does not say what is a bundle.
func Same(a, b registry.Image) bool {
	return a.Digest == b.Digest && a.MediaType == b.MediaType && (a.Size == b.Size || a.Size == 0 || b.Size == 0) &&
		slices.EqualFunc(a.Platforms, b.Platforms, func(p, q arch.Platform) bool {
			return p.String() == q.String() && (p.Digest == q.Digest || p.Digest == "" || q.Digest == "")
		})
}
