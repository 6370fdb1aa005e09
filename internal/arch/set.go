package arch

import (
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
	s, _ := ParseAll(names)
	return s
}

// NamedOne returns the architecture that a user names, or "" if the name is unknown.
func NamedOne(name string) Arch {
	for _, a := range Named(name) {
		return a
	}
	return ""
}

// Contains reports whether a is in the set.
func (s Set) Contains(a Arch) bool { return slices.Contains(s, a) }

// Intersect returns the architectures that are in both sets.
func (s Set) Intersect(other Set) Set { return s.filter(other.Contains) }

// Minus returns the architectures of s that are not in other.
func (s Set) Minus(other Set) Set {
	return s.filter(func(a Arch) bool { return !other.Contains(a) })
}

// Union returns the architectures that are in either set.
func (s Set) Union(other Set) Set { return NewSet(slices.Concat(s, other)...) }

// Equal reports whether both sets hold the same architectures.
func (s Set) Equal(other Set) bool { return slices.Equal(s, other) }

// ContainsAll reports whether every architecture of other is in s.
func (s Set) ContainsAll(other Set) bool { return len(other.Minus(s)) == 0 }

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
