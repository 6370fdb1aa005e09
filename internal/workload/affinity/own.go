package affinity

import (
	"fmt"
	"hash/fnv"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// ownTerm is what an earlier run wrote into a term.
type ownTerm struct {
	requirement *yaml.Node // for the architecture
	os          bool       // it also wrote kubernetes.io/os
}

// candidates returns the terms that have the recorded requirement, in their order.
func candidates(terms []*yaml.Node, had Record) []*yaml.Node {
	var out []*yaml.Node
	for _, term := range terms {
		if len(had.Architectures) > 0 && !isFixed(term) && requirementOf(term, had.Architectures) != nil {
			out = append(out, term)
		}
	}
	return out
}

// ownedTerms returns the terms that an earlier run wrote into. A term whose author nobody
// knows is a person's: one of several that fit a record without ids.
func ownedTerms(terms []*yaml.Node, had Record) map[*yaml.Node]ownTerm {
	out := map[*yaml.Node]ownTerm{}
	fits := candidates(terms, had)
	if len(had.Terms) == 0 {
		if len(fits) == 1 {
			out[fits[0]] = ownTerm{requirementOf(fits[0], had.Architectures), had.OS}
		}
		return out
	}
	recorded := map[Term]int{}
	for _, one := range had.Terms {
		recorded[one]++
	}
	for one, count := range recorded {
		var found []*yaml.Node
		for _, term := range fits {
			if idOf(term, requirementOf(term, had.Architectures), one.OS) == one.ID {
				found = append(found, term)
			}
		}
		for _, term := range found[:min(count, len(found))] { // those that are equal are as good as each other
			out[term] = ownTerm{requirementOf(term, had.Architectures), one.OS}
		}
	}
	return out
}

// requirementOf returns the expression of a term that requires exactly these architectures,
// nil for none.
func requirementOf(term *yaml.Node, architectures arch.Set) *yaml.Node {
	list := yamlnode.Get(term, "matchExpressions")
	if list == nil {
		return nil
	}
	if i := slices.IndexFunc(list.Content, func(e *yaml.Node) bool { return isIn(e, ArchLabel, architectures.Strings()) }); i >= 0 {
		return list.Content[i]
	}
	return nil
}

// idOf returns the id of a term: a hash of what it requires beside what goldenarch wrote. os
// says that goldenarch wrote kubernetes.io/os. The order of the expressions does not count.
func idOf(term, requirement *yaml.Node, os bool) string {
	var others []string
	for _, key := range []string{"matchExpressions", "matchFields"} {
		list := yamlnode.Get(term, key)
		if list == nil {
			continue
		}
		for _, e := range list.Content {
			if e != requirement && !(os && isIn(e, OSLabel, linux)) {
				others = append(others, fmt.Sprintf("%s %q %q %q", key, keyOf(e), value(e, "operator"), texts(yamlnode.Get(e, "values"))))
			}
		}
	}
	hash := fnv.New32a()
	_, _ = fmt.Fprintf(hash, "%q", sorted(others))
	return fmt.Sprintf("%08x", hash.Sum32())
}

// Remove takes out of a PodSpec what goldenarch wrote, as a record says. It leaves no empty
// mapping or list that goldenarch made.
func Remove(spec *yaml.Node, had Record) {
	w := writer{spec: spec, had: had}
	terms := yamlnode.Lookup(spec, []string{"affinity", "nodeAffinity", required, termsKey})
	if owned := ownedTerms(w.terms(), had); len(owned) > 0 {
		for term, own := range owned {
			list := yamlnode.Get(term, "matchExpressions")
			list.Content = slices.DeleteFunc(list.Content, func(e *yaml.Node) bool {
				return e == own.requirement || own.os && isIn(e, OSLabel, linux)
			})
			if len(list.Content) == 0 {
				yamlnode.Remove(term, "matchExpressions")
			}
		}
		terms.Content = slices.DeleteFunc(terms.Content, func(term *yaml.Node) bool {
			_, is := owned[term]
			return is && len(term.Content) == 0
		})
		if len(terms.Content) == 0 {
			yamlnode.Remove(yamlnode.Lookup(spec, []string{"affinity", "nodeAffinity"}), required)
			w.removeEmpty()
		}
	}
	if len(w.ownPreferences(w.preferredTerms())) > 0 {
		w.replacePreferences(nil)
	}
}
