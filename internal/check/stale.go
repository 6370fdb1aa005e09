package check

import (
	"fmt"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/internal/subject"
)

// reportStale warns of declared architectures that are wrong in the files. render
// corrects them silently if goldenarch itself wrote them.
func (c *Result) reportStale(s subject.Subject, p plan.Proof, field string) {
	if p.Declared == nil {
		return
	}
	meant, unknown := p.Declared.Meant()
	var text string
	switch wrong := meant.Minus(p.Architectures); {
	case len(wrong) > 0:
		text = fmt.Sprintf("template %q declares %s, but %s has %s", p.Name, wrong, p.Image, orNoArchitecture(p.Architectures))
	case len(meant)+len(unknown) == 0:
		text = fmt.Sprintf("template %q declares %q, which names no architecture", p.Name, *p.Declared)
	default:
		return
	}
	c.Findings = append(c.Findings, finding.Finding{
		ID: finding.DeclaredStale, Severity: finding.Warning, Object: s.At, Field: field, Line: c.line(s.At, s.CR.TemplatePath(p.Index)),
		Current: declaredText(p), Proposed: p.Architectures.String(),
		Text: text + ": imports fail if you apply the files without goldenarch render",
		Do:   "commit what 'goldenarch render' writes",
	})
}

func declaredText(p plan.Proof) string {
	if p.Declared == nil {
		return ""
	}
	return string(*p.Declared)
}

func orNoArchitecture(set arch.Set) string {
	if len(set) == 0 {
		return "no architecture"
	}
	return set.String()
}
