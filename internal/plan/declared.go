package plan

import (
	"fmt"
	"slices"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// Declared returns the declared architectures to write into the template of a question
// (nil leaves them), and those that its image has. Unlike [Decide], it needs no nodes.
// An image without an answer is an error, whatever spec.unresolved is: the CR would
// declare the architectures of another image.
func Declared(s Subject, q Question, answers Answers) (*Claim, arch.Set, finding.List) {
	t := template{Subject: s, Classified: q.Template, path: s.CR.TemplatePath(q.Template.Index)}
	if problem := t.learn(q, answers); problem != nil {
		problem.Severity = finding.Error
		return nil, nil, finding.List{*problem}
	}
	if len(t.allow) == 0 {
		return nil, nil, finding.List{t.finding(finding.ClaimEmpty, finding.Error,
			fmt.Sprintf("template %q has no architecture to declare: %s", t.Name(), t.proves()), "use another image")}
	}
	claim, _, found := t.decideClaim()
	found = slices.DeleteFunc(found, func(f finding.Finding) bool { return f.ID == finding.ClaimAdded }) // a person requests it
	return claim, t.proven, found
}
