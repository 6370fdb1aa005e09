package cluster

import (
	"fmt"
	"slices"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// answer is what a source of node facts says of a field. One without a source
// says nothing.
type answer struct {
	set    arch.Set
	source string
	// fallback is the commonest architecture, where the nodes can be counted.
	fallback arch.Arch
	// partial says that the set may lack some architectures.
	partial bool
	// problems say why the answer cannot be relied on.
	problems finding.List
}

// highest takes the first answer that says something, and tells which of the
// later ones say something else.
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

// answers asks the facts of each class, the highest first: what each says
// directly, then what all their nodes and pools give together.
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

// direct returns what facts say of a field in so many words.
func (f Facts) direct(set arch.Set) answer {
	if len(set) == 0 {
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
