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
		Labels: s.Labels.Strings(), NodeAffinity: s.Admitted.Strings(),
	}
	for _, a := range s.Architectures {
		if out.Supports[a] = s.Of(a); out.Supports[a] != workload.Yes {
			out.Because[a] = s.Because(a)
		}
	}
	out.Images = mapped(s.Images, func(i workload.SupportedImage) supportImageJSON {
		return supportImageJSON{i.Reference, i.NamedBy, append([]string{}, i.Has.Strings()...), i.Unknown}
	})
	return out
}

// fewImages is how many images of an operator a short report shows all. Of more, it shows those that lack something.
const fewImages = 15

// supportGrid is the table of an operator: its images, its labels and its node affinity, by architectures, and what follows.
func supportGrid(s workload.Support, short bool) grid {
	g := grid{what: "image", header: append([]string{"IMAGE", "NAMED BY"}, s.Architectures.Strings()...), optional: []string{"NAMED BY"}}
	add := func(what, namedBy string, of func(arch.Arch) workload.Answered) {
		answers := mapped(s.Architectures, func(a arch.Arch) string { return string(of(a)) })
		g.rows = append(g.rows, cleaned(append([]string{what, namedBy}, answers...)))
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
	begin := map[workload.Answered]string{
		workload.Yes: "The operator supports ", workload.No: "It does not support ", workload.Unclear: "It is not known whether the operator supports ",
	}
	if n := len(versions); n > 1 {
		begin = map[workload.Answered]string{
			workload.Yes: fmt.Sprintf("All %d operators support ", n), workload.No: "Not all operators support ",
			workload.Unclear: "It is not known whether all operators support ",
		}
	}
	type answer struct{ begin, end string }
	yes := answer{begin[workload.Yes], "."}
	answers, of := []answer{yes}, map[answer][]string{}
	for _, a := range all {
		one := yes
		if is, why := c.supported(a); is != workload.Yes {
			one = answer{begin[is], ", because " + why + "."}
		}
		answers, of[one] = append(answers, one), append(of[one], string(a))
	}
	var out []string
	for _, one := range distinct(answers) {
		if len(of[one]) > 0 {
			out = append(out, one.begin+andList(of[one])+one.end)
		}
	}
	const shown = 4
	if len(out) > shown {
		out = append(out[:shown], "The tables have the others.")
	}
	if len(of[yes]) == 0 && len(out) > 0 {
		out[0] = strings.Replace(out[0], "It does", "The operator does", 1)
	}
	return c.failing(strings.Join(out, " "))
}

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
