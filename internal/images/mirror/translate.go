package mirror

import "slices"

// Rule is one entry of a mirror set.
type Rule struct {
	Source  string
	Mirrors []string
	// Use says which references the set applies to.
	Use Use
	// NeverContactSource forbids the source, for tags and digests alike, for every Use.
	NeverContactSource bool
}

// Real reports whether the rule has a mirror that is not the source itself. OpenShift
// ignores a rule without one, including its policy.
func (r Rule) Real() bool {
	return slices.ContainsFunc(r.Mirrors, func(m string) bool { return m != r.Source })
}

// Translate makes a policy of mirror sets, as OpenShift writes it into its nodes'
// registries.conf (openshift runtime-utils pkg/registries). It merges rules for one source
// and one use into one order. Mirrors for digests come before those for tags, and only the
// most specific source counts.
func Translate(rules ...Rule) Policy {
	var scopes []Scope
	for _, source := range sources(rules) {
		scope := Scope{Prefix: source}
		for _, use := range []Use{DigestOnly, TagOnly, Any} {
			var lists [][]string
			for _, r := range rules {
				if r.Source == source && r.Use == use && r.Real() {
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

func sources(rules []Rule) []string {
	var out []string
	for _, r := range rules {
		if r.Real() {
			out = append(out, r.Source)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// merged returns the mirrors of several lists. The order keeps that of each list, as far as
// the lists agree. merged adds the source at the end of each list that does not have it. If
// the source comes last in the result, merged omits it, because the client queries it last
// in any case.
func merged(source string, lists [][]string) []string {
	if len(lists) == 0 {
		return nil
	}
	var o order
	for _, list := range lists {
		if !slices.Contains(list, source) {
			list = append(slices.Clone(list), source)
		}
		for i := range list[1:] {
			o.before(list[i], list[i+1])
		}
	}
	out := o.sorted()
	if out[len(out)-1] == source {
		out = out[:len(out)-1]
	}
	return out
}
