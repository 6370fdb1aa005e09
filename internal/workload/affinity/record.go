package affinity

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Preference is an architecture that the scheduler prefers, with its weight.
type Preference struct {
	Architecture arch.Arch
	Weight       int
}

// Record is what goldenarch wrote into one PodSpec. The zero Record means nothing.
type Record struct {
	Architectures arch.Set
	// OS says that goldenarch also wrote kubernetes.io/os.
	OS bool
	// Terms are the terms that goldenarch wrote into. It is empty if there is only one that
	// has the requirement.
	Terms     []Term
	Preferred []Preference
}

// Term is a term of a required node affinity that goldenarch wrote into.
type Term struct {
	// ID is computed from what else the term requires. A term has no name, and its place in
	// the list changes when somebody edits the list.
	ID string
	// OS says that goldenarch also wrote kubernetes.io/os into this term.
	OS bool
}

// IsZero reports whether goldenarch wrote nothing.
func (r Record) IsZero() bool { return len(r.Architectures)+len(r.Preferred) == 0 }

// Records is what goldenarch wrote into an object, by the key of the PodSpec.
type Records map[string]Record

const (
	osPrefix        = "linux/"
	termsPrefix     = "terms "
	preferredPrefix = "preferred "
)

// String returns the records as an annotation has them: "amd64,arm64", or
// "linux/amd64,linux/arm64" if goldenarch also wrote kubernetes.io/os, then "preferred
// arm64=50". If several terms have the requirement, the ids of those that goldenarch wrote
// into follow: "amd64,arm64 terms 1f2e3d4c,linux/0a1b2c3d". If a PodSpec has a key, its entry begins with that key: "manager: amd64".
// Semicolons separate the entries.
func (r Records) String() string {
	var entries []string
	for key, record := range r {
		if record.IsZero() {
			continue
		}
		if text := record.text(); key == "" {
			entries = append(entries, text)
		} else {
			entries = append(entries, key+": "+text)
		}
	}
	slices.Sort(entries)
	return strings.Join(entries, "; ")
}

func (r Record) text() string {
	var parts []string
	if len(r.Architectures) > 0 {
		names := r.Architectures.Strings()
		if r.OS {
			for i := range names {
				names[i] = osPrefix + names[i]
			}
		}
		parts = append(parts, strings.Join(names, ","))
		if len(r.Terms) > 0 {
			ids := make([]string, len(r.Terms))
			for i, term := range r.Terms {
				ids[i] = term.ID
				if term.OS {
					ids[i] = osPrefix + ids[i]
				}
			}
			parts = append(parts, termsPrefix+strings.Join(ids, ","))
		}
	}
	if len(r.Preferred) > 0 {
		list := make([]string, len(r.Preferred))
		for i, p := range r.Preferred {
			list[i] = fmt.Sprintf("%s=%d", p.Architecture, p.Weight)
		}
		parts = append(parts, preferredPrefix+strings.Join(list, ","))
	}
	return strings.Join(parts, " ")
}

// ParseRecords reads the annotation. It ignores an entry that it cannot read, so what that
// entry describes counts as a person's.
func ParseRecords(text string) Records {
	out := Records{}
	for entry := range strings.SplitSeq(text, ";") {
		key, rest, keyed := strings.Cut(entry, ": ")
		if !keyed {
			key, rest = "", entry
		}
		if record, ok := parseRecord(strings.TrimSpace(rest)); ok {
			out[strings.TrimSpace(key)] = record
		}
	}
	return out
}

func parseRecord(text string) (Record, bool) {
	var r Record
	names, list, _ := strings.Cut(" "+text, " "+preferredPrefix)
	names, ids, _ := strings.Cut(names, " "+termsPrefix)
	for name := range strings.SplitSeq(strings.TrimSpace(names), ",") {
		if name == "" {
			continue
		}
		name, isOS := strings.CutPrefix(name, osPrefix)
		if !arch.Known(arch.Arch(name)) {
			return Record{}, false
		}
		r.OS = r.OS || isOS
		r.Architectures = arch.NewSet(append(r.Architectures, arch.Arch(name))...)
	}
	for id := range strings.SplitSeq(strings.TrimSpace(ids), ",") {
		id, isOS := strings.CutPrefix(id, osPrefix)
		if strings.Trim(id, "0123456789abcdef") != "" {
			return Record{}, false // without it, the record would be about another term
		}
		if id != "" && len(r.Architectures) > 0 {
			r.Terms = append(r.Terms, Term{ID: id, OS: isOS})
		}
	}
	for one := range strings.SplitSeq(strings.TrimSpace(list), ",") {
		name, weight, ok := strings.Cut(one, "=")
		number, err := strconv.Atoi(weight)
		if ok && err == nil && arch.Known(arch.Arch(name)) {
			r.Preferred = append(r.Preferred, Preference{arch.Arch(name), number})
		}
	}
	return r, !r.IsZero()
}

// ownTerm is what an earlier run wrote into a term.
type ownTerm struct {
	requirement *yaml.Node // for the architecture
	os          bool       // it also wrote kubernetes.io/os
}

// ownedTerms returns the terms that an earlier run wrote into. A term whose author nobody
// knows is a person's: one of several that fit a record without ids.
func ownedTerms(terms []*yaml.Node, had Record) map[*yaml.Node]ownTerm {
	out := map[*yaml.Node]ownTerm{}
	var fits []*yaml.Node
	for _, term := range terms {
		if len(had.Architectures) > 0 && !isFixed(term) && requirementOf(term, had.Architectures) != nil {
			fits = append(fits, term)
		}
	}
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
	list := yamlnode.Elements(term, "matchExpressions")
	if i := slices.IndexFunc(list, func(e *yaml.Node) bool { return isIn(e, ArchLabel, architectures.Strings()) }); i >= 0 {
		return list[i]
	}
	return nil
}

// idOf returns the id of a term: a hash of what it requires beside what goldenarch wrote. os
// says that goldenarch wrote kubernetes.io/os. The order of the expressions does not count.
func idOf(term, requirement *yaml.Node, os bool) string {
	var others []string
	for _, key := range []string{"matchExpressions", "matchFields"} {
		for _, e := range yamlnode.Elements(term, key) {
			if e != requirement && !(os && isIn(e, OSLabel, linux)) {
				others = append(others, fmt.Sprintf("%s %q %q %q", key, keyOf(e), yamlnode.Text(e, "operator"), texts(yamlnode.Get(e, "values"))))
			}
		}
	}
	hash := fnv.New32a()
	_, _ = fmt.Fprintf(hash, "%q", sorted(others))
	return fmt.Sprintf("%08x", hash.Sum32())
}
