package cluster

import (
	"fmt"
	"slices"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// answer is what a source of node facts says about a field. An answer without a source
// says nothing.
type answer struct {
	set    arch.Set
	source string
	// fallback is the most frequent architecture, if the nodes can be counted.
	fallback arch.Arch
	// partial says that the set may be incomplete.
	partial bool
	// problems say why the answer is not reliable.
	problems finding.List
}

// highest returns the first answer that says something, and reports the later ones that
// contradict it.
func highest(field string, answers []answer) (answer, finding.List) {
	answers = slices.DeleteFunc(answers, func(a answer) bool { return a.source == "" })
	if len(answers) == 0 {
		return answer{}, nil
	}
	best := answers[0]
	found := best.problems
	for _, a := range answers[1:] {
		if !best.partial && !a.partial && !a.set.Equal(best.set) {
			found = append(found, disagree(field, best, a))
		}
	}
	return best, found
}

// answers returns the answers of each class of facts, the highest first. Within a
// class, what the facts state directly comes before what their nodes and pools give
// together.
func answers(facts []Facts, direct func(Facts) answer, together func([]Facts) answer) []answer {
	var out []answer
	for class := Stated; class <= Pooled; class++ {
		var list []Facts
		for _, f := range facts {
			if f.Class == class {
				list = append(list, f)
				out = append(out, direct(f))
			}
		}
		if len(list) > 0 {
			out = append(out, together(list))
		}
	}
	return out
}

// direct returns what facts state explicitly about a field. none says that they state an
// empty set.
func (f Facts) direct(set arch.Set, none bool) answer {
	if len(set) == 0 && !none {
		return answer{}
	}
	return answer{set: set, source: f.source(), fallback: f.Default}
}

func disagree(field string, a, b answer) finding.Finding {
	return finding.Finding{
		ID: finding.NodeFactsDisagree, Severity: finding.Warning,
		Text: fmt.Sprintf("%s states that %s nodes have %s, but %s states %s. goldenarch uses the first", a.source, field, orNone(a.set), b.source, orNone(b.set)),
		Do:   "correct one of them",
	}
}

func orNone(s arch.Set) string {
	if len(s) == 0 {
		return "none"
	}
	return s.String()
}
