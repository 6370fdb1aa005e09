package mirror

import (
	"maps"
	"slices"
)

// Rule is one entry of a mirror set.
type Rule struct {
	Source  string
	Mirrors []string
	// Use says which references the set applies to.
	Use Use
	// NeverContactSource forbids the source, for tags and digests alike, for every Use.
	NeverContactSource bool
}

// isReal reports whether the rule has a mirror that is not the source itself. OpenShift
// ignores a rule without one, including its policy.
func (r Rule) isReal() bool {
	return slices.ContainsFunc(r.Mirrors, func(m string) bool { return m != r.Source })
}

// Translate makes a policy of mirror sets, as OpenShift writes it into its nodes'
// registries.conf (openshift runtime-utils pkg/registries). It merges rules for one source
// and one use into one order. Mirrors for digests come before those for tags, and only the
// most specific source counts.
func Translate(rules ...Rule) Policy {
	var scopes []Scope
	bySource := map[string][]Rule{}
	for _, r := range rules {
		if r.isReal() {
			bySource[r.Source] = append(bySource[r.Source], r)
		}
	}
	for _, source := range slices.Sorted(maps.Keys(bySource)) {
		scope := Scope{Prefix: source}
		for _, use := range []Use{DigestOnly, TagOnly, Any} {
			var lists [][]string
			for _, r := range bySource[source] {
				if r.Use == use {
					lists = append(lists, r.Mirrors)
					scope.Blocked = scope.Blocked || r.NeverContactSource
				}
			}
			for _, location := range merged(source, lists) {
				scope.Mirrors = append(scope.Mirrors, Endpoint{Location: location, Use: use})
			}
		}
		scopes = append(scopes, scope)
	}
	return New(scopes...)
}

// merged returns the mirrors of several lists. The order keeps that of each list, as far as
// the lists agree. merged adds the source at the end of each list that does not have it. If
// the source comes last in the result, merged omits it, because the client queries it last
// in any case.
func merged(source string, lists [][]string) []string {
	if len(lists) == 0 {
		return nil
	}
	lists = slices.Clone(lists)
	for i, list := range lists {
		if !slices.Contains(list, source) {
			lists[i] = append(slices.Clone(list), source)
		}
	}
	out := inOrder(lists)
	if out[len(out)-1] == source {
		out = out[:len(out)-1]
	}
	return out
}

// inOrder returns all names of the lists, each once. It starts with the names that come
// after no other one. Names that this releases follow, in alphabetical order. In a cycle the
// first name in alphabetical order goes first. This is exactly OpenShift's order
// (runtime-utils pkg/registries, topoGraph): otherwise goldenarch and the nodes could query
// different mirrors first.
func inOrder(lists [][]string) []string {
	after, waits := map[string][]string{}, map[string]int{}
	known := map[[2]string]bool{} // the pairs in after
	for _, list := range lists {
		for i, name := range list {
			waits[name] += 0
			if i > 0 && !known[[2]string{list[i-1], name}] {
				known[[2]string{list[i-1], name}] = true
				after[list[i-1]] = append(after[list[i-1]], name)
				waits[name]++
			}
		}
	}
	names := slices.Sorted(maps.Keys(waits))
	free := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return waits[name] > 0 })
	var out []string
	done := map[string]bool{}
	rest := names
	for len(out) < len(names) {
		if len(free) == 0 {
			for done[rest[0]] {
				rest = rest[1:]
			}
			free = append(free, rest[0])
		}
		name := free[0]
		free, out, done[name] = free[1:], append(out, name), true
		for _, next := range slices.Sorted(slices.Values(after[name])) {
			if waits[next]--; waits[next] == 0 && !done[next] {
				free = append(free, next)
			}
		}
	}
	return out
}
