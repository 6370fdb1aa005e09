package arch

import (
	"cmp"
	"slices"
	"strings"
)

// Set is a set of architectures. [NewSet] sorts it bytewise and removes duplicates. The
// nil Set is the empty set.
type Set []Arch

// NewSet returns the set of the given architectures. It drops empty names, as HCO drops
// them from its lists (hco nodeinfo/architectures.go).
func NewSet(list ...Arch) Set {
	s := make(Set, 0, len(list))
	for _, a := range list {
		if a != "" {
			s = append(s, a)
		}
	}
	slices.Sort(s)
	return slices.Compact(s)
}

// Named returns the set of the architectures that users name. It drops a name that is
// not an architecture: the code that validates the list reports it.
func Named(names ...string) Set {
	list := make([]Arch, 0, len(names))
	for _, name := range names {
		if a, err := Parse(name); err == nil {
			list = append(list, a)
		}
	}
	return NewSet(list...)
}

// NamedOne returns the architecture that a user names, or "" if the name is unknown.
func NamedOne(name string) Arch {
	a, _ := Parse(name)
	return a
}

// Contains reports whether a is in the set.
func (s Set) Contains(a Arch) bool { return slices.Contains(s, a) }

// Intersect returns the architectures that are in both sets.
func (s Set) Intersect(other Set) Set { return s.filter(other.index()) }

// Minus returns the architectures of s that are not in other.
func (s Set) Minus(other Set) Set {
	contains := other.index()
	return s.filter(func(a Arch) bool { return !contains(a) })
}

// index returns what reports whether an architecture is in the set. A set that somebody else
// wrote can have any number of names.
func (s Set) index() func(Arch) bool {
	if len(s) <= len(known) {
		return s.Contains
	}
	names := make(map[Arch]bool, len(s))
	for _, a := range s {
		names[a] = true
	}
	return func(a Arch) bool { return names[a] }
}

// Union returns the architectures that are in either set.
func (s Set) Union(other Set) Set { return NewSet(slices.Concat(s, other)...) }

// Equal reports whether both sets hold the same architectures.
func (s Set) Equal(other Set) bool { return slices.Equal(s, other) }

// String returns the set as HCO needs declared architectures written: comma-separated,
// no blanks. The empty set is "".
func (s Set) String() string { return strings.Join(s.Strings(), ",") }

// Strings returns the names, sorted.
func (s Set) Strings() []string {
	list := make([]string, len(s))
	for i, a := range s {
		list[i] = string(a)
	}
	return list
}

func (s Set) filter(keep func(Arch) bool) Set {
	out := make(Set, 0, len(s))
	for _, a := range s {
		if keep(a) {
			out = append(out, a)
		}
	}
	return out
}

// compatible lists the variants that CDI's importer accepts for an architecture, in its
// order of preference. The importer requests an architecture and never a variant
// (containers/image internal/pkg/platform: WantedPlatforms).
var compatible = map[Arch][]string{
	"arm": {"", "v8", "v7", "v6", "v5"},
	ARM64: {"", "v8"},
}

// VariantRank returns the place of a variant among those that CDI's importer accepts
// for an architecture. 0 is the preferred one. The result is negative for a variant
// that it never accepts, such as v2 of amd64.
func VariantRank(a Arch, variant string) int {
	list, ok := compatible[a]
	if !ok {
		list = []string{""}
	}
	return slices.Index(list, variant)
}

// All returns every architecture that Go builds for Linux, sorted.
func All() []Arch { return slices.Clone(known) }

// Platform is one os/architecture/variant of an image, with the digest of its manifest.
type Platform struct {
	OS           string `json:"os"`
	Architecture Arch   `json:"architecture"`
	Variant      string `json:"variant,omitempty"`
	Digest       string `json:"digest,omitempty"`
}

// String returns "linux/arm64/v8", or "linux/amd64" for a platform without a variant.
func (p Platform) String() string {
	s := p.OS + "/" + string(p.Architecture)
	if p.Variant != "" {
		s += "/" + p.Variant
	}
	return s
}

// Platforms are the platforms of an image, from a registry, a lock or a user.
type Platforms []Platform

// Sorted returns the platforms without duplicates in a fixed order (os, architecture,
// variant, digest).
func (p Platforms) Sorted() Platforms {
	out := slices.Clone(p)
	slices.SortFunc(out, func(a, b Platform) int {
		return cmp.Or(cmp.Compare(a.OS, b.OS), cmp.Compare(a.Architecture, b.Architecture),
			cmp.Compare(a.Variant, b.Variant), cmp.Compare(a.Digest, b.Digest))
	})
	return slices.Compact(out)
}

// Linux returns the architectures of the Linux platforms. A variant counts as its
// architecture: a VM boot image is chosen by the label kubernetes.io/arch, which has no
// variant, and every node that runs it is a Linux node. A platform whose variant no
// import chooses does not count.
func (p Platforms) Linux() Set {
	var list []Arch
	for _, platform := range p {
		if platform.OS == "linux" && VariantRank(platform.Architecture, platform.Variant) >= 0 {
			list = append(list, platform.Architecture)
		}
	}
	return NewSet(list...)
}
