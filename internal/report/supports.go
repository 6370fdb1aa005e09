package report

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/workload"
)

// supportJSON is an operator in "check -o json"; docs/check.md describes it.
type supportJSON struct {
	Object finding.Object `json:"object"`
	// Supports has the answer for each architecture, and Because why it is another one than yes.
	Supports map[arch.Arch]workload.Answered `json:"supports"`
	Because  map[arch.Arch]string            `json:"because"`
	// Labels are the architectures that the labels claim, of a ClusterServiceVersion. NodeAffinity are those where its pods may go.
	Labels       []string           `json:"labels,omitempty"`
	NodeAffinity []string           `json:"nodeAffinity"`
	Images       []supportImageJSON `json:"images"`
}

type supportImageJSON struct {
	Image         string   `json:"image"`
	NamedBy       string   `json:"namedBy"`
	Architectures []string `json:"architectures"`
	Unknown       bool     `json:"unknown,omitempty"`
}

func toSupportJSON(s workload.Support) supportJSON {
	out := supportJSON{
		Object: s.Object, Supports: map[arch.Arch]workload.Answered{}, Because: map[arch.Arch]string{},
		Labels: s.Labels.Strings(), NodeAffinity: s.Admitted.Strings(), Images: []supportImageJSON{},
	}
	for _, a := range s.Architectures {
		if out.Supports[a] = s.Of(a); out.Supports[a] != workload.Yes {
			out.Because[a] = s.Because(a)
		}
	}
	for _, i := range s.Images {
		out.Images = append(out.Images, supportImageJSON{i.Reference, i.NamedBy, append([]string{}, i.Has.Strings()...), i.Unknown})
	}
	return out
}

// fewImages is how many images of an operator a short report shows all. Of more, it shows those that lack something.
const fewImages = 15

// supportGrid is the table of an operator: its images, its labels and its node affinity, by architectures, and what follows.
func supportGrid(s workload.Support, short bool) grid {
	g := grid{what: "image", header: []string{"IMAGE", "NAMED BY"}, optional: []string{"NAMED BY"}}
	for _, a := range s.Architectures {
		g.header = append(g.header, string(a))
	}
	add := func(what, namedBy string, of func(arch.Arch) workload.Answered) {
		row := []string{what, namedBy}
		for _, a := range s.Architectures {
			row = append(row, string(of(a)))
		}
		g.rows = append(g.rows, cleaned(row))
	}
	more := 0
	for _, i := range s.Images {
		if short && len(s.Images) > fewImages && !i.Unknown && len(s.Architectures.Minus(i.Has)) == 0 {
			more++
			continue
		}
		add(i.Reference, i.NamedBy, i.Of)
	}
	if more > 0 {
		add(finding.Count(more, "more image"), emptyCell, func(arch.Arch) workload.Answered { return workload.Yes })
	}
	if s.Labelled {
		add("labels", emptyCell, s.Claims)
	}
	if s.Constrained {
		add("node affinity", emptyCell, s.Admits)
	} else {
		add("no architecture constraint", emptyCell, func(arch.Arch) workload.Answered { return emptyCell })
	}
	add("supported", emptyCell, s.Of)
	return g
}

// sentenceOfOperators says which architectures all operators support, and why not others.
func (c story) sentenceOfOperators() string {
	var all arch.Set
	versions := map[string]bool{}
	for _, s := range c.Supports {
		all = all.Union(s.Architectures)
		if s.Labelled {
			versions[s.Object.Name] = true
		}
	}
	words := operatorWords{"The operator supports", "It does not support", "It is not known whether the operator supports"}
	if n := len(versions); n > 1 {
		words = operatorWords{fmt.Sprintf("All %d operators support", n), "Not all operators support", "It is not known whether all operators support"}
	}
	var yes, order []string
	others := map[string][]string{} // the architectures, by what comes before them and after them
	for _, a := range all {
		answer, why := c.supported(a)
		if answer == workload.Yes {
			yes = append(yes, string(a))
			continue
		}
		key := words.no + "\x00" + why
		if answer == workload.Unclear {
			key = words.unclear + "\x00" + why
		}
		if others[key] == nil {
			order = append(order, key)
		}
		others[key] = append(others[key], string(a))
	}
	var out []string
	if len(yes) > 0 {
		out = append(out, fmt.Sprintf("%s %s.", words.yes, andList(yes)))
	}
	for _, key := range order {
		begin, why, _ := strings.Cut(key, "\x00")
		out = append(out, fmt.Sprintf("%s %s, because %s.", begin, andList(others[key]), why))
	}
	const shown = 4
	if len(out) > shown {
		out = append(out[:shown], "The tables have the others.")
	}
	if len(yes) == 0 && len(out) > 0 {
		out[0] = strings.Replace(out[0], "It does", "The operator does", 1)
	}
	return c.failing(strings.Join(out, " "))
}

// operatorWords begin a sentence about what operators support, do not support, or nobody knows.
type operatorWords struct{ yes, no, unclear string }

// supported returns whether all operators support an architecture, and why not.
func (c Check) supported(a arch.Arch) (workload.Answered, string) {
	out, because := workload.Yes, ""
	for _, s := range c.Supports {
		switch answer := s.Of(a); {
		case answer == workload.No:
			return answer, s.Because(a)
		case answer == workload.Unclear && out == workload.Yes:
			out, because = answer, s.Because(a)
		}
	}
	return out, because
}

// onlyOperators reports whether a check is about pods, and operators among them.
func (c Check) onlyOperators() bool {
	return len(c.Supports) > 0 && len(c.Forecast)+len(c.CRs)+len(c.Machines) == 0
}
