package mirror

import (
	"cmp"
	"slices"
	"strings"
)

// Use says which references a mirror serves. The values are those of registries.conf
// (pull-from-mirror).
type Use string

// The references that a mirror serves.
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
	// Insecure allows plain HTTP, or any certificate.
	Insecure bool
}

// Scope is a set of images with the same name prefix, and the places that have them.
type Scope struct {
	// Prefix is the beginning of the names: a registry, a namespace or a repository, or
	// "*.example.com" for all registries below a domain.
	Prefix string
	// Location replaces the prefix at the source; "" is the prefix itself.
	Location string
	// Insecure allows plain HTTP, or any certificate, at the source.
	Insecure bool
	// Blocked forbids all places in this scope. Mirrors elsewhere stay allowed.
	Blocked bool
	// Mirrors are the mirrors in the order of the queries. The source comes after them.
	Mirrors []Endpoint
}

// Policy says which places have an image. The zero Policy has only sources, no mirrors.
type Policy struct {
	scopes []Scope // sorted by prefix, without duplicates
}

// New returns the policy of some scopes. Of two with the same prefix the later one wins, as
// with drop-in files.
func New(scopes ...Scope) Policy {
	sorted := slices.Clone(scopes)
	slices.Reverse(sorted)
	slices.SortStableFunc(sorted, func(a, b Scope) int { return strings.Compare(a.Prefix, b.Prefix) })
	return Policy{scopes: slices.CompactFunc(sorted, func(a, b Scope) bool { return a.Prefix == b.Prefix })}
}

// Empty reports whether the policy has no scopes.
func (p Policy) Empty() bool { return len(p.scopes) == 0 }

// Over lays the policy over another one: its scopes win over those of the other policy with
// the same prefix. A scope without mirrors inherits the other policy's mirrors for its
// images, with the rest of the path added, and only adds its own settings. OpenShift does
// the same for insecure and blocked registries.
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

// OnlySources returns the policy without its mirrors. What it forbids stays forbidden.
func (p Policy) OnlySources() Policy {
	out := slices.Clone(p.scopes)
	for i := range out {
		out[i].Mirrors = nil
	}
	return Policy{scopes: out}
}

// Insecure returns the hosts of the insecure places, sorted; "*.example.com" means all
// hosts below a domain.
func (p Policy) Insecure() []string {
	var hosts []string
	add := func(location string, insecure bool) {
		if host, _, _ := strings.Cut(location, "/"); insecure {
			hosts = append(hosts, host)
		}
	}
	for _, s := range p.scopes {
		add(cmp.Or(s.Location, s.Prefix), s.Insecure)
		for _, m := range s.Mirrors {
			add(m.Location, m.Insecure)
		}
	}
	slices.Sort(hosts)
	return slices.Compact(hosts)
}

// find returns the scope of a name, which is the one with the longest prefix, and the rest
// of the name after the prefix (containers/image FindRegistry).
func (p Policy) find(name string) (found Scope, rest string, ok bool) {
	consider := func(prefix string) {
		i, is := slices.BinarySearchFunc(p.scopes, prefix, func(s Scope, prefix string) int { return strings.Compare(s.Prefix, prefix) })
		if !is || len(prefix) < len(found.Prefix) || len(prefix) == len(found.Prefix) && prefix > found.Prefix {
			return
		}
		if n := p.scopes[i].match(name); n >= 0 {
			found, rest, ok = p.scopes[i], name[n:], true
		}
	}
	host, _, _ := strings.Cut(name, "/")
	for end := 1; end <= len(name); end++ {
		if end < len(name) && name[end] != '/' && name[end] != ':' {
			continue
		}
		consider(name[:end])
		for dot := range min(end, len(host)) {
			if host[dot] == '.' {
				consider("*" + name[dot:end])
			}
		}
	}
	return found, rest, ok
}

// match returns the length of the part of a name that the prefix covers, or -1 if the name
// is not in the scope. A prefix ends at the end of a part of the name. Like
// containers/image (refMatchingPrefix), match accepts a port after a host without one.
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

// Place is a place that may have an image.
type Place struct {
	// Name is the image's name in that place: "mirror.example.com/quay/fedora".
	Name string
	// Source says that the place is the source, not a mirror.
	Source bool
	// Insecure allows plain HTTP, or any certificate.
	Insecure bool
	// Blocked forbids any query to the place.
	Blocked bool
}

// Places returns the places that may have the image of a name, in the order of the queries,
// the source last. pinned says that the reference has a digest. The name has no tag or
// digest, and begins with a registry.
//
// The scope that a place itself is in decides whether the place is blocked: a blocked
// source does not block its mirrors.
func (p Policy) Places(name string, pinned bool) []Place {
	scope, rest, _ := p.find(name)
	var places []Place
	for _, m := range scope.Mirrors {
		if m.serves(pinned) {
			places = append(places, Place{Name: m.Location + rest, Insecure: m.Insecure})
		}
	}
	source := Place{Name: name, Source: true, Insecure: scope.Insecure}
	if scope.Location != "" {
		source.Name = scope.Location + rest
	}
	places = append(places, source)
	for i := range places {
		at, _, _ := p.find(places[i].Name)
		places[i].Blocked = at.Blocked
	}
	return places
}

// Mirrored reports whether the policy has a mirror for an image, for a tag or for a digest.
func (p Policy) Mirrored(name string) bool {
	scope, _, _ := p.find(name)
	return len(scope.Mirrors) > 0
}

func (m Endpoint) serves(pinned bool) bool {
	switch m.Use {
	case DigestOnly:
		return pinned
	case TagOnly:
		return !pinned
	case Any:
	}
	return true
}
