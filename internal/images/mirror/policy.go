package mirror

import (
	"slices"
	"strings"
)

// Use says which references a mirror serves. The words are those of
// registries.conf (pull-from-mirror).
type Use string

// What a mirror is asked for.
const (
	Any        Use = ""
	DigestOnly Use = "digest-only"
	TagOnly    Use = "tag-only"
)

// Endpoint is a mirror.
type Endpoint struct {
	// Location is a registry or a part of one: "mirror.example.com:5000/quay".
	Location string
	Use      Use
	// Insecure says that it is asked over plain HTTP, or with any certificate.
	Insecure bool
}

// Scope is images whose names begin alike, and where they can be had.
type Scope struct {
	// Prefix is how the names begin: a registry, a namespace or a repository, or
	// "*.example.com" for all registries below a domain.
	Prefix string
	// Location is what stands in the prefix's place at the source; "" is the
	// prefix itself.
	Location string
	// Insecure is the source's, as an Endpoint's.
	Insecure bool
	// Blocked says that no place in this scope is asked. Mirrors elsewhere are.
	Blocked bool
	// Mirrors are asked in this order, before the source.
	Mirrors []Endpoint
}

// Policy says where images can be had. The zero Policy sends everybody to the
// source.
type Policy struct {
	scopes []Scope // sorted by prefix, each once
}

// New returns the policy of some scopes. Of two with one prefix the later one
// counts, as with drop-in files.
func New(scopes ...Scope) Policy {
	sorted := slices.Clone(scopes)
	slices.Reverse(sorted)
	slices.SortStableFunc(sorted, func(a, b Scope) int { return strings.Compare(a.Prefix, b.Prefix) })
	return Policy{scopes: slices.CompactFunc(sorted, func(a, b Scope) bool { return a.Prefix == b.Prefix })}
}

// Empty reports whether the policy says nothing.
func (p Policy) Empty() bool { return len(p.scopes) == 0 }

// Over lays the policy over another one: a scope counts instead of the other's
// with the same prefix. One without mirrors of its own only adds to what the other
// policy says of its images, as OpenShift has it for insecure and blocked
// registries: mirrors are inherited, with the rest of the path added.
func (p Policy) Over(base Policy) Policy {
	all := slices.Clone(base.scopes)
	for _, s := range p.scopes {
		if outer, rest, ok := base.find(s.Prefix); ok && len(s.Mirrors) == 0 {
			s.Blocked = s.Blocked || outer.Blocked
			for _, m := range outer.Mirrors {
				m.Location += rest
				s.Mirrors = append(s.Mirrors, m)
			}
		}
		all = append(all, s)
	}
	return New(all...)
}

// Insecure returns the hosts of the places that are insecure, sorted;
// "*.example.com" stands for all below a domain.
func (p Policy) Insecure() []string {
	var hosts []string
	add := func(location string, insecure bool) {
		if host, _, _ := strings.Cut(location, "/"); insecure {
			hosts = append(hosts, host)
		}
	}
	for _, s := range p.scopes {
		source := s.Location
		if source == "" {
			source = s.Prefix
		}
		add(source, s.Insecure)
		for _, m := range s.Mirrors {
			add(m.Location, m.Insecure)
		}
	}
	slices.Sort(hosts)
	return slices.Compact(hosts)
}

// find returns the scope of a name, which is the one with the longest prefix, and
// what follows the prefix in it (containers/image FindRegistry).
func (p Policy) find(name string) (found Scope, rest string, ok bool) {
	for _, s := range p.scopes {
		if n := s.match(name); n >= 0 && len(s.Prefix) > len(found.Prefix) {
			found, rest, ok = s, name[n:], true
		}
	}
	return found, rest, ok
}

// match returns how much of a name the prefix stands for, -1 if the name is not
// in the scope. A prefix ends where a part of the name ends. That a port may
// follow a host without one is containers/image's way too (refMatchingPrefix).
func (s Scope) match(name string) int {
	end := len(s.Prefix)
	if domain, wildcard := strings.CutPrefix(s.Prefix, "*."); wildcard {
		at := strings.Index(name, "."+domain)
		if at < 0 || strings.Contains(name[:at], "/") {
			return -1
		}
		end = at + 1 + len(domain)
	} else if !strings.HasPrefix(name, s.Prefix) {
		return -1
	}
	if end < len(name) && name[end] != '/' && name[end] != ':' {
		return -1
	}
	return end
}
