package lock

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Source is an ArchitectureLock and its location.
type Source struct {
	At   finding.Object
	Lock *v1alpha1.ArchitectureLock
}

// Lock is the content of all locks of a run, by reference. The zero Lock is empty.
type Lock struct {
	entries   map[imageref.Reference]lockedImage
	operators map[operatorKey]lockedOperator
}

type lockedImage struct {
	image registry.Image
	at    finding.Object
	field string
}

// New merges locks. It reports an error finding for a reference that is invalid or does not
// fit its digest, for a duplicate in a lock, and for a reference on which two locks
// disagree.
func New(sources ...Source) (Lock, finding.List) {
	l := Lock{entries: map[imageref.Reference]lockedImage{}, operators: map[operatorKey]lockedOperator{}}
	var found finding.List
	for _, source := range sources {
		own := map[imageref.Reference]bool{}
		for i, locked := range source.Lock.Images {
			e := lockedImage{image: imageOf(locked), at: source.At, field: fmt.Sprintf("images[%d]", i)}
			ref, err := imageref.Parse(locked.Reference)
			switch {
			case err != nil:
				found = append(found, e.invalid(".reference", err.Error(), "correct the reference"))
				continue
			case ref.Pinned() && ref.Digest() != locked.Digest:
				found = append(found, e.invalid(".digest",
					fmt.Sprintf("the lock says that %q has the digest %s", locked.Reference, locked.Digest), runAgain))
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
				if e.image.Verified && !other.image.Verified { // another cluster's mirror has all of it
					other.image.Platforms, other.image.Absent, other.image.Verified = e.image.Platforms, e.image.Absent, true
				}
				l.entries[ref] = other
				continue
			}
			l.entries[ref] = e
		}
		found = append(found, l.addOperators(source)...)
	}
	return l, found
}

// runAgain is the fix for a wrong entry.
const runAgain = "remove the entry and run 'goldenarch lock' again"

func (e lockedImage) invalid(field, text, do string) finding.Finding {
	return finding.Finding{
		ID: finding.LockInvalid, Severity: finding.Error, Object: e.at, Field: e.field + field, Text: text, Do: do,
	}
}

func (e lockedImage) disagrees(other lockedImage) finding.Finding {
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
	maps.DeleteFunc(out.entries, func(ref imageref.Reference, _ lockedImage) bool { return leftOut(ref) })
	return out
}

// WithOperatorsOf returns the lock with those of its operators that another lock has alike.
func (l Lock) WithOperatorsOf(other Lock) Lock {
	out := l
	out.operators = maps.Clone(l.operators)
	maps.DeleteFunc(out.operators, func(key operatorKey, o lockedOperator) bool {
		known, ok := other.operators[key]
		return !ok || !sameOperator(known.LockedOperator, o.LockedOperator)
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
	image.Platforms, image.Absent = platformsOf(locked.Platforms), platformsOf(locked.Absent)
	image.Verified = len(image.Absent) > 0
	return image
}

func platformsOf(locked []v1alpha1.LockedPlatform) arch.Platforms {
	var out arch.Platforms
	for _, p := range locked {
		out = append(out, arch.Platform{OS: p.OS, Architecture: arch.Arch(p.Architecture), Variant: p.Variant, Digest: p.Digest})
	}
	return out.Sorted()
}

// Same reports whether two answers for a reference agree. It ignores fields that only one
// of them has, and the mirror that answered. An older lock does not say what is a bundle. An
// answer that is not verified does not say which platforms are absent.
func Same(a, b registry.Image) bool {
	if !a.Verified || !b.Verified {
		a.Platforms, a.Absent = slices.Concat(a.Platforms, a.Absent).Sorted(), nil
		b.Platforms, b.Absent = slices.Concat(b.Platforms, b.Absent).Sorted(), nil
	}
	return a.Digest == b.Digest && a.MediaType == b.MediaType && (a.Size == b.Size || a.Size == 0 || b.Size == 0) &&
		slices.EqualFunc(a.Platforms, b.Platforms, samePlatform) && slices.EqualFunc(a.Absent, b.Absent, samePlatform)
}

func samePlatform(p, q arch.Platform) bool {
	return p.String() == q.String() && (p.Digest == q.Digest || p.Digest == "" || q.Digest == "")
}

// withKnownAbsent returns an answer without the platforms that a lock says are absent, if the
// answer is not verified: a mirror that had no manifest for a platform is not known to have
// one now.
func withKnownAbsent(answer, locked registry.Image) registry.Image {
	if answer.Verified || len(locked.Absent) == 0 {
		return answer
	}
	isAbsent := func(p arch.Platform) bool {
		return slices.ContainsFunc(locked.Absent, func(q arch.Platform) bool { return p.String() == q.String() })
	}
	present := slices.DeleteFunc(slices.Clone(answer.Platforms), isAbsent)
	if len(present.Linux()) == 0 {
		return answer
	}
	answer.Absent = slices.DeleteFunc(slices.Clone(answer.Platforms), func(p arch.Platform) bool { return !isAbsent(p) })
	answer.Platforms = present
	return answer
}

// operatorKey identifies an operator of a lock: its package and its ClusterServiceVersion.
type operatorKey struct{ name, csv string }

func keyOf(o v1alpha1.LockedOperator) operatorKey { return operatorKey{o.Package, o.CSV} }

// lockedOperator is an operator of a lock, and its location.
type lockedOperator struct {
	v1alpha1.LockedOperator
	at    finding.Object
	field string
}

// addOperators merges the operators of a lock. Two locks that disagree are an error.
func (l *Lock) addOperators(source Source) finding.List {
	var found finding.List
	for i, o := range source.Lock.Operators {
		one := lockedOperator{o, source.At, fmt.Sprintf("operators[%d]", i)}
		other, known := l.operators[keyOf(o)]
		switch {
		case !known:
			l.operators[keyOf(o)] = one
		case disagree(other.LockedOperator, o):
			found = append(found, finding.Finding{
				ID: finding.LockDisagrees, Severity: finding.Error, Object: one.at, Field: one.field,
				Text: fmt.Sprintf("two locks disagree on the operator %q (%s): %s has %s, but %s has %s",
					o.Package, o.CSV, where(other.at), archsOf(other.LockedOperator), where(one.at), archsOf(o)),
				Do: "run 'goldenarch lock' on both",
			})
		case len(other.ConstrainedBy) == 0: // the lock of an earlier release
			other.ConstrainedBy = o.ConstrainedBy
			l.operators[keyOf(o)] = other
		}
	}
	return found
}

// Operators returns the operators of the locks, sorted.
func (l Lock) Operators() []v1alpha1.LockedOperator {
	out := make([]v1alpha1.LockedOperator, 0, len(l.operators))
	for _, o := range l.operators {
		out = append(out, o.LockedOperator)
	}
	slices.SortFunc(out, byPackage)
	return out
}

func byPackage(a, b v1alpha1.LockedOperator) int {
	return cmp.Or(strings.Compare(a.Package, b.Package), strings.Compare(a.CSV, b.CSV))
}

func sameOperator(a, b v1alpha1.LockedOperator) bool {
	return keyOf(a) == keyOf(b) && slices.Equal(archsOf(a), archsOf(b)) && slices.Equal(a.ConstrainedBy, b.ConstrainedBy)
}

// disagree reports whether two entries of one operator contradict each other. A lock of an
// earlier release does not say how the operator constrains its pods.
func disagree(a, b v1alpha1.LockedOperator) bool {
	if len(a.ConstrainedBy) == 0 || len(b.ConstrainedBy) == 0 {
		a.ConstrainedBy, b.ConstrainedBy = nil, nil
	}
	return !sameOperator(a, b)
}

func archsOf(o v1alpha1.LockedOperator) arch.Set { return arch.Named(o.Architectures...) }

// OperatorChange is a difference between a lock and what the input proves of an operator.
type OperatorChange struct {
	// Locked is what the lock says; nil if the lock has no entry.
	Locked *v1alpha1.LockedOperator
	// Proven is what the images prove; nil to remove the entry.
	Proven *v1alpha1.LockedOperator
}

// CompareOperators returns the changes that the proven operators make to a lock. isUnused
// says which of the other entries to remove.
func CompareOperators(l Lock, proven []v1alpha1.LockedOperator, isUnused func(v1alpha1.LockedOperator) bool) []OperatorChange {
	var out []OperatorChange
	kept := map[operatorKey]bool{}
	for _, o := range proven {
		kept[keyOf(o)] = true
		switch locked, known := l.operators[keyOf(o)]; {
		case !known:
			out = append(out, OperatorChange{Proven: &o})
		case disagree(locked.LockedOperator, o):
			out = append(out, OperatorChange{Locked: &locked.LockedOperator, Proven: &o})
		}
	}
	for _, o := range l.Operators() {
		if !kept[keyOf(o)] && isUnused(o) {
			out = append(out, OperatorChange{Locked: &o})
		}
	}
	slices.SortFunc(out, func(a, b OperatorChange) int { return byPackage(a.operator(), b.operator()) })
	return out
}

// operator returns the operator of the change.
func (c OperatorChange) operator() v1alpha1.LockedOperator {
	if c.Proven != nil {
		return *c.Proven
	}
	return *c.Locked
}

// TextOfOperators returns a line for each change, for the user.
func TextOfOperators(changes []OperatorChange) string {
	var b strings.Builder
	for _, c := range changes {
		o := c.operator()
		what := "not used"
		switch {
		case c.Proven != nil && c.Locked == nil:
			what = "not in the lock, has " + archsOf(o).String()
		case c.Proven != nil && slices.Equal(archsOf(*c.Locked), archsOf(o)):
			what = fmt.Sprintf("its pods are restricted by %s, before by %s", by(o), by(*c.Locked))
		case c.Proven != nil:
			what = fmt.Sprintf("%s -> %s", archsOf(*c.Locked), archsOf(o))
		}
		b.WriteString(console.Escape(fmt.Sprintf("operator %s: %s (%s)", o.Package, what, o.CSV)) + "\n")
	}
	return b.String()
}

// by describes how an operator restricts its pods to architectures.
func by(o v1alpha1.LockedOperator) string {
	words := map[v1alpha1.OperatorConstraint]string{
		v1alpha1.ConstrainedByAffinity: "node affinity", v1alpha1.ConstrainedByNodeSelector: "nodeSelector",
		v1alpha1.ConstrainedByBoth: "node affinity and nodeSelector", v1alpha1.ConstrainedByNone: "nothing",
	}
	var out []string
	for _, one := range o.ConstrainedBy {
		out = append(out, words[one])
	}
	return strings.Join(out, ", or ")
}

// edit returns the change as an edit of the list of operators.
func (c OperatorChange) edit() edit {
	o := c.operator()
	e := edit{id: operatorID(o.Package, o.CSV)}
	if c.Proven != nil {
		e.fill = func(entry *yaml.Node) {
			set(entry, "package", o.Package, yaml.NodeTagString)
			set(entry, "csv", o.CSV, yaml.NodeTagString)
			put(entry, "architectures", listOf(archsOf(o)))
			if len(o.ConstrainedBy) == 0 {
				yamlnode.Remove(entry, "constrainedBy")
				return
			}
			put(entry, "constrainedBy", listOf(o.ConstrainedBy))
		}
	}
	return e
}

// listOf returns a list of texts in one line.
func listOf[T ~string](texts []T) *yaml.Node {
	list := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, text := range texts {
		list.Content = append(list.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: string(text)})
	}
	return list
}

func operatorID(name, csv string) string { return name + " " + csv }
